"""Many fights: playing them by tactics, over and over, and counting what comes of it.

The engine is a tenth quicker on a Python that was built with profile-guided optimisation, as those of python.org and of
Debian are, than on a plain build, as pyenv makes it by itself; 3.12 and 3.13 are no quicker than 3.11.
"""

from combatkit.simulation.engines import engine_of
from combatkit.simulation.executors import processes
from combatkit.simulation.fights import Bounds, Setup, fight, seed_of
from combatkit.simulation.many import simulate
from combatkit.simulation.sweeping import chart, sweep

__all__ = ["Bounds", "Setup", "chart", "engine_of", "fight", "processes", "seed_of", "simulate", "sweep"]
