"""Rated play: who meets whom, what a result is worth, and what is kept of a finished match."""

from __future__ import annotations

from pathlib import Path

__all__ = ["SCRIPTS"]

SCRIPTS = Path(__file__).parent / "lua"
"""Scripts that the store is opened with."""
