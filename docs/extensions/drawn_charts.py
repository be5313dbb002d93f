"""Draws the charts of notebooks as they are read: their outputs hold what a notebook's own viewer draws from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import vl_convert

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

VEGALITE = "application/vnd.vegalite."


def draw(app: Sphinx, name: str, source: list[str]) -> None:
    """Add to every chart of a notebook its picture."""
    if not name.startswith("notebooks/"):
        return
    notebook = json.loads(source[0])
    for cell in notebook["cells"]:
        for data in (output["data"] for output in cell.get("outputs", ()) if "data" in output):
            for chart in [chart for kind, chart in data.items() if kind.startswith(VEGALITE)]:
                data["image/svg+xml"] = vl_convert.vegalite_to_svg(chart)
    source[0] = json.dumps(notebook)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Listen to what is read."""
    app.connect("source-read", draw)
    return {"parallel_read_safe": True}
