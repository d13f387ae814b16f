"""Reference bots, one a module: how a bot is written, and what a new one should beat."""
