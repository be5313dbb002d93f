"""Damaged journals: told by their signs, and made sound as far as their past is true."""
