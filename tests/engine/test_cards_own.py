"""Card files of one's own: what is refused and in which words, changes to a packaged set, the example."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from targi_engine import (
    CardFileError,
    Record,
    RecordVersionError,
    Ruleset,
    house_border,
    house_cards,
    load_cards,
    new_game,
    parse_cards,
    ruleset,
    show,
    verify,
)

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "engine" / "examples" / "three_cards.json"
DATA = ROOT / "engine" / "targi_engine" / "data"

Data = dict[str, Any]  # JSON that tests change freely


def packaged(name: str) -> Data:
    data: Data = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    return data


def small(**card: object) -> Data:
    """A file that changes the card XW1 of the expansion."""
    face = {"id": "XW1", "symbol": "well", "vp": 1, "cost": [{"salt": 1}], "kind": "plain", "effect": None}
    return {"set": "mine", "based_on": "expansion", "tribe": [{**face, **card}]}


def effect(kind: str, effect: Data) -> Data:
    return small(kind=kind, effect=effect)


def refusal(data: Data) -> str:
    with pytest.raises(CardFileError) as caught:
        parse_cards(json.dumps(data), "my.json")
    return str(caught.value)


GAIN = {"kind": "gain", "get": {"dates": 1}}
CARD_FAULTS: dict[str, tuple[Data, str, str]] = {
    "an unknown kind of effect": (
        effect("immediate", {"kind": "fly"}),
        "'kind' is \"fly\"",
        "with a card of kind immediate: gain, gain_per, choose",
    ),
    "a kind of effect that the kind of card cannot have": (
        effect("permanent", GAIN),
        "'kind' is \"gain\"",
        "with a card of kind permanent: discount, goods_card_bonus",
    ),
    "an unknown parameter": (
        effect("immediate", {**GAIN, "twice": True}),
        "'twice' is unknown",
        "allowed: kind, get",
    ),
    "a missing parameter": (
        effect("immediate", {"kind": "gain"}),
        "'get' is missing",
        "fields: kind, get",
    ),
    "a value out of bounds": (small(vp=13), "'vp' is 13", "a whole number from 0 to 12"),
    "an unknown symbol": (small(symbol="moon"), "'symbol' is \"moon\"", "camel_rider, targia, oasis, well"),
    "a kind of goods that does not exist": (
        effect("immediate", {"kind": "gain", "get": {"rubies": 1}}),
        "'get' is {\"rubies\": 1}",
        "dates, salt, pepper, gold, water, vp, goods_of_choice with counts from 1 to 12",
    ),
    "more goods than can be kept": (small(cost=[{"dates": 7, "salt": 7}]), "'cost' is", "at most 13 goods"),
    "more gold than can be kept": (small(cost=[{"gold": 4}]), "'cost' is", "at most 3 gold"),
}


@pytest.mark.parametrize("fault", CARD_FAULTS)
def test_a_fault_of_a_card_names_file_card_field_and_what_is_allowed(fault: str) -> None:
    data, held, allowed = CARD_FAULTS[fault]
    words = refusal(data)
    assert words.startswith("my.json: tribe card XW1: ")
    assert held in words
    assert allowed in words


def twice(data: Data) -> None:
    data["tribe"].append(data["tribe"][0])


def other_symbol(data: Data) -> None:
    data["tribe"][0]["symbol"] = "oasis"


def one_less(data: Data) -> None:
    data["tribe"].pop()


WHOLE_FAULTS: dict[str, tuple[Callable[[Data], None], str]] = {
    "an id that is there twice": (twice, "the id 'XC1' is there twice; every card has its own"),
    "eight and ten of a symbol": (other_symbol, "8 tribe cards have the symbol camel_rider; allowed: 9"),
    "44 cards": (one_less, "8 tribe cards have the symbol camp; allowed: 9 of each"),
}


@pytest.mark.parametrize("fault", WHOLE_FAULTS)
def test_a_fault_of_the_whole_set_names_the_file_and_what_is_allowed(fault: str) -> None:
    spoil, words = WHOLE_FAULTS[fault]
    data = packaged("expansion")
    spoil(data)
    assert refusal(data).startswith(f"my.json: {words}")


def test_a_set_without_its_45_tribe_cards_makes_no_ruleset() -> None:
    cards = parse_cards(json.dumps({**packaged("expansion"), "tribe": []}), "my.json")
    with pytest.raises(CardFileError, match=r"my\.json: 0 tribe cards; ruleset expansion needs 45"):
        ruleset("expansion", expansion=cards)


def test_the_base_game_has_no_water_to_pay_with() -> None:
    data = packaged("base")
    data["tribe"][0]["cost"] = [{"water": 2}]
    cards = parse_cards(json.dumps(data), "my.json")
    assert ruleset("mixed", base=cards).cards_hash != ruleset("mixed").cards_hash
    with pytest.raises(CardFileError, match=r"my\.json: tribe card C1: .*ruleset base has no water"):
        ruleset("base", base=cards)


BROKEN: dict[str, tuple[str, str]] = {
    "a comma that is missing": (
        '{\n "set": "mine"\n "tribe": []\n}',
        'line 3, column 2: a comma or a closing bracket is missing before this place: "tribe": ',
    ),
    "a comma too many": ('{"set": "mine",\n}', "the comma before is too many|this comma is too many"),
    "a text without quotes": ('{"set": mine}', 'line 1, column 9: a value belongs here .*: {"set": mine}'),
    "a text that does not end": ('{"set": "mine}', "line 1, column 9: .* no closing double quote"),
    "a colon that is missing": ('{"set" "mine"}', "line 1, column 8: a colon is missing"),
    "a bracket too many": ('{"set": "mine"}}', "line 1, column 16: .*a bracket closes too early"),
    "nothing": ("", "line 1, column 1: a value belongs here"),
    "a list": ("[1, 2]", r"holds \[1, 2\], not an object"),
    "a field that is there twice": ('{"set": "mine", "set": "yours"}', "field 'set' is there twice"),
    "brackets without end": ("[" * 100_000, "is no JSON of a card file"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_broken_json_is_said_with_line_column_and_what_to_look_for(fault: str) -> None:
    text, words = BROKEN[fault]
    with pytest.raises(CardFileError, match=rf"^my\.json: .*(?:{words})"):
        parse_cards(text, "my.json")


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_bytes('{"set": "m\u00fcnze"}'.encode("latin-1"))
    with pytest.raises(CardFileError, match=r"mine\.json: byte 11 is not UTF-8 text: save the file"):
        load_cards(file)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(small()), "utf-8-sig")
    assert load_cards(file).name == "mine"


def test_a_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CardFileError, match=r"none\.json: cannot be read: No such file"):
        load_cards(tmp_path / "none.json")


def test_a_file_with_based_on_changes_its_cards_and_no_others() -> None:
    cards = parse_cards(json.dumps(small(vp=2)), "my.json")
    pairs = list(zip(load_cards("expansion").tribe, cards.tribe, strict=True))
    assert all(old.data["id"] == new.data["id"] for old, new in pairs)
    assert [new.data["id"] for old, new in pairs if old.data != new.data] == ["XW1"]
    kept = zip(load_cards("expansion").dunes, cards.dunes, strict=True)
    assert all(old.data == new.data for old, new in kept)


def test_a_file_with_based_on_may_replace_border_cards_and_the_goods() -> None:
    goods = [{"copies": 9, "gives": {"gold": 2}}]
    data = {**small(), "border": [{"no": 2, "card": "caravan"}], "goods": goods}
    rules = ruleset("expansion", expansion=parse_cards(json.dumps(data), "my.json"))
    assert [card.text("card") for card in rules.cards["border"]][:3] == ["noble", "caravan", "goods"]
    assert [dict(card.data) for card in rules.cards["goods"]][-1:] == goods


def test_a_file_with_based_on_cannot_add_or_rename_a_card() -> None:
    words = refusal(small(id="XW99"))
    assert words.startswith("my.json: tribe card XW99: there is none in expansion to change; it has XC1, XC2")
    assert "'based_on' is \"chess\"; allowed: base, expansion" in refusal({**small(), "based_on": "chess"})


def test_a_file_with_based_on_keeps_nine_of_a_symbol() -> None:
    assert "10 tribe cards have the symbol oasis; allowed: 9" in refusal(small(symbol="oasis"))


WATER = ("2water", "3water", "4water")
"""How goods cards of the expansion begin."""


def example() -> Ruleset:
    return ruleset("expansion", expansion=load_cards(EXAMPLE))


def test_the_example_changes_three_cards() -> None:
    before, after = ruleset("expansion").cards["tribe"], example().cards["tribe"]
    differing = [
        new.text("id") for old, new in zip(before, after, strict=True) if old.data["cost"] != new.data["cost"]
    ]
    assert differing == ["XC1", "XT9", "XW1"]
    assert len(EXAMPLE.read_text("utf-8").splitlines()) < 40


def played(rules: Ruleset, game: int) -> Record:
    rng = random.Random(game)
    seed = rng.randbytes(32)
    state = new_game(rules, seed)
    actions: list[int] = []
    while not state.is_over:
        actions.append(rng.choice(state.legal_actions()))
        state.apply(actions[-1])
    return Record.of_game(rules, seed, None, actions)


def test_the_example_is_played_and_its_records_want_its_cards() -> None:
    rules = example()
    laid: set[str] = set()
    for game in range(40):
        record = Record.parse(played(rules, game).text())
        assert record.tags["Cards"] == rules.cards_hash != ruleset("expansion").cards_hash
        verify(record, rules)
        *_, end = record.states(rules)
        view = end.observation(None)
        laid |= {card for player in view.players for row in player.display for card in row}
    assert {"XC1", "XT9", "XW1"} <= laid
    with pytest.raises(RecordVersionError) as caught:
        verify(record)
    assert rules.cards_hash in str(caught.value)
    assert ruleset("expansion").cards_hash in str(caught.value)


def test_house_cards_are_those_whose_source_says_so() -> None:
    assert not house_cards(ruleset("base"))
    assert not house_border(ruleset("base"))
    house = house_cards(ruleset("mixed"))
    assert {"XC1", "XC5", "D1", "D10:oasis", "3water"} <= house
    assert not {"C1", "K9", "2dates"} & house
    assert house_border(ruleset("mixed")) == {1, 4, 5, 8, 9, 10, 12, 13, 14}
    assert "XW1" in house
    assert "XW1" not in house_cards(example())


def test_a_log_marks_house_cards_and_names_files_of_ones_own() -> None:
    lines = list(show(played(ruleset("mixed"), 3)))
    assert lines[1].startswith("* house card")
    cells = [line.partition("centre ")[2].split() for line in lines if line.startswith("Round ")]
    names = {cell for row in cells for cell in row}
    assert any(name.startswith("X") for name in names)
    assert all(name.endswith("*") == name.startswith(("X", *WATER)) for name in names)
    rules = example()
    lines = list(show(played(rules, 3), rules))
    assert lines[2] == f"cards of one's own: base.json and {EXAMPLE}"
    assert not any("*" in line or "own" in line for line in show(played(ruleset("base"), 3)))
