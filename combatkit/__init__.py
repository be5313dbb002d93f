"""Run, compare and analyse tabletop combat in notebooks."""
