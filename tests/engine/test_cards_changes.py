"""Card files that hold only what they change in a packaged set."""

from __future__ import annotations

import json

import pytest
from targi_engine import CardFileError, CardSet, load_cards, new_game, parse_cards, ruleset

SECTIONS = ("tribe", "goods", "border", "dunes")


def parsed(basis: str, **sections: list[dict[str, object]]) -> CardSet:
    return parse_cards(json.dumps({"set": "mine", "based_on": basis, **sections}), "my.json")


def face(basis: str, section: str, name: object, **values: object) -> dict[str, object]:
    """A packaged card with other values."""
    cards = load_cards(basis).sections()[section]
    return {
        **next(card.data for card in cards if name in (card.data.get("id"), card.data.get("no"))),
        **values,
    }


@pytest.mark.parametrize(
    ("basis", "section", "name"), [("base", "tribe", "C3"), ("expansion", "dunes", "D1")]
)
def test_a_changed_card_takes_its_own_place(basis: str, section: str, name: str) -> None:
    field = {"tribe": "vp", "dunes": "copies"}[section]
    mine = parsed(basis, **{section: [face(basis, section, name, **{field: 3})]})
    before, after = load_cards(basis).sections(), mine.sections()
    assert [card.data["id"] for card in after[section]] == [card.data["id"] for card in before[section]]
    assert [card.data["id"] for card in after[section] if card.data[field] == 3].count(name) == 1
    assert all(
        after[other] == before[other]
        or [card.data for card in after[other]] == [card.data for card in before[other]]
        for other in SECTIONS
        if other != section
    )
    new_game(ruleset(basis, base=mine) if basis == "base" else ruleset(basis, expansion=mine), bytes(32))


@pytest.mark.parametrize(("section", "name"), [("tribe", "XC1"), ("dunes", "D1")])
def test_a_card_that_the_basis_does_not_have_is_refused_with_those_that_it_has(
    section: str, name: str
) -> None:
    card = face("expansion", section, name, id="Q7")
    with pytest.raises(CardFileError, match=rf"my\.json: {section} card Q7: there is none in .*{name}"):
        parsed("expansion", **{section: [card]})


def test_a_border_card_may_come_in_addition() -> None:
    """The expansion's set holds the border cards that it changes; one's own may change others."""
    before = {card.data["no"] for card in load_cards("expansion").sections()["border"]}
    number = next(no for no in range(1, 17) if no not in before and no not in (4, 8, 12, 16))
    card = face("base", "border", number)
    after = {entry.data["no"] for entry in parsed("expansion", border=[card]).sections()["border"]}
    assert after == before | {number}
