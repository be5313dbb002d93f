"""List every text that a person reads, with where it stands: for proof-reading, and for the check of retired phrases.

Usage: ``python -m tools.strings [PART...]``; a part is the beginning of a path, such as ``combatkit/systems``.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PLACES = {
    "combatkit": ("*.py", "*.toml"),
    "docs": ("*.md", "*.rst", "*.py"),
    "js": ("*.js",),
    "notebooks": ("*.ipynb",),
}
"""What is looked through, beside the pages at the top."""

UNREAD = ("js/node_modules", "js/test", "js/shared/types.js", "docs/notebooks/", "docs/style.md", "CHANGELOG.md")
"""What nobody reads, or is made of what is listed; the page of style and the changelog may say what was retired."""

_QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_MARKUP = re.compile(r">([^<>`]*[a-z][^<>`]*)<|`([^`]*[A-Za-z]{3}[^`]*)`")


class Text(NamedTuple):
    """A text, and where it begins."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        """Say it as editors and compilers do."""
        return f"{self.file}:{self.line}: {' '.join(self.text.split())}"


def texts() -> Iterator[Text]:
    """Yield every text, file by file."""
    paths = [*sorted(ROOT.glob("*.md"))]
    for folder, patterns in PLACES.items():
        paths += sorted(path for pattern in patterns for path in (ROOT / folder).rglob(pattern))
    for path in paths:
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(UNREAD):
            for line, text in _READERS[path.suffix](path.read_text("utf-8")):
                if re.search(r"[A-Za-z]{2}", text):
                    yield Text(name, line, text)


def _python(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def _toml(source: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.splitlines(), 1):
        if line.lstrip().startswith("#"):
            yield number, line.lstrip("# ")
        else:
            yield from ((number, found) for found in _QUOTED.findall(line))


def _script(source: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.splitlines(), 1):
        if not line.lstrip().startswith(("import ", "//", "*", "/**")):
            yield from ((number, found) for found in _QUOTED.findall(line) if " " in found or found.istitle())
            yield from ((number, a or b) for a, b in _MARKUP.findall(line))


def _page(source: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(source.splitlines(), 1))


def _notebook(source: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a notebook's cells; a line's number is that of its cell."""
    for number, cell in enumerate(json.loads(source)["cells"], 1):
        yield from ((number, line) for line in "".join(cell["source"]).splitlines())


_READERS = {".py": _python, ".toml": _toml, ".js": _script, ".md": _page, ".rst": _page, ".ipynb": _notebook}


def main() -> None:
    """Print the texts of the parts that are named, or all of them."""
    for each in texts():
        if not sys.argv[1:] or each.file.startswith(tuple(sys.argv[1:])):
            print(each)


if __name__ == "__main__":
    main()
