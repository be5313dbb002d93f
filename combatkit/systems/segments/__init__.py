"""Rounds of one minute in ten segments: Vile Darkness."""
