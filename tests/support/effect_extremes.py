"""Every kind of effect with every parameter at its extremes, and games that carry such effects out."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import Any

import jsonschema
from targi_engine import ACTIONS, CardFileError, Ruleset, State, card_schema, new_game, parse_cards, ruleset
from targi_engine.actions import DUNE, TARGIA
from targi_engine.schema import EFFECTS_OF

Json = dict[str, Any]  # a part of a card file: its shape is the engine's to check
Variant = tuple[str, Json]
"""Kind of card, effect."""

DUNES = 10
TRIBE = 15
"""Effects to a set; the other tribe cards are as printed, so that what is paid has all kinds of costs."""
LIKED = ("row", "d", "@d", "t:", "pay:any-goods", "pay:water-gold", "c", "b13")


def variants() -> list[Variant]:
    """For every kind of card and effect: a mild effect, and it with each parameter at each extreme."""
    definitions: Json = json.loads(json.dumps(card_schema()))["$defs"]
    return [
        (card, effect)
        for card, kinds in EFFECTS_OF.items()
        for kind in kinds
        for effect in _extremes(kind, definitions[f"effect_{kind}"])
    ]


def _extremes(kind: str, definition: Json) -> list[Json]:
    fields = {name: schema for name, schema in definition["properties"].items() if name != "kind"}
    validator = jsonschema.Draft202012Validator(definition)
    found: list[Json] = []
    for name, schema in fields.items():
        for value in _values(schema):
            found += _completed({"kind": kind, name: value}, fields, validator)[:1]
    different = {json.dumps(effect, sort_keys=True): effect for effect in found}
    return list(different.values()) or [{"kind": kind}]


def _completed(effect: Json, fields: Json, validator: Any) -> list[Json]:
    """The effect with mild values of the fields that it lacks, in all ways that are allowed."""
    if validator.is_valid(effect):
        return [effect]
    missing = next((name for name in fields if name not in effect), None)
    if missing is None:
        return []
    rest = {name: schema for name, schema in fields.items() if name != missing}
    with_it = ({**effect, missing: value} for value in _values(fields[missing]))
    ways = [found for each in with_it for found in _completed(each, rest, validator)]
    return ways or _completed(effect, rest, validator)


def _values(schema: Json) -> list[Any]:
    """The extremes of a field, mild ones first."""
    if "enum" in schema:
        return list(schema["enum"])
    if schema["type"] == "integer":
        return sorted({schema["minimum"], schema["maximum"]}, reverse=schema["maximum"] == 12)
    if schema["type"] == "boolean":
        return [True, False]
    if schema["type"] == "array":
        offers = schema["items"]["enum"]
        return [*([offer] for offer in offers), offers]
    empty: list[Json] = [] if schema.get("minProperties") else [{}]
    return [*({kind: count} for count in (1, 12) for kind in schema["properties"]), *empty]


def rulesets_of(cards: Sequence[Variant]) -> Iterator[tuple[Ruleset, dict[str, Variant]]]:
    """Rulesets with some variants, as few as the longest game allows; the variants by id of card."""
    data: Json = json.loads(
        resources.files("targi_engine").joinpath("data", "expansion.json").read_text("utf-8")
    )
    placed: dict[str, Variant] = {}
    free = {"dune": iter(data["dunes"]), "": iter(data["tribe"][::3])}
    for kind, effect in cards:
        face = next(free["dune" if kind == "dune" else ""])
        face.update(effect=copy.deepcopy(effect), kind=kind)
        if kind != "dune":
            face.update(cost=[{"dates": 1}], optional=None)
        placed[face["id"]] = (kind, effect)
    try:
        rules = ruleset("expansion", expansion=parse_cards(json.dumps(data), "extremes.json"))
    except CardFileError as error:
        if len(cards) == 1:
            raise AssertionError(f"no game allows {cards[0]}: {error}") from error
        half = len(cards) // 2
        yield from rulesets_of(cards[:half])
        yield from rulesets_of(cards[half:])
    else:
        yield rules, placed


def carried_out(rules: Ruleset, wanted: set[str], games: int) -> tuple[set[str], int]:
    """The wanted cards whose effects games carried out, and how many decisions it took.

    A dune and a token are used; any other card is laid.
    """
    done: set[str] = set()
    decisions = 0
    for number in range(games):
        rng = random.Random(number)
        state = new_game(rules, rng.randbytes(32))
        while not state.is_over and not wanted <= done:
            before = state.clone()
            action = _liked(state, rng)
            state.apply(action)
            decisions += 1
            done.update(rules.catalog.names[card] for card in _done(before, action, state))
    return done & wanted, decisions


def _liked(state: State, rng: random.Random) -> int:
    legal = state.legal_actions()
    liked = [action for action in legal if ACTIONS[action].startswith(LIKED)]
    return rng.choice(liked if liked and rng.random() < 0.8 else legal)


def _done(before: State, action: int, after: State) -> Iterator[int]:
    if DUNE <= action < TARGIA and before.decision == "act":
        yield before.dune_slots[action - DUNE]
    for old, new in zip(before.players, after.players, strict=True):
        tokens = before.ruleset.catalog.tokens
        yield from (card for card in new.display if card not in old.display and not tokens[card])
        yield from (card for card in old.tokens if card not in new.tokens)
