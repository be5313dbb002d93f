"""Phases: a HERO variant with four 3-second phases a turn; everybody acts in every phase."""
