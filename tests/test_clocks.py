"""No test goes by a clock or by what a machine's memory holds: it counts what is the same on every machine."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.test_house import texts

CLOCKS = {
    "time": {f"{name}{unit}" for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time")
             for unit in ("", "_ns")} | {"clock_gettime", "clock_gettime_ns"},
    "datetime": {"now", "utcnow", "today"},
    "date": {"today"},
    "os": {"times"},
    "timeit": {"timeit", "repeat", "default_timer"},
}  # fmt: skip
"""What tells the time, by the module or class it is an attribute of."""
METERS = {"resource", "tracemalloc", "psutil", "timeit"}
"""Modules that measure."""
WORDS = re.compile(
    r"/proc/[^/\s]+/(?:statm?|status|clear_refs|smaps|io)\b|\b(?:performance|Date)\.now\b|new Date\(\)"
    r"|\btime\.(?:time|monotonic|perf_counter|process_time|thread_time)(?:_ns)?\("
    r"|\bgetrusage\b|\bRLIMIT_(?:CPU|AS|DATA|RSS)\b"
)
"""What measures in the text of a script, or of a file."""
MAY_USE = re.compile(
    rf"\.\s*(?:{'|'.join(sorted(set().union(*CLOCKS.values())))})\b|\b(?:{'|'.join(CLOCKS)})\s+import\b"
    rf"|\b(?:{'|'.join(sorted(METERS))})\b"
)
"""What stands in code that uses a clock or a meter: all other code need not be taken apart."""

LISTED = {
    "tests/browser/harness.py": "waits until a page has come to something",
    "tests/browser/servers.py": "waits until a server answers",
    "tests/kills.py": "asks how long a fight lasts, to kill it at any moment of it",
    "tests/soaking.py": "goes on until a soak's minutes are up",
    "tests/test_disk_full.py": "limits how long a file may be, as a full disk does",
    "tests/waiting.py": "waits until another thread or process has come to something",
}
"""Files that may, and what for."""


def found_in(source: str) -> Iterator[str]:
    """Yield the clocks and meters that Python code uses, that in its strings included."""
    yield from WORDS.findall(source)
    if not MAY_USE.search(source):
        return
    meant: dict[str, str] = {}  # by the name it has there
    nodes = [*ast.walk(ast.parse(source))]
    for node in nodes:
        match node:
            case ast.Import():
                meant |= {each.asname or each.name: each.name for each in node.names}
                yield from (each.name for each in node.names if each.name in METERS)
            case ast.ImportFrom():
                module = node.module or ""
                meant |= {each.asname or each.name: each.name for each in node.names}
                yield from (f"{module}.{each.name}" for each in node.names if each.name in CLOCKS.get(module, ()))
                if module in METERS:
                    yield module
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr=attr):
                if attr in CLOCKS.get(meant.get(name, name), ()):
                    yield f"{name}.{attr}"
            case ast.Constant(value=str(text)) if re.search(r"\b(?:import|time|datetime)\b", text):
                with suppress(SyntaxError, ValueError, RecursionError):  # most text is no code
                    yield from found_in(text)


def clocks(name: str, text: str) -> list[str]:
    """Return the clocks and meters that a file uses."""
    return sorted({*(found_in(text) if name.endswith(".py") else WORDS.findall(text))})


def code() -> dict[str, str]:
    """Return the text of each test file that holds code."""
    folders = ("tests/", "js/test/")
    return {name: text for name, text in texts().items() if name.startswith(folders) and Path(name).suffix in CODE}


CODE = {".py", ".js", ".mjs", ".html"}


def test_no_test_goes_by_a_clock() -> None:
    used = {name: found for name, text in code().items() if (found := clocks(name, text))}
    here = Path(__file__).relative_to(Path(__file__).parents[1]).as_posix()
    assert {name: found for name, found in used.items() if name not in {here, *LISTED}} == {}


def test_every_file_that_may_use_a_clock_does() -> None:
    assert [name for name in LISTED if not clocks(name, code()[name])] == []


@pytest.mark.parametrize(
    "source",
    [
        "import time\nbegan = time.monotonic()",
        "import time as clock\nclock.perf_counter_ns()",
        "from time import process_time as took",
        "import resource",
        "from resource import setrlimit",
        "import tracemalloc",
        "import datetime\ndatetime.datetime.now()",
        "from datetime import datetime as when\nwhen.now()",
        "CODE = '''\nimport time\nbegan = time.time()\n'''",
        "CODE = 'import time; print(time.time())'",
        "lab.start_cell('import time\\nbegan = time.time()')",
        "Path('/proc/self/statm').read_text()",
        "page.evaluate('performance.now()')",
        "page.evaluate('() => Date.now()')",
        "CODE = 'import sys\\nfrom time import time'",
        "CODE = 'began = time.time(); {work}'",
    ],
)
def test_a_clock_is_found(source: str) -> None:
    assert clocks("x.py", source)


@pytest.mark.parametrize(
    "source",
    [
        "import time\ntime.sleep(1)",
        'monkeypatch.setattr("combatkit.share.tokens.time", fake)',
        "import time\nmonkeypatch.setattr(time, 'time', lambda: 0.0)",
        "at = {'time': '0:06'}['time']",
    ],
)
def test_what_is_no_clock_is_left_alone(source: str) -> None:
    assert clocks("x.py", source) == []
