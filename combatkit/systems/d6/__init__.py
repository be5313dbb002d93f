"""The D6 zone system."""
