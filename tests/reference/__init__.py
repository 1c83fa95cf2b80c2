"""Plain reference implementations that the games are checked against."""
