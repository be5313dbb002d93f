"""What a notebook adds: completion."""
