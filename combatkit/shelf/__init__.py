"""What a fight can be filled from: other tools' files, and a shelf of creatures and scenes."""

from combatkit.shelf.reading import add_mapping, foreign
from combatkit.shelf.stock import Shelf

__all__ = ["Shelf", "add_mapping", "foreign"]
