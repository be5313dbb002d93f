"""One fight as a user holds it: what can be asked of a moment, the calls that change it, the lock around them."""
