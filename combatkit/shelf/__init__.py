"""What a fight can be filled from: files of other tools, and a shelf of creatures and scenes."""

from combatkit.shelf.reading import add_mapping, foreign
from combatkit.shelf.stock import Shelf

__all__ = ["Shelf", "add_mapping", "foreign"]
