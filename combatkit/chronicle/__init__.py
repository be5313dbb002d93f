"""The log as people read it: lines of rich text, which widgets show and documents put into prose."""

from combatkit.chronicle.document import Document

__all__ = ["Document"]
