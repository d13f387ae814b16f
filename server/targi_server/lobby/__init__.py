"""Who is connected, which matches a bot holds, and how a match comes about."""

from __future__ import annotations

from pathlib import Path

__all__ = ["SCRIPTS"]

SCRIPTS = Path(__file__).parent / "lua"
"""Scripts that the store is opened with."""
