"""The words of the log: templates in data, a file per language, and the one place that renders them."""

from combatkit.text.language import (
    ENGLISH,
    SEVERAL,
    Language,
    Languages,
    add_language,
    code_of,
    languages,
    read_language,
    spoken,
)
from combatkit.text.said import PLAIN, Said, Title, say
from combatkit.text.shown import neutral, signed

__all__ = [
    "ENGLISH",
    "PLAIN",
    "SEVERAL",
    "Language",
    "Languages",
    "Said",
    "Title",
    "add_language",
    "code_of",
    "languages",
    "neutral",
    "read_language",
    "say",
    "signed",
    "spoken",
]
