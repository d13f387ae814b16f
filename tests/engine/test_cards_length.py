"""No game has more than 4,000 decisions: packaged sets keep to it, others that might not are refused."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

import pytest
from prolonging import long_game
from targi_engine import VARIANTS, CardFileError, CardSet, Ruleset, parse_cards, ruleset
from targi_engine.goods import GOODS
from targi_engine.length import MOST_DECISIONS, longest

Json = dict[str, Any]  # a card file: its shape is the engine's to check
Change = Callable[[Json, int], None]

VARIANTS_OF = {
    "base": ("", "unpayable_raid=flat3"),
    **dict.fromkeys(
        ("expansion", "mixed"),
        (
            "",
            ",".join(f"{name}={values[0]}" for name, values in VARIANTS.items() if "border" not in name),
            ",".join(f"{name}={values[0]}" for name, values in VARIANTS.items()),
        ),
    ),
}
GAMES = 30
FREE = [{"dates": 1}]
GAINS = ("get", "gives", "discard_bonus")


def packaged(name: str) -> Json:
    """A packaged card file."""
    text = resources.files("targi_engine").joinpath("data", f"{name}.json").read_text("utf-8")
    data: Json = json.loads(text)
    return data


def changed(name: str, change: Change, amount: int) -> CardSet:
    """A packaged set in which all tribe cards cost a date, changed further."""
    data = packaged(name)
    for card in data["tribe"]:
        card["cost"] = copy.deepcopy(FREE)
    change(data, amount)
    return parse_cards(json.dumps(data), f"my-{name}.json")


def rules_of(name: str, change: Change, amount: int) -> Ruleset:
    """A ruleset with a changed set of its own. Raises CardFileError."""
    cards = changed("expansion" if name == "mixed" else name, change, amount)
    return ruleset(name, base=cards) if name == "base" else ruleset(name, expansion=cards)


def every_card(effect: Mapping[str, object], kind: str = "immediate") -> Change:
    """Gives an effect to so many tribe cards."""

    def change(data: Json, amount: int) -> None:
        for card in data["tribe"][:amount]:
            card.update(kind=kind, effect=dict(effect), optional=None)

    return change


def goods_cards(data: Json, amount: int) -> None:
    data["goods"] = [{"copies": 12, "gives": {"goods_of_choice": amount}} for _ in range(2)]


def nobles(data: Json, amount: int) -> None:
    for card in [card for card in data["border"] if card["card"] != "raid"][:amount]:
        bonus = dict.fromkeys((*GOODS, "water", "goods_of_choice"), 12)
        card.clear()
        card.update(no=0, card="noble", discard_bonus=bonus)
    places = (no for no in range(1, 16) if no % 4)
    for card in data["border"]:
        if card["card"] != "raid":
            card["no"] = next(places)


def dunes_of_choice(data: Json, amount: int) -> None:
    for dune in data["dunes"][:amount]:
        dune.update(copies=12, effect={"kind": "gain", "get": {"goods_of_choice": 12, "water": 8}})


FAMILIES: Mapping[str, tuple[str, Change]] = {
    "a gain for every good held": (
        "base",
        every_card({"kind": "gain_per", "what": "goods", "per": 4, "get": {"goods_of_choice": 2}}),
    ),
    "goods when laid": (
        "expansion",
        every_card({"kind": "gain", "get": dict.fromkeys((*GOODS, "water", "goods_of_choice"), 12)}),
    ),
    "water for every card": (
        "mixed",
        every_card({"kind": "gain_per", "what": "cards", "per": 1, "get": {"water": 12}}),
    ),
    "a bonus after dunes": (
        "expansion",
        every_card({"kind": "dune_bonus", "get": {"goods_of_choice": 3}}, "permanent"),
    ),
    "a bonus at border cards": (
        "base",
        every_card(
            {"kind": "border_bonus", "card": "dates", "get": {"goods_of_choice": 4, "salt": 2}}, "permanent"
        ),
    ),
    "goods cards": ("expansion", goods_cards),
    "Nobles": ("base", nobles),
    "dunes": ("expansion", dunes_of_choice),
}


def last_accepted(name: str, change: Change) -> Ruleset:
    """The ruleset with the most of a change that is not refused."""
    found: Ruleset | None = None
    for amount in range(1, 46):
        try:
            found = rules_of(name, change, amount)
        except CardFileError as error:
            assert found is not None, error
            assert "decisions; allowed: 4,000" in str(error)
            return found
    raise AssertionError


@pytest.mark.parametrize("name", VARIANTS_OF)
def test_games_that_both_seats_prolong_keep_to_twelve_rounds_and_4000_decisions(name: str) -> None:
    for variants in VARIANTS_OF[name]:
        rules = ruleset(name, variants)
        most, _ = longest(name, rules.cards)
        ends = [long_game(rules, number) for number in range(GAMES)]
        assert max(end.round for end in ends) == 12
        assert 200 < max(end.ply for end in ends) <= most <= MOST_DECISIONS


def test_a_set_that_could_exceed_the_limit_is_refused_with_the_cards_that_do_it() -> None:
    gain = {"kind": "gain_per", "what": "goods", "per": 1, "get": {"goods_of_choice": 12}}
    with pytest.raises(CardFileError) as refusal:
        rules_of("base", every_card(gain), 3)
    said = str(refusal.value)
    assert said.startswith("my-base.json: a game of base could have ")
    assert "allowed: 4,000" in said
    assert all(f"my-base.json: tribe card {card} (" in said for card in ("C1", "C2", "C3"))
    assert said.endswith("give less there")


@pytest.mark.parametrize("family", FAMILIES)
def test_the_worst_set_that_is_accepted_has_no_longer_games(family: str) -> None:
    rules = last_accepted(*FAMILIES[family])
    most, _ = longest(rules.name, rules.cards)
    assert 2_500 < most <= MOST_DECISIONS
    plies = [long_game(rules, number).ply for number in range(GAMES)]
    assert 250 < max(plies) <= most


def random_amounts(value: Any, rng: random.Random) -> Any:  # any part of a card
    """A part of a card with other gains."""
    if isinstance(value, list):
        return [random_amounts(item, rng) for item in value]
    if not isinstance(value, dict) or "rates" in value or value.get("kind") in ("no_goods_bonus", "exchange"):
        return value
    return {
        key: _gain(rng) if key in GAINS and isinstance(item, dict) else random_amounts(item, rng)
        for key, item in value.items()
    }


def _gain(rng: random.Random) -> dict[str, int]:
    kinds = rng.sample((*GOODS, "water", "gold", "goods_of_choice"), 2)
    return {kind: rng.randint(1, 4) for kind in kinds}


@pytest.mark.parametrize("seed", range(10))
def test_no_game_with_random_gains_is_longer_than_foretold(seed: int) -> None:
    rng = random.Random(seed)
    name = ("base", "expansion")[seed % 2]
    data = packaged(name)
    for section in ("tribe", "goods", "border", "dunes"):
        cards = data.get(section, [])
        data[section] = [random_amounts(card, rng) if rng.random() < 0.3 else card for card in cards]
    cards = parse_cards(json.dumps(data), "random.json")
    rules = ruleset(name, base=cards) if name == "base" else ruleset(name, expansion=cards)
    most, _ = longest(name, rules.cards)
    assert all(long_game(rules, number).ply <= most for number in range(8))
