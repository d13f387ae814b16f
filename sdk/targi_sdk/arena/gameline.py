"""One game of a batch as a JSON object: a line of the file that `targi play --out FILE.jsonl` writes.

It depends on the series and the number of the game only, never on clocks or processes, so that two runs of
one series write the same bytes.
"""

from __future__ import annotations

import json
from typing import Any

from targi_sdk.arena.failure import NO_FAILURE, Failure
from targi_sdk.arena.game import Played
from targi_sdk.arena.schedule import Fixture
from targi_sdk.arena.series import POINTS, GameResult, Series

__all__ = ["GameLine", "heading", "line_text", "result_of"]

GameLine = dict[str, Any]
"""A parsed line: JSON. `heading` and `line_text` tell its fields."""


def heading(series: Series, fixture: Fixture) -> GameLine:
    """What is fixed before the game: by it an interrupted file is recognised.

    `game` from 1, the seed of the `series`, `ruleset`, `variants`, hash of the `cards`, `seed`, `opening`
    (None without one), and the specifications of the `bots` by seat. Seeds and hash are hexadecimal.
    """
    return {
        "game": fixture.number,
        "series": series.seed.hex(),
        "ruleset": series.ruleset,
        "variants": series.variants,
        "cards": series.rules.cards_hash,
        "seed": fixture.seed.hex(),
        "opening": None if fixture.opening is None else fixture.opening.hex(),
        "bots": [series.bots[index] for index in fixture.seats],
    }


def line_text(series: Series, fixture: Fixture, played: Played) -> str:
    """The line of a game that was played, with its line break.

    After the heading: `players` (name and version by seat), `result`, `termination`, `culprit`, `scores` and
    their `breakdown` by seat, the numbers of `decisions` and `rounds`, the cause of the end in `words`, and
    the whole `record`.
    """
    record = played.record
    line = {
        **heading(series, fixture),
        "players": [record.tags["Seat0"], record.tags["Seat1"]],
        "result": played.result,
        "termination": played.termination,
        "culprit": played.culprit,
        "scores": played.scores,
        "breakdown": [parts._asdict() for parts in played.breakdown],
        "decisions": len(record.actions),
        "rounds": record.rounds[-1] if record.rounds else 0,
        "words": played.words,
        "record": record.text(),
    }
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def result_of(fixture: Fixture, line: GameLine, failure: Failure = NO_FAILURE) -> GameResult:
    """The game of a line as the first and the second bot see it."""
    points, scores = POINTS[line["result"]], line["scores"]
    first, second = fixture.seats.index(0), fixture.seats.index(1)
    return GameResult(
        fixture=fixture,
        points=(points[first], points[second]),
        scores=(scores[first], scores[second]),
        termination=line["termination"],
        words=line["words"],
        failure=failure,
        record=line["record"],
    )
