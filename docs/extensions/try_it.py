"""Puts "Try it" beside each notebook and each topic of ``contrast``: live, in the page, once somebody opens it.

What is live is the site of ``make lite``, which stands beside this one: ``../lite`` from its front page. Until then
nothing of it is loaded, since a frame that is not shown waits.
"""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import combatkit
from combatkit.study.differences import topics

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def frame(page: str, what: str, address: str) -> str:
    """Return a fold with a frame in it, as a page of the site refers to the live one."""
    up = "../" * (page.count("/") + 1)
    return (
        f'<details class="try"><summary>Try it</summary><iframe loading="lazy" title="{escape(what)}, live" '
        f'src="{up}lite/{escape(address)}"></iframe></details>'
    )


def beside(app: Sphinx, name: str, source: list[str]) -> None:
    """Put it above a notebook."""
    if name.startswith("notebooks/"):
        notebook = json.loads(source[0])
        file = name.removeprefix("notebooks/") + ".ipynb"
        live = frame(name, "The notebook", f"notebooks/index.html?path={quote(file)}")
        cells = notebook["cells"]
        cells.insert(1, {"cell_type": "markdown", "id": "try-it", "metadata": {}, "source": live})
        source[0] = json.dumps(notebook)


class Contrasts(SphinxDirective):
    """Tells what rulebooks say of each topic, each with its table and the call that makes it."""

    def run(self) -> list[nodes.Node]:
        """Make a section a topic."""
        return [self._section(id) for id in topics()]

    def _section(self, id: str) -> nodes.section:
        call = f'ck.contrast("{id}")'
        code = quote(f"import combatkit as ck\n{call}")
        live = frame(self.env.docname, call, f"repl/index.html?kernel=python&toolbar=1&execute=1&code={code}")
        table = combatkit.contrast(id)._repr_html_()
        title = topics()[id].title
        return nodes.section(
            "",
            nodes.title("", "", nodes.Text(title)),
            nodes.paragraph("", "", nodes.literal("", call)),
            nodes.raw("", live, format="html"),
            nodes.container("", nodes.raw("", table, format="html"), classes=["picture"]),
            ids=[nodes.make_id(id)],
            names=[nodes.fully_normalize_name(title)],
        )


def setup(app: Sphinx) -> ExtensionMetadata:
    """Listen to what is read, and make the directive known."""
    app.connect("source-read", beside)
    app.add_directive("contrasts", Contrasts)
    return {"parallel_read_safe": True}
