"""The log as people read it: lines of rich text, which widgets show and documents put into prose."""

from combatkit.report.document import Document

__all__ = ["Document"]
