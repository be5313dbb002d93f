"""Phases: a HERO variant with four 3-second phases a turn, in which everybody acts in every phase."""
