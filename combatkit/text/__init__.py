"""The words of the log: templates in data, a file per language, and the one place that renders them."""

from combatkit.text.words import (
    ENGLISH,
    PLAIN,
    SEVERAL,
    Language,
    Languages,
    Said,
    Title,
    add_language,
    code_of,
    languages,
    neutral,
    read_language,
    say,
    signed,
    spoken,
)

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
