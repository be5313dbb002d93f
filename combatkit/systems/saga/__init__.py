"""Star Wars Saga Edition."""
