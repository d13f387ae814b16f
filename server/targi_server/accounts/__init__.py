"""Owners, administrators, bots and their tokens."""
