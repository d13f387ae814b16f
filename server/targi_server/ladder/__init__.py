"""Rated play: who meets whom, what a result is worth, and what is kept of a finished match."""
