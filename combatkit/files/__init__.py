"""What is read from and written to files: paths, tables, rosters."""
