"""Action points, as in UESRPG 3e."""
