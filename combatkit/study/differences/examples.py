"""Live examples: a few lines that show a rule at work, with what comes of them when they are run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from combatkit.errors import CombatkitError
from combatkit.text.words import read_toml

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset


def examples(rules: Ruleset) -> dict[str, str]:
    """Return a ruleset's examples: code, by topic.

    Parameters
    ----------
    rules : Ruleset
        Its folder may hold an ``examples.toml``: a table of topics, each with the lines to run; the last one is an
        expression, or a call that is refused.

    Returns
    -------
    dict of str to str
        Empty for a ruleset without any.
    """
    path = rules.folder / "examples.toml"
    if not path.is_file():
        return {}
    found: dict[str, str] = read_toml(path)
    return {topic: code.strip() for topic, code in found.items()}


def outcome(code: str) -> str:
    r"""Run an example and return what its last line comes to, or the refusal it ends in.

    Parameters
    ----------
    code : str
        Lines in which ``ck`` is this package.

    Returns
    -------
    str
        Several values are one per line.

    Examples
    --------
    >>> outcome("ck.ruleset('saga').slots.ids()")
    'standard\nmove\nswift\nreaction\naoo'
    """
    import combatkit

    lines = ast.parse(code)
    last = lines.body.pop()
    names: dict[str, object] = {"ck": combatkit}
    try:
        exec(compile(lines, "example", "exec"), names)
        if not isinstance(last, ast.Expr):
            raise TypeError(f"an example ends with an expression, not with {ast.unparse(last)!r}")
        value = eval(compile(ast.Expression(last.value), "example", "eval"), names)
    except CombatkitError as refusal:
        return f"{type(refusal).__name__}: {refusal}"
    return "\n".join(str(part) for part in value) if isinstance(value, (list, tuple)) else str(value)
