"""The directive ``public``: documents every public name of a kind, so that a new one appears by itself."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import anywidget
import msgspec
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective

import combatkit

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

HOW = {
    "functions": ".. autofunction:: combatkit.{}\n\n",
    "constants": ".. autodata:: combatkit.{}\n   :no-value:\n\n",
    "modules": ".. automodule:: combatkit.{}\n   :members:\n   :inherited-members: tuple\n{}\n",
    "classes": ".. autoclass:: combatkit.{}\n   :members:\n   :inherited-members: AnyWidget, Exception, tuple\n\n",
}
"""What autodoc is asked, by kind."""

TUPLE_FIELD = type(combatkit.Deed.action)

GATHERED = "   :imported-members:\n"
"""What it is asked besides of a module that says what it gathers."""


HIDDEN = "\N{RATIO}"
"""Stands for a colon while Napoleon looks."""

GIVEN = "given"
"""The kind of what calls give back that has no name at the top: classes that the package's parts say are theirs."""


def kind_of(thing: Any) -> str:
    """Give the page a public name stands on; every name has one."""
    if isinstance(thing, ModuleType):
        return "modules"
    if not isinstance(thing, type):
        return "functions" if inspect.isroutine(thing) else "constants"
    if issubclass(thing, BaseException):
        return "errors"
    if issubclass(thing, anywidget.AnyWidget):
        return "widgets"
    return "records" if issubclass(thing, (msgspec.Struct, tuple)) else "encounter"


def names_of(kind: str) -> list[str]:
    """Give the public names of a kind, sorted."""
    return (
        given()
        if kind == GIVEN
        else [name for name in sorted(combatkit.__all__) if kind_of(getattr(combatkit, name)) == kind]
    )


def given() -> list[str]:
    """Give the classes that parts of the package name as theirs, where the top or a public module does not."""
    public = {id(getattr(combatkit, name)) for name in combatkit.__all__}
    within = [part.name for part in pkgutil.walk_packages(combatkit.__path__, "combatkit.") if part.ispkg]
    parts = [name.removeprefix("combatkit.") for name in within if name != "combatkit.widgets"]
    return [
        f"{part}.{name}"
        for part in parts
        if part not in combatkit.__all__
        for module in [importlib.import_module(f"combatkit.{part}")]
        for name in getattr(module, "__all__", ())
        if isinstance(getattr(module, name), type) and id(getattr(module, name)) not in public
    ]


class Public(SphinxDirective):
    """Document the public names of the kind named."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Let autodoc do it, name by name."""
        self.env.note_dependency(combatkit.__file__)
        kind = self.arguments[0]
        names = names_of(kind)
        if not names:
            raise self.error(f"no public name is of the kind {kind!r}")
        how = HOW.get(kind, HOW["classes"])
        if kind == "modules":
            gathers = [GATHERED if hasattr(getattr(combatkit, name), "__all__") else "" for name in names]
            told = [how.format(name, more) + constants_of(name) for name, more in zip(names, gathers, strict=True)]
        else:
            told = [how.format(name) for name in names]
        return self.parse_text_to_nodes("".join(told))


def constants_of(name: str) -> str:
    """Document the constants a module gathers: autodoc looks for their text where they are not defined."""
    module = getattr(combatkit, name)
    names = [each for each in getattr(module, "__all__", ()) if kind_of(getattr(module, each)) == "constants"]
    inside = [other for other in sorted(sys.modules) if other.startswith(f"{module.__name__}.")]
    texts = {
        each: text for other in inside for (_, each), text in ModuleAnalyzer.for_module(other).find_attr_docs().items()
    }
    return "".join(
        f".. py:currentmodule:: {module.__name__}\n\n.. py:data:: {each}\n\n   {' '.join(texts[each])}\n\n"
        for each in names
    )


def is_foreign(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what a class has from another library, and the fields of a named tuple, which its signature lists."""
    if isinstance(obj, TUPLE_FIELD):
        return True
    asked = getattr(obj, "fget", None) or getattr(obj, "func", obj)  # of a property, or one that is kept
    module = getattr(asked, "__module__", None)
    return True if module and not module.startswith("combatkit") else None


def hide_colon(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Hide the first line's colon of a property from Napoleon, which would take what stands before it for a type."""
    if what in {"attribute", "property"} and lines:
        lines[0] = lines[0].replace(":", HIDDEN)


def show_colon(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Put the colon back."""
    lines[:] = [line.replace(HIDDEN, ":") for line in lines]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the directive known."""
    app.add_directive("public", Public)
    app.connect("autodoc-skip-member", is_foreign)
    app.connect("autodoc-process-docstring", hide_colon, priority=400)
    app.connect("autodoc-process-docstring", show_colon, priority=600)
    return {"parallel_read_safe": True}
