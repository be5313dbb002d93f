"""Many fights: playing them by tactics, over and over, and asking what comes of it."""

from combatkit.simulation.executors import processes
from combatkit.simulation.fights import Bounds, Setup, fight, seed_of
from combatkit.simulation.many import simulate

__all__ = ["Bounds", "Setup", "fight", "processes", "seed_of", "simulate"]
