"""What is read from files and written to them: paths, tables, rosters."""
