"""Run notebooks again, in place, and keep of them only what reads the same on every machine.

Usage: ``python tools/notebooks.py NOTEBOOK...``; ``make notebooks`` runs all of them.

Widget state is left out: it repeats each widget's bundle, and without a kernel the ``text/html`` beside it is what
shows. Model ids, execution times and the version of Python are left out because they differ from run to run, which
would make every notebook a change.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KEPT_METADATA = {"kernelspec", "language_info"}
KEPT_CELL_METADATA = {"tags", "jupyter", "editable", "deletable", "slideshow"}
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def tidy(notebook: Any) -> None:
    """Take out of a notebook, in place, what differs from run to run or machine to machine."""
    notebook.metadata = {key: value for key, value in notebook.metadata.items() if key in KEPT_METADATA}
    notebook.metadata["kernelspec"] = dict(KERNEL)
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata = {key: value for key, value in cell.metadata.items() if key in KEPT_CELL_METADATA}
        if cell.cell_type == "code":
            cell.outputs = merged(cell.outputs)
            for output in cell.outputs:
                if "data" in output:
                    output.data.pop(WIDGET_VIEW, None)
                    output.metadata = {}


def merged(outputs: Sequence[Any]) -> list[Any]:
    """Join neighbouring pieces of one stream, which the kernel cuts where its clock happens to tick."""
    joined: list[Any] = []
    for output in outputs:
        if joined and output.output_type == joined[-1].output_type == "stream" and output.name == joined[-1].name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def run(path: Path) -> None:
    """Run one notebook from its own folder and write it back, tidied."""
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(
        notebook, timeout=600, kernel_name="python3", record_timing=False, resources={"metadata": {"path": path.parent}}
    ).execute()
    tidy(notebook)
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


def main(arguments: Sequence[str]) -> int:
    """Run the notebooks named on the command line."""
    if not arguments:
        print("usage: python tools/notebooks.py NOTEBOOK...", file=sys.stderr)
        return 2
    for argument in arguments:
        run(Path(argument))
        print(f"ran {argument}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
