"""Many fights: playing them by tactics, over and over, and asking what comes of it."""
