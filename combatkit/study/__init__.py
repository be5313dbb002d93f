"""What a table does not need: scenes, odds, how rulesets differ."""
