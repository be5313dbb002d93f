"""The durable log: every accepted call is a line of a text file before it is shown, and can be read back."""

from combatkit.journal.listing import campaign
from combatkit.journal.opening import load

__all__ = ["campaign", "load"]
