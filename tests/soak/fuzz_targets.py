"""What is fuzzed: for each target valid inputs, how they are damaged, and what reads them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from damage import damaged_bytes, damaged_json, damaged_text
from targi_engine import (
    RULESETS,
    CardFileError,
    EngineError,
    Observation,
    ObservationError,
    Record,
    RecordError,
    State,
    new_game,
    parse_cards,
    playout,
    ruleset,
    verify,
)

Input = str | bytes

GAMES: Final = 6
COMMENTS: Final = ("", "a comment", 'with "quotes", {braces} and \\ in it', "é 砂")


@dataclass(frozen=True)
class Target:
    """Something that reads inputs from outside: it may refuse them with `refuses`, and with nothing else."""

    name: str
    valid: Callable[[], tuple[Input, ...]]
    damage: Callable[[random.Random, Input, Input], Input]
    read: Callable[[Input], None]
    refuses: type[EngineError]

    def case(self, rng: random.Random) -> Input:
        """One of the valid inputs, damaged."""
        return self.damage(rng, rng.choice(self.valid()), rng.choice(self.valid()))


def games() -> list[tuple[State, list[int], list[bytes]]]:
    """Finished games with their actions and with the observations on the way."""
    found = []
    for number in range(GAMES):
        rng = random.Random(f"fuzz {number}")
        state = new_game(RULESETS[number % 3], rng.randbytes(32), rng.randbytes(32) if number % 2 else None)
        actions: list[int] = []
        seen = [state.encoded_observation(None)]
        while not state.is_over:
            actions.append(rng.choice(state.legal_actions()))
            state.apply(actions[-1])
            seen.append(state.encoded_observation(rng.choice((0, 1, None))))
        found.append((state, actions, seen))
    return found


@cache
def records() -> tuple[Input, ...]:
    """Texts of games to their end and of games broken off, with comments."""
    found = []
    for state, actions, _ in games():
        for length in (0, 7, len(actions)):
            part = actions[:length]
            result = None if length == len(actions) else "*"
            comments = {at: COMMENTS[at % len(COMMENTS)] for at in range(-1, length, 3)}
            record = Record.of_game(
                state.ruleset, state.seed, state.opening, part, result=result, comments=comments
            )
            found.append(record.text())
    return tuple(found)


@cache
def card_files() -> tuple[Input, ...]:
    """The packaged card files, and one that changes a packaged set."""
    data = resources.files("targi_engine").joinpath("data")
    whole = tuple(data.joinpath(f"{name}.json").read_text("utf-8") for name in ("base", "expansion"))
    card = json.loads(whole[1])["tribe"][0] | {"vp": 2}
    return (*whole, json.dumps({"set": "mine", "based_on": "expansion", "tribe": [card]}))


@cache
def observations() -> tuple[Input, ...]:
    """The compact views of all positions of the games."""
    return tuple(view for _, _, seen in games() for view in seen)


def damage_text(rng: random.Random, one: Input, other: Input) -> Input:
    assert isinstance(one, str) and isinstance(other, str)
    return damaged_text(rng, one, other)


def damage_cards(rng: random.Random, one: Input, other: Input) -> Input:
    """Mostly the document, so that it is JSON still."""
    assert isinstance(one, str) and isinstance(other, str)
    return (damaged_text if rng.random() < 0.2 else damaged_json)(rng, one, other)


def damage_bytes(rng: random.Random, one: Input, other: Input) -> Input:
    assert isinstance(one, bytes) and isinstance(other, bytes)
    return damaged_bytes(rng, one, other)


def read_record(text: Input) -> None:
    """Read and verify a record; one that is read is written so that it reads the same."""
    assert isinstance(text, str)
    record = Record.parse(text)
    again = Record.parse(record.text())
    assert (again.tags, again.actions, again.rounds) == (record.tags, record.actions, record.rounds)
    verify(record)


def read_cards(text: Input) -> None:
    """Read a card file, make the ruleset of it that it may be meant for, and play a game with it."""
    assert isinstance(text, str)
    cards = parse_cards(text, "mine.json")
    rules = ruleset("expansion", expansion=cards) if cards.dunes else ruleset("base", base=cards)
    playout(new_game(rules, bytes(32)), random.Random(1))


def read_observation(data: Input) -> None:
    """Decode a compact view."""
    assert isinstance(data, bytes)
    Observation.decode(data)


TARGETS: Final = (
    Target("record", records, damage_text, read_record, RecordError),
    Target("cards", card_files, damage_cards, read_cards, CardFileError),
    Target("observation", observations, damage_bytes, read_observation, ObservationError),
)
