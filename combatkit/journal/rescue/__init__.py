"""Damaged journals: recognised by their signs, and restored as far as their past is true."""
