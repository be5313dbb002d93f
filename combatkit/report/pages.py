"""Two ways to set a document: Markdown and HTML, with every word a person gave escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from combatkit.text import ENGLISH, neutral

_MARKED = re.compile(r"([\\`*{}\[\]<>#|~$]|(?<![a-z])_|_(?![a-z]))")
"""What Markdown, or mathematics in a notebook, would take for a mark; a low line within a word is none."""
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_NARROW = "\N{NARROW NO-BREAK SPACE}"


class _Blocks:
    """Holds blocks that are set one below the other.

    A block takes lines that are set already; a way to set words takes them as they are.

    Parameters
    ----------
    id : str
        What its anchors begin with, so that two pages can stand in one notebook.
    """

    _between = "\n"

    def __init__(self, id: str) -> None:
        self.id = re.sub(r"[^a-z0-9]+", "-", id.lower())
        self._blocks: list[str] = []

    def __str__(self) -> str:
        """Return all blocks."""
        return self._between.join(self._blocks)


class MarkdownPage(_Blocks):
    """Markdown that reads well as it stands: marks are superscript figures, not tags."""

    _between = "\n\n"

    def heading(self, level: int, line: str) -> None:
        """Set a heading."""
        self._blocks.append(f"{'#' * level} {line}")

    def paragraph(self, line: str) -> None:
        """Set a paragraph."""
        self._blocks.append(line)

    def bullets(self, lines: Sequence[str]) -> None:
        """Set a list without numbers."""
        self._blocks.append("\n".join(f"- {line}" for line in lines))

    def notes(self, lines: Sequence[str]) -> None:
        """Set the numbered list that marks refer to."""
        self._blocks.append("\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1)))

    def text(self, words: str) -> str:
        """Set words as they are, on one line."""
        return _MARKED.sub(r"\\\1", " ".join(neutral(words).replace("&", "&amp;").split("\n")))

    english = text
    """Set words that are in English whatever the page is in: plain text cannot say so."""

    def strong(self, words: str) -> str:
        """Set words that stand out."""
        return f"**{self.text(words)}**"

    def italic(self, words: str) -> str:
        """Set a person's own words."""
        return f"*{self.text(words.strip())}*"

    def code(self, words: str) -> str:
        """Set an id."""
        return f"`{words.replace('`', '')}`"

    def struck(self, line: str) -> str:
        """Strike a line that is set already."""
        return f"~~{line}~~"

    def marks(self, numbers: Sequence[int]) -> str:
        """Set marks that refer to the notes."""
        return "".join(f"{_NARROW if i else ''}{n}".translate(_SUPERSCRIPTS) for i, n in enumerate(numbers))


class HtmlPage(_Blocks):
    """HTML without classes, styles or scripts; marks lead to their notes."""

    def heading(self, level: int, line: str) -> None:
        """Set a heading."""
        self._blocks.append(f"<h{level}>{line}</h{level}>")

    def paragraph(self, line: str) -> None:
        """Set a paragraph."""
        self._blocks.append(f"<p>{line}</p>")

    def bullets(self, lines: Sequence[str]) -> None:
        """Set a list without numbers."""
        self._blocks.append(f"<ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>")

    def notes(self, lines: Sequence[str]) -> None:
        """Set the numbered list that marks refer to."""
        items = "".join(f'<li id="{self.id}-{number}">{line}</li>' for number, line in enumerate(lines, 1))
        self._blocks.append(f"<ol>{items}</ol>")

    def text(self, words: str) -> str:
        """Set words as they are."""
        return escape(neutral(words))

    def english(self, words: str) -> str:
        """Set words that are in English whatever the page is in."""
        return f'<span lang="{ENGLISH}">{self.text(words)}</span>'

    def strong(self, words: str) -> str:
        """Set words that stand out."""
        return f"<b>{escape(neutral(words))}</b>"

    def italic(self, words: str) -> str:
        """Set a person's own words."""
        return f"<i>{escape(neutral(words))}</i>"

    def code(self, words: str) -> str:
        """Set an id."""
        return f"<code>{escape(neutral(words))}</code>"

    def struck(self, line: str) -> str:
        """Strike a line that is set already."""
        return f"<s>{line}</s>"

    def marks(self, numbers: Sequence[int]) -> str:
        """Set marks that refer to the notes."""
        if not numbers:
            return ""
        links = " ".join(f'<a href="#{self.id}-{n}">{n}</a>' for n in numbers)
        return f"<sup>{links}</sup>"


Page = MarkdownPage | HtmlPage
