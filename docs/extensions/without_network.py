"""Has all of the site kept for visits without a network, once it has been visited; ``static/try.js`` asks for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools import offline

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def keep(app: Sphinx, exception: Exception | None) -> None:
    """List what the site is made of."""
    if exception is None:
        made = (path for path in app.outdir.rglob("*") if path.is_file() and not path.name.startswith("."))
        offline.keep(app.outdir, "docs", made)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Listen to the end of a build, after all others that write pages then."""
    app.connect("build-finished", keep, priority=900)
    return {"parallel_read_safe": True}
