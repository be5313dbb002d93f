"""The words of the log: templates in data, a file a language, and the one place that renders them."""

from combatkit.text.language import ENGLISH, Language, languages, read_language, spoken
from combatkit.text.said import PLAIN, Said, Title, say

__all__ = ["ENGLISH", "PLAIN", "Language", "Said", "Title", "languages", "read_language", "say", "spoken"]
