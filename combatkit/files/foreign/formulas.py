"""Sums in a mapping: whole numbers, names of fields, + - * // and brackets, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from combatkit.core.plain import is_number, short
from combatkit.errors import InvalidInput

_WRITTEN = re.compile(r"(?!.*(?<!\w)[0-9]+[A-Za-z_])[\w+*/() -]{1,200}\Z")
"""The characters of a formula; a number that runs into a word would make Python warn."""


@lru_cache(maxsize=512)
def read_formula(text: str) -> ast.expr:
    """Read a formula.

    Parameters
    ----------
    text : str
        Such as ``"(score - 10) // 2"``.

    Returns
    -------
    ast.expr
        For `worked`.

    Raises
    ------
    InvalidInput
        If it is anything but a sum.

    Examples
    --------
    >>> worked(read_formula("(score - 10) // 2"), {"score": 9})
    -1
    >>> worked(read_formula("score // 2"), {}) is None
    True
    """
    try:
        body = ast.parse(text.strip(), mode="eval").body if _WRITTEN.match(text) else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        body = None
    if body is None or not all(_is_sum(node) for node in ast.walk(body)):
        raise InvalidInput(
            f"{short(text)} isn't a formula; write names of fields, whole numbers, + - * // and brackets"
        )
    return body


def names_in(text: str) -> Iterator[str]:
    """Return the names of the fields that a formula reads."""
    return (node.id for node in ast.walk(read_formula(text)) if isinstance(node, ast.Name))


def worked(node: ast.expr, fields: Mapping[str, object]) -> object:
    """Work a formula out; None if a field that it reads is missing, or isn't a number where one is needed.

    A name alone gives whatever its field holds.
    """
    if isinstance(node, ast.Name):
        return fields.get(node.id)
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp):
        inner = worked(node.operand, fields)
        return -inner if is_number(inner) else None
    assert isinstance(node, ast.BinOp)
    left, right = worked(node.left, fields), worked(node.right, fields)
    if not is_number(left) or not is_number(right):
        return None
    if isinstance(node.op, ast.FloorDiv):
        return left // right if right else None
    if isinstance(node.op, ast.Add):
        return left + right
    return left - right if isinstance(node.op, ast.Sub) else left * right


def _is_sum(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return is_number(node.value)
    kinds = (ast.Name, ast.BinOp, ast.UnaryOp, ast.Load, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.USub)
    return isinstance(node, kinds)
