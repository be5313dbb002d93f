"""What play does not need: scenes, odds, how rulesets differ."""
