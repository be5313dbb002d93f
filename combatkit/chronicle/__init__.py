"""The log as people read it: lines of rich text, which widgets show and documents print."""
