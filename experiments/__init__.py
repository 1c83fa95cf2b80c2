"""Scripts that train, evaluate and measure; each is one file and one dataclass of settings."""
