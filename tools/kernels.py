"""Real kernels: a cell calls while clicks come in, and every accepted call must be in the reopened file.

``python -m tools.kernels`` makes an environment for each version of ipykernel, starts kernels in it over the real
protocol, sends the clicks on a subshell where the kernel has them, as JupyterLab does, and prints a table.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "kernels"
VERSIONS = ("6.29.*", "7.1.*", "7.3.*", "")
"""The versions that are tried: an empty one is the newest."""

TIMES = 10
CLICKS = 150
CALLS = 400
PATIENCE = 120.0

SETUP = """
import json, sys
import combatkit as ck
enc = ck.Encounter("saga", id="docks", seed=7, journal={path!r})
enc.add("Mara", side="rebels"), enc.add("Guard", side="empire", count=2, npc=True), enc.start()
tracker = ck.Tracker(enc)
refused = 0
import ipykernel
print(json.dumps({{"comm": tracker.comm.comm_id, "version": ipykernel.__version__}}))
"""

CELL = """
accepted = []
for number in range({calls}):
    try:
        enc.condition("Mara", "tired", note=f"cell {{number}}")
    except ck.CombatkitError as error:
        print(error, file=sys.stderr)
    else:
        accepted.append(f"cell {{number}}")
"""

TOLD = """
print(json.dumps({"accepted": accepted, "digest": enc.digest, "events": len(enc._events)}))
enc.close()
"""

REOPENED = """
import json, sys, warnings
import combatkit as ck
warnings.simplefilter("error")
with ck.Encounter.open(sys.argv[1]) as enc:
    print(json.dumps({"digest": enc.digest, "notes": [event.note for event in enc._events if event.note]}))
"""


class Ran(NamedTuple):
    """What came of one kernel: which it was, what was accepted of the cell's calls and the clicks, what was lost."""

    version: str
    subshell: bool
    called: int
    clicked: int
    beside: int
    lost: int


class Kernel:
    """A kernel of some Python, with combatkit from this checkout."""

    def __init__(self, python: Path) -> None:
        self.manager = KernelManager()
        argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        self.manager._kernel_spec = KernelSpec(argv=argv, display_name="tried", language="python")
        self.manager.start_kernel(env=_environment(), cwd=str(ROOT), stderr=subprocess.DEVNULL)
        self.client: BlockingKernelClient = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)
        info = self.ask("kernel_info_request", {})["content"]
        self.has_subshells = "kernel subshells" in info.get("supported_features", [])

    def ask(self, kind: str, content: dict[str, Any], channel: str = "shell") -> dict[str, Any]:
        """Send a request and wait for its reply."""
        message = self.client.session.msg(kind, content)
        sender = getattr(self.client, f"{channel}_channel")
        sender.send(message)
        while True:
            reply: dict[str, Any] = sender.get_msg(timeout=PATIENCE)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                return reply

    def run(self, code: str) -> dict[str, Any]:
        """Run a cell to its end and give what it printed as JSON."""
        done = self.client.execute(code)
        printed = self._listen({done})
        return json.loads(printed) if printed else {}

    def _listen(self, waiting: set[str], answers: list[Any] | None = None, began: list[str] | None = None) -> str:
        """Listen until all these messages have been dealt with; give what was printed."""
        printed = ""
        while waiting:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            parent, content = message["parent_header"].get("msg_id"), message["content"]
            match message["msg_type"]:
                case "stream" if content["name"] == "stdout":
                    printed += content["text"]
                case "stream":
                    raise AssertionError(content["text"])
                case "error":
                    raise AssertionError("\n".join(content["traceback"]))
                case "comm_msg" if answers is not None:
                    answers.append(content["data"].get("content"))
                case "status" if content["execution_state"] == "idle":
                    waiting.discard(parent)
                    if began is not None:
                        began.append(parent)
        return printed

    def play(self, comm: str, clicks: int, calls: int) -> tuple[list[Any], int]:
        """Run a cell that calls while clicks come in; give the answers, and how many clicks ended before the cell."""
        header: dict[str, Any] = {}
        if self.has_subshells:
            reply = self.ask("create_subshell_request", {}, "control")
            header["subshell_id"] = reply["content"]["subshell_id"]
        cell = self.client.execute(CELL.format(calls=calls))
        sent = []
        for number in range(clicks):
            content = {
                "kind": "condition",
                "name": "Mara",
                "condition": "prone",
                "note": f"click {number}",
                "id": number,
            }
            message = self.client.session.msg(
                "comm_msg", {"comm_id": comm, "data": {"method": "custom", "content": content}}
            )
            message["header"].update(header)
            self.client.shell_channel.send(message)
            sent.append(message["header"]["msg_id"])
        answers: list[Any] = []
        ended: list[str] = []
        self._listen({cell, *sent}, answers, ended)
        return answers, len({*ended[: ended.index(cell)]} & {*sent})

    def end(self) -> None:
        """End it, and wait until it has."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def ran(python: Path, clicks: int = CLICKS, calls: int = CALLS) -> Ran:
    """Start a kernel, let a cell call while clicks come in, and look for every accepted call in the reopened file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "friday.combat")
        kernel = Kernel(python)
        try:
            made = kernel.run(SETUP.format(path=str(path)))
            answers, beside = kernel.play(made["comm"], clicks, calls)
            told = kernel.run(TOLD)
        finally:
            kernel.end()
        refused = {answer["id"] for answer in answers if answer and answer.get("kind") == "refused"}
        clicked = [f"click {number}" for number in range(clicks) if number not in refused]
        command = [str(python), "-c", REOPENED, str(path)]
        done = subprocess.run(command, env=_environment(), cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(done.stderr)
        found = json.loads(done.stdout)
        lost = len({*told["accepted"], *clicked} - {*found["notes"]}) + (found["digest"] != told["digest"])
        return Ran(made["version"], kernel.has_subshells, len(told["accepted"]), len(clicked), beside, lost)


def environment(version: str) -> Path:
    """Return the Python of an environment with this version of ipykernel, made if there is none."""
    folder = BUILD / (version.removesuffix(".*") or "newest")
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    stamp = folder / ".stamp"
    if not stamp.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        kernel = f"ipykernel=={version}" if version else "ipykernel"
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--editable", str(ROOT), kernel, "jupyter_client"], check=True)
        stamp.touch()
    return python


def main() -> int:
    """Try every version so many times; print a table, and fail if anything was lost."""
    print("ipykernel  subshells  kernels  calls of the cell  clicks  of them beside the cell  lost")
    lost = 0
    for version in VERSIONS:
        python = environment(version)
        runs = [ran(python) for _ in range(TIMES)]
        sums = [sum(getattr(each, name) for each in runs) for name in ("called", "clicked", "beside", "lost")]
        subshells = "yes" if runs[0].subshell else "no"
        called, clicked, beside, gone = sums
        print(
            f"{runs[0].version:<9}  {subshells:<9}  {len(runs):>7}  {called:>17}  {clicked:>6}  {beside:>23}  {gone:>4}"
        )
        lost += gone
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
