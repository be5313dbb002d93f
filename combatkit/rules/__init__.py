"""What a ruleset is, and what judges and carries out by it: the one judge, the flow of rounds, windows, mechanisms."""
