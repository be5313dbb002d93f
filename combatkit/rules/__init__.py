"""What a ruleset is, and what judges and carries out actions by it: the judge, rounds, windows, mechanisms."""
