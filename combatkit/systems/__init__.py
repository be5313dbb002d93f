"""The five systems, a folder each: rules.toml, actions.toml, stats.py, ruleset.py."""
