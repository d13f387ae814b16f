"""What administrators do: pause, abort, ban, drain, and the log of it."""
