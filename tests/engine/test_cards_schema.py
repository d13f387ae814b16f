"""The JSON Schema of card files, the tables of the documentation, and effects in words."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from effect_extremes import DUNES, TRIBE, Variant, carried_out, rulesets_of, variants
from targi_engine import card_schema, explain, load_cards, new_game, parse_cards, playout, ruleset
from targi_engine.meanings import COUNTED_WORDS, MEANINGS, WHEN, sentence_of
from targi_engine.schema import COUNTED, EFFECTS_OF, PARAMS

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "engine" / "examples" / "three_cards.json"
DATA = ROOT / "engine" / "targi_engine" / "data"

GAMES = 200
"""So many games at most for the effects of one set."""

Data = dict[str, Any]  # JSON that tests change freely


@pytest.fixture(scope="module")
def schema() -> Data:
    made: Data = json.loads(json.dumps(card_schema()))
    return made


def packaged(name: str) -> Data:
    data: Data = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    return data


def test_the_schema_allows_the_packaged_sets_and_the_example(schema: Data) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in (DATA / "base.json", DATA / "expansion.json", EXAMPLE):
        validator.validate(json.loads(path.read_text("utf-8")))


FAULTS: dict[str, Data] = {
    "an unknown kind of effect": {"effect": {"kind": "fly"}},
    "a kind of effect for other cards": {"effect": {"kind": "well", "pay": {"water": 1}, "times": 1}},
    "an unknown parameter": {"effect": {"kind": "targia_now", "twice": True}},
    "a missing parameter": {"effect": {"kind": "gain"}},
    "an effect on a plain card": {"kind": "plain"},
    "a value out of bounds": {"vp": 13},
    "an unknown symbol": {"symbol": "moon"},
    "an unknown field": {"price": 1},
    "a cost of nothing": {"cost": [{}]},
    "two cards kept of four": {"effect": {"kind": "reveal", "cards": 3, "keep": 1}},
    "a limit for the hand of 11": {
        "kind": "permanent",
        "effect": {"kind": "limit", "of": "hand", "amount": 11},
    },
    "a discount on a symbol without one": {
        "kind": "permanent",
        "effect": {"kind": "discount", "on": "symbol", "goods": 1},
    },
    "a discount at the Noble with a symbol": {
        "kind": "permanent",
        "effect": {"kind": "discount", "on": "noble", "symbol": "camp", "goods": 1},
    },
}
FACE: Data = {
    "id": "XW1",
    "symbol": "well",
    "vp": 1,
    "cost": [{"salt": 1}],
    "kind": "immediate",
    "effect": {"kind": "gain", "get": {"dates": 1}},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_schema_refuses(fault: str, schema: Data) -> None:
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid({"set": "mine", "tribe": [FACE]})
    assert not validator.is_valid({"set": "mine", "tribe": [{**FACE, **FAULTS[fault]}]})


BORDER_FAULTS = (
    {"no": 4, "card": "noble"},
    {"no": 5, "card": "raid"},
    {"no": 13, "card": "water_hole"},
    {"no": 17},
)


@pytest.mark.parametrize("card", BORDER_FAULTS, ids=str)
def test_the_schema_refuses_border_cards(card: Data, schema: Data) -> None:
    assert not jsonschema.Draft202012Validator(schema).is_valid({"set": "mine", "border": [card]})


def test_schema_and_tables_in_the_documentation_are_current() -> None:
    tool = [sys.executable, str(ROOT / "tools" / "card_docs.py"), "--check"]
    done = subprocess.run(tool, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_kind_of_effect_and_of_count_has_words() -> None:
    used = {key.partition(":")[0] for key in MEANINGS}
    assert used == set(PARAMS)
    assert set(WHEN) == set(EFFECTS_OF)
    assert {name for name in COUNTED if not name.startswith("symbol:")} == set(COUNTED_WORDS)


def test_every_packaged_card_is_explained_without_a_gap() -> None:
    sentences = set()
    for name in ("base", "expansion"):
        cards = load_cards(name)
        for card in (*cards.tribe, *cards.dunes):
            face = card.data["effect"]
            assert face is None or isinstance(face, dict)
            words = explain(card.text("kind"), face)
            assert words.startswith(WHEN[card.text("kind")])
            assert "{" not in words
            sentences |= {sentence_of(face)} if face else set()
    assert sentences == set(MEANINGS)


def test_an_explanation_fills_in_the_parameters() -> None:
    gain = {"kind": "gain_per", "what": "symbol:camel_rider", "per": 2, "get": {"dates": 1, "salt": 2}}
    words = "when laid: take 1 date + 2 salt for every 2 of your camel rider cards, counted once this card"
    assert explain("immediate", gain).startswith(words)
    # True for every `what`: the card is no free place, and goods are counted after they were paid.
    for what in COUNTED_WORDS:
        assert explain("immediate", {**gain, "what": what}).endswith(
            ", counted once this card is paid and laid"
        )
    assert explain("plain", None) == "no effect"


def random_value(rng: random.Random, schema: Data) -> object:
    """A value that the JSON Schema of a field allows, without what depends on other fields."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema["type"] == "integer":
        return rng.randint(schema["minimum"], schema["maximum"])
    if schema["type"] == "array":
        offers = schema["items"]["enum"]
        return rng.sample(offers, rng.randint(1, len(offers)))
    if schema["type"] == "boolean":
        return rng.random() < 0.5
    kinds = list(schema["properties"])
    return {kind: rng.randint(1, 4) for kind in rng.sample(kinds, rng.randint(schema["minProperties"], 3))}


def random_effect(rng: random.Random, kind: str, schema: Data) -> Data | None:
    """An effect that a card of some kind may have, at random."""
    if not EFFECTS_OF[kind]:
        return None
    name = rng.choice(EFFECTS_OF[kind])
    definition = schema["$defs"][f"effect_{name}"]
    validator = jsonschema.Draft202012Validator(definition)
    fields = [field for field in definition["properties"] if field != "kind"]
    while True:
        used = [field for field in fields if field in definition["required"] or rng.random() < 0.5]
        found = {field: random_value(rng, definition["properties"][field]) for field in used}
        if validator.is_valid({"kind": name, **found}):
            return {"kind": name, **found}


def test_any_effects_that_are_allowed_can_be_played(schema: Data) -> None:
    rng = random.Random(5)
    for _ in range(4):
        data = packaged("expansion")
        for card in data["tribe"]:
            card["kind"] = rng.choice([kind for kind in EFFECTS_OF if kind != "dune"])
            card["effect"] = random_effect(rng, card["kind"], schema)
        for dune in data["dunes"]:
            dune["effect"] = random_effect(rng, "dune", schema)
        rules = ruleset("mixed", expansion=parse_cards(json.dumps(data), "my.json"))
        for _ in range(10):
            assert playout(new_game(rules, rng.randbytes(32)), rng) < 4000


def test_every_allowed_effect_with_every_extreme_of_its_parameters_is_carried_out() -> None:
    every = variants()
    assert {(card, effect["kind"]) for card, effect in every} == {
        (card, kind) for card, kinds in EFFECTS_OF.items() for kind in kinds
    }
    missing: list[Variant] = []
    decisions = 0
    for chunk in chunks(every):
        for rules, placed in rulesets_of(chunk):
            done, played = carried_out(rules, set(placed), GAMES)
            decisions += played
            missing += [variant for card, variant in placed.items() if card not in done]
    assert missing == []
    assert decisions > 4_000


def chunks(every: list[Variant]) -> Iterator[list[Variant]]:
    """The variants in lists that a set has room for."""
    for dunes, size in ((True, DUNES), (False, TRIBE)):
        some = [variant for variant in every if (variant[0] == "dune") == dunes]
        random.Random(1).shuffle(some)
        yield from (some[at : at + size] for at in range(0, len(some), size))
