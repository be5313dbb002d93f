"""The directives ``messages`` and ``limits``: what the wire carries, as the code says it."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, get_type_hints

from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import stringify_annotation

from combatkit.core import limits
from combatkit.widgets._intents import KINDS

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

    from combatkit.widgets._intents import Kind


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *([cell.replace("|", r"\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def given(kind: Kind) -> str:
    """Say a message's fields, each with its type, and with what it is if it is left out."""
    types = get_type_hints(kind)
    told = (f"`{f.encode_name}: {stringify_annotation(types[f.name])}{usual(f)}`" for f in fields(kind))
    return re.sub(r"\b(collections\.abc|typing)\.", "", ", ".join(told))


def usual(field: FieldInfo) -> str:
    """Say what a field is if it is left out, as JSON."""
    if field.required:
        return ""
    return f" = {json.dumps(field.default_factory() if field.default is NODEFAULT else field.default)}"


class Messages(SphinxDirective):
    """Tells every kind of message: what it gives, and what it does."""

    def run(self) -> list[nodes.Node]:
        """Write the table."""
        for module in {kind.__module__ for kind in KINDS.values()} | {"combatkit.fight.fight"}:
            self.env.note_dependency(importlib.import_module(module).__file__ or "")
        rows = [(f"`{name}`", given(kind), str(kind.__doc__).split("\n")[0]) for name, kind in KINDS.items()]
        return self.parse_text_to_nodes(table(["kind", "what it gives", "what it does"], rows))


class Limits(SphinxDirective):
    """Tells every limit by name."""

    def run(self) -> list[nodes.Node]:
        """Write the table."""
        self.env.note_dependency(limits.__file__)
        told = ModuleAnalyzer.for_module(limits.__name__).find_attr_docs()
        rows = [(f"`{name}`", f"{getattr(limits, name):,}", " ".join(text).strip()) for (_, name), text in told.items()]
        return self.parse_text_to_nodes(table(["name", "at most", "what it is a limit of"], rows))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the directives known."""
    app.add_directive("messages", Messages)
    app.add_directive("limits", Limits)
    return {"parallel_read_safe": True}
