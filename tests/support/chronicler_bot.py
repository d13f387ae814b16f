"""A bot that plays at random, slowly enough to be interrupted, and writes down what it chose and was told."""

import json
import os
import time
from pathlib import Path

from targi_sdk import Bot, Turn
from targi_sdk.bot import End, Start

FOLDER = Path(os.environ.get("CHRONICLE", "."))
THINK_S = float(os.environ.get("CHRONICLE_THINK_S", "0.03"))


def write(match_id: str, seat: int, **row: object) -> None:
    with (FOLDER / f"{match_id}-{seat}.jsonl").open("a") as file:
        file.write(json.dumps({"match": match_id, "seat": seat, "pid": os.getpid(), **row}) + "\n")


class Chronicler(Bot):
    """One line a start, a choice and an end, in $CHRONICLE/MATCH-SEAT.jsonl."""

    version = "1"

    def on_start(self, start: Start) -> None:
        write(start.match_id, start.seat, what="start", ply=start.ply)

    def choose(self, turn: Turn) -> int:
        time.sleep(THINK_S)
        action = turn.rng.choice(turn.legal)
        write(turn.match_id, turn.seat, what="choice", ply=turn.ply, action=turn.name(action))
        return action

    def on_end(self, end: End) -> None:
        write(end.match_id, end.seat, what="end", result=end.result, cause=end.termination)
