"""What a fight can be filled from: files of other tools, and a shelf of creatures and scenes."""

from combatkit.shelf.reading import add_mapping, foreign

__all__ = ["add_mapping", "foreign"]
