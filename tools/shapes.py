"""Write the views' shapes as JSDoc types for the front ends: ``python -m tools.shapes js/shared/types.js``.

The shapes are the public names of the modules called ``shapes``: typed dictionaries, and other types under a name of
their own. The modules are read by their paths, because ``combatkit.widgets`` itself needs the bundles.
"""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

ROOT = Path(__file__).parents[1]
PARTS = ("rules", "report", "widgets", "share")
_PLAIN = {str: "string", bool: "boolean", int: "number", float: "number", NoneType: "null", object: "unknown"}
_HEADER = """\
/**
 * The shapes that come over the wire: types only, nothing here runs. Made by `tools/shapes.py`, from the typed
 * dictionaries of the `shapes.py` of rules, report, widgets and share: change those, then `make`.
 */
"""


def loaded(part: str) -> ModuleType:
    """Load the shapes of a part of the package, and nothing else of it."""
    name = f"combatkit.{part}.shapes"
    if name not in sys.modules:
        spec = spec_from_file_location(name, ROOT / "combatkit" / part / "shapes.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def shapes() -> dict[str, Any]:
    """Return every shape by its name, in the order of the modules."""
    found: dict[str, Any] = {}
    for part in PARTS:
        module = loaded(part)
        for name, each in vars(module).items():
            own = not is_typeddict(each) or each.__module__ == module.__name__
            if own and not name.startswith("_") and (is_typeddict(each) or _is_named(each)):
                found.setdefault(name, each)
    return found


def _is_named(each: Any) -> bool:
    """Check whether something is a type put together, not what such types are put together with."""
    return isinstance(each, UnionType) or get_origin(each) in (list, dict)


def written(hint: Any, names: dict[Any, str]) -> str:
    """Write a type as JSDoc has it.

    Examples
    --------
    >>> written(dict[str, list[str | int | None]], {})
    'Record<string, (string | number | null)[]>'
    >>> written(Annotated[list[str | int], tuple[Literal["undo", "redo"], int]], {list[int]: "Numbers"})
    '["undo" | "redo", number]'
    """
    if hint in names:
        return names[hint]
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, given = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return f"[{', '.join(written(each, names) for each in get_args(given[1]))}]"
    if origin is Literal:
        return " | ".join(f'"{each}"' for each in given)
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(written(each, names) for each in given))
    if origin is list:
        inner = written(given[0], names)
        return f"({inner})[]" if " | " in inner and not inner.startswith("[") else f"{inner}[]"
    if origin is dict:
        return f"Record<string, {written(given[1], names)}>"
    raise TypeError(f"no JSDoc type is known for {hint!r}")


def types() -> str:
    """Return the whole file."""
    named = shapes()
    names = {each: name for name, each in named.items()}
    blocks = [_HEADER]
    for name, each in named.items():
        if not is_typeddict(each):
            rest = {other: called for other, called in names.items() if called != name}
            blocks.append(f"/** @typedef {{{written(each, rest)}}} {name} */\n")
            continue
        lines = ["/**", f" * {each.__doc__}", " *", f" * @typedef {{object}} {name}"]
        for key, hint in get_type_hints(each, include_extras=True).items():
            optional = get_origin(hint) is NotRequired
            kind = written(get_args(hint)[0] if optional else hint, names)
            lines.append(f" * @property {{{kind}}} {f'[{key}]' if optional else key}")
        blocks.append("\n".join([*lines, " */\n"]))
    return "\n".join([*blocks, "export {};\n"])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(types(), encoding="utf-8")
