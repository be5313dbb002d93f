"""The one door to polars: whoever makes frames takes ``pl`` from here.

Where polars can't be had, as in a browser without a network, it is `combatkit.frames.plain`: the few things of polars
that combatkit itself is made with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl
else:
    try:
        import polars as pl
    except ModuleNotFoundError:
        from combatkit.frames import plain as pl

__all__ = ["PLAIN", "pl"]

PLAIN = pl.__name__ != "polars"
"""Whether tables are plain ones."""
