"""Exact odds: who acts first, who in which place, what hits. Fractions from the standard library, nothing sampled.

`Encounter.odds` gives a fight's; `order` and `rolls` hold the closed forms, which need no extra and no polars.
"""
