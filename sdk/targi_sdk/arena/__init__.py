"""Play in process: the same bots, turns and records as over the service, without a server."""

from __future__ import annotations

from targi_sdk.arena.clock import NO_CLOCKS, TimeControl
from targi_sdk.arena.game import Game, Played
from targi_sdk.arena.match import Player, play_match, run_match
from targi_sdk.arena.schedule import Fixture, schedule
from targi_sdk.arena.series import GameResult, Series, play_series
from targi_sdk.arena.summary import Summary

__all__ = [
    "NO_CLOCKS",
    "Fixture",
    "Game",
    "GameResult",
    "Played",
    "Player",
    "Series",
    "Summary",
    "TimeControl",
    "play_match",
    "play_series",
    "run_match",
    "schedule",
]
