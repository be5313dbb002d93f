"""Writes notebook 07's comparison as a page for a class, ``five-ways.html``: lanes and three questions, no code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import combatkit

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def write(app: Sphinx, exception: Exception | None) -> None:
    """Play the notebook's fights and save them beside the site's other pages."""
    if exception is None:
        scene = combatkit.scene("catwalk")
        fights = [scene.encounter(id, seed=7) for id in ("saga", "d6", "ap", "segments", "phases")]
        for fight in fights:
            combatkit.play(fight, combatkit.tactics.strike, seconds=60)
        combatkit.Comparison(fights).to_html(app.outdir / "five-ways.html", title="The same fight, five ways")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Listen to the end of a build."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}
