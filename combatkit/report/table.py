"""A table of plain, escaped HTML: no classes, no scripts, and the colours of the page it stands in."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_LEFT = ' style="text-align:left"'
"""Said of each cell where a notebook would set it at the right."""


def html_table(
    caption: str, heads: Iterable[str], rows: Iterable[Iterable[str]], *, headed: bool = False, left: bool = False
) -> str:
    r"""Return a table.

    Parameters
    ----------
    caption : str
        What stands above it, as text; nothing does if it is empty.
    heads : iterable of str
        What stands above the columns, as text; no row of heads if there are none.
    rows : iterable of iterable of str
        The cells, as HTML: what is text is escaped already.
    headed : bool
        Whether the first cell of a row is its head.
    left : bool
        Whether each cell is set at the left, wherever the page sets others.

    Returns
    -------
    str
        The table.

    Examples
    --------
    >>> html_table("", [], [["1 &lt; 2"]])
    '<table><tbody>\n<tr><td>1 &lt; 2</td></tr>\n</tbody></table>'
    """
    style = _LEFT if left else ""
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "".join(f"<th{style}>{escape(word)}</th>" for word in heads)
    above += f"<thead><tr>{head}</tr></thead>" if head else ""
    kinds = ("th" if headed else "td", "td")
    body = "\n".join("<tr>" + "".join(_cells(row, kinds, style)) + "</tr>" for row in rows)
    return f"<table>{above}<tbody>\n{body}\n</tbody></table>"


def _cells(row: Iterable[str], kinds: tuple[str, str], style: str) -> Iterable[str]:
    for number, cell in enumerate(row):
        kind = kinds[bool(number)]
        yield f"<{kind}{style}>{cell}</{kind}>"
