"""The words of the log: templates in data, a file a language, and the one place that renders them."""

from combatkit.text.language import ENGLISH, Language, languages, read_language, spoken
from combatkit.text.said import PLAIN, Said, Title, say
from combatkit.text.shown import neutral, signed

__all__ = [
    "ENGLISH",
    "PLAIN",
    "Language",
    "Said",
    "Title",
    "languages",
    "neutral",
    "read_language",
    "say",
    "signed",
    "spoken",
]
