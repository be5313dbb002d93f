"""Many fights: playing them by tactics, over and over, and counting what comes of it."""

from combatkit.simulation.engines import engine_of
from combatkit.simulation.executors import processes
from combatkit.simulation.fights import Bounds, Setup, fight, seed_of
from combatkit.simulation.many import simulate
from combatkit.simulation.sweeping import chart, sweep

__all__ = ["Bounds", "Setup", "chart", "engine_of", "fight", "processes", "seed_of", "simulate", "sweep"]
