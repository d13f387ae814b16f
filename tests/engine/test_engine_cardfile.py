"""Card files: the packaged ones, one's own, and clear words for what is not allowed."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from targi_engine import (
    CardFileError,
    Record,
    RecordVersionError,
    effective_json,
    load_cards,
    new_game,
    parse_cards,
    playout,
    ruleset,
    verify,
)
from targi_engine.schema import PARAMS

Data = dict[str, Any]  # JSON that tests change freely
HASHES = {
    "base": "393372d49a22d51acd27faf79bd24f036c622a9b096691f8971b176535fa8a84",
    "expansion": "5dbe26022dbb86c90d6f51ddbd2332cbb75347175333fb4386a4d04ff1829ef4",
    "mixed": "444bc4feba24cf1ffb5130cba4395299d95446438ddbd45645af12f550426ec7",
}


def packaged(name: str) -> Data:
    cards = load_cards(name)
    sections = {key: [dict(card.data) for card in getattr(cards, key)] for key in SECTIONS}
    return {"set": name, **copy.deepcopy(sections)}


SECTIONS = ("tribe", "goods", "border", "dunes")


def card(data: Data, name: str | int) -> Data:
    cards = [*data["tribe"], *data["dunes"], *data["border"]]
    found: Data = next(one for one in cards if name in (one.get("id"), one.get("no")))
    return found


def loaded(data: Data) -> None:
    parse_cards(json.dumps(data), "my.json")


@pytest.mark.parametrize("name", HASHES)
def test_the_effective_cards_have_the_published_hash(name: str) -> None:
    assert ruleset(name).cards_hash == HASHES[name]


def test_words_and_sources_are_no_part_of_the_hash() -> None:
    data = packaged("expansion")
    for one in data["tribe"]:
        one["text"] = "other words"
        one["source"] = "somewhere"
    data["note"] = "a note"
    changed = ruleset("expansion", expansion=parse_cards(json.dumps(data), "my.json"))
    assert changed.cards_hash == HASHES["expansion"]
    assert b"other words" not in effective_json(changed)


def test_variants_of_the_border_change_the_hash() -> None:
    assert ruleset("mixed", "border.13=base").cards_hash != HASHES["mixed"]


@pytest.mark.parametrize("name", ["base", "expansion"])
def test_every_card_says_where_its_face_is_from(name: str) -> None:
    cards = load_cards(name)
    sources = {entry.data["source"] for key in SECTIONS for entry in getattr(cards, key)}
    assert sources <= {"published", "house", "part house"}
    assert name == "expansion" or sources == {"published"}


def set_in(name: str | int, *path: str | int, to: object) -> Callable[[Data], None]:
    """Set a field inside a card."""

    def change(data: Data) -> None:
        place: Any = card(data, name)
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return change


def drop(name: str | int, *path: str | int) -> Callable[[Data], None]:
    """Take a field out of a card."""

    def change(data: Data) -> None:
        place: Any = card(data, name)
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return change


FAULTS: tuple[tuple[Callable[[Data], None], str, str], ...] = (
    (
        set_in("XC1", "effect", "kind", to="fly"),
        "XC1: effect",
        '"fly"; allowed: with a card of kind immediate: gain, gain_per',
    ),
    (set_in("XC1", "effect", "kind", to="limit"), "XC1: effect", "kind immediate: gain, gain_per"),
    (set_in("XC1", "effect", "speed", to=1), "XC1: effect", "'speed' is unknown; allowed: kind, cards, keep"),
    (drop("XC1", "effect", "keep"), "XC1: effect", "'keep' is missing; fields: kind, cards, keep"),
    (
        set_in("XC1", "effect", "cards", to=4),
        "XC1: effect",
        "'cards' is 4; allowed: a whole number from 1 to 3",
    ),
    (
        set_in("XC1", "effect", "keep", to=0),
        "XC1: effect",
        "'keep' is 0; allowed: a whole number from 1 to 2",
    ),
    (set_in("XC2", "effect", "leaves", to=1), "XC2: effect", "'leaves' is 1; allowed: true, false"),
    (set_in("XC3", "effect", "on", to="row"), "XC3: effect", "allowed: symbol, noble, good"),
    (set_in("XC3", "effect", "on", to="noble"), "XC3: effect", "'good' is unknown; allowed: kind, on, goods"),
    (set_in("XC3", "effect", "good", to="gold"), "XC3: effect", "allowed: dates, salt, pepper"),
    (set_in("XC3", "effect", "goods", to=3), "XC3: effect", "from 1 to 2"),
    (set_in("XC4", "effect", "get", to={"rubies": 1}), "XC4: effect", "an object of dates, salt, pepper"),
    (set_in("XC4", "effect", "get", to={}), "XC4: effect", "counts from 1 to 12"),
    (set_in("XC4", "effect", "get", to={"dates": 13}), "XC4: effect", "counts from 1 to 12"),
    (set_in("XC7", "effect", "what", to="cards_of_vp:2"), "XC7: effect", "cards_of_vp:1"),
    (set_in("XC7", "effect", "per", to=0), "XC7: effect", "from 1 to 12"),
    (set_in("XC7", "effect", "vp", to=5), "XC7: effect", "from 1 to 4"),
    (set_in("XK5", "effect", "amount", to=10), "XK5: effect", "from 11 to 30"),
    (set_in("XT5", "effect", "amount", to=3), "XT5: effect", "from 2 to 2"),
    (set_in("XW2", "effect", "offers", to=[]), "XW2: effect", "a list of some of"),
    (set_in("XW2", "effect", "offers", 0, "get", to={"vp": 9}), "XW2: effect", "a list of some of"),
    (set_in("XW7", "effect", "water", to=3), "XW7: effect", "from 2 to 2"),
    (set_in("XK8", "effect", "test", to="rich"), "XK8: effect", "more_cards, last_of_full_row"),
    (set_in("D10", "effect", "pay", to={"any_goods": 7}), "D10: effect", '{"any_goods": 6}'),
    (set_in("D1", "effect", "kind", to="arrange"), "D1: effect", "with a card of kind dune"),
    (set_in("D1", "kind", to="immediate"), "dunes card D1", "allowed: dune"),
    (set_in("D1", "copies", to=0), "dunes card D1", "'copies' is 0"),
    (set_in("XC1", "kind", to="dune"), "tribe card XC1", "allowed: plain, immediate"),
    (set_in("XC1", "kind", to="plain"), "tribe card XC1", "null, for a card of kind plain"),
    (set_in("XC1", "effect", to=None), "tribe card XC1", "'effect' is null; allowed: an object"),
    (set_in("XC1", "symbol", to="moon"), "tribe card XC1", "allowed: camel_rider, targia, oasis"),
    (set_in("XC1", "vp", to="1"), "tribe card XC1", "'vp' is \"1\""),
    (set_in("XC1", "vp", to=True), "tribe card XC1", "'vp' is true"),
    (set_in("XC1", "price", to=1), "tribe card XC1", "'price' is unknown; allowed: id, symbol"),
    (set_in("XC1", "cost", to=[]), "tribe card XC1", "one or two alternatives"),
    (set_in("XC1", "cost", 0, "vp", to=1), "XC1: cost 1", "'vp' is unknown"),
    (set_in("XC1", "cost", 0, "gold", to=-1), "tribe card XC1", "counts from 1 to 12"),
    (set_in("XC2", "optional", "pay", to={"gold": 1}), "XC2: optional", "dates, salt, pepper"),
    (set_in("XC1", "id", to=""), "tribe", "'id' is \"\"; allowed: a text"),
    (
        set_in("XC1", "cost", 0, "gold", to=4),
        "tribe card XC1",
        "at most 3 gold, as many as a player may keep",
    ),
    (set_in("XC1", "id", to="X C1"), "tribe card X C1", "a letter, then letters"),
    (
        set_in("XC1", "id", to="XC2"),
        "tribe card XC2",
        "'id' is \"XC2\"; allowed: an id that no other card has; this one is there twice",
    ),
    (
        set_in("D1", "id", to="XC2"),
        "dunes card XC2",
        "allowed: an id that no other card has; this one is there also on my.json: tribe card XC2",
    ),
    (drop("XC1", "vp"), "tribe card XC1", "'vp' is missing"),
    (
        set_in("XC1", "symbol", to="oasis"),
        "tribe card XC1, XO1, XO2",
        "'symbol' is \"oasis\" on 10 cards of the set; allowed: 9 of each symbol, and there are too few of "
        "camel_rider (8)",
    ),
    (
        lambda data: data["tribe"].pop(),
        "my.json",
        "'tribe' has 44 cards, too few of camp (8); allowed: 45 cards, nine of each symbol",
    ),
    (lambda data: data["tribe"].clear(), "my.json", "'tribe' has 0 cards"),
    (
        set_in("XO2", "effect", to={"kind": "gain_per", "what": "cards", "pre": 2, "get": {"vp": 1}}),
        "XO2: effect",
        "'pre' is unknown; allowed: kind, what, per, get",
    ),
    (
        set_in("XC3", "effect", to={"kind": "discount", "om": "good", "good": "salt", "goods": 1}),
        "XC3: effect",
        "'om' is unknown; allowed: kind, on, goods, symbol, good",
    ),
    (
        set_in("XC1", "cost", to=[{"gold": 1}, {"gold": 1}]),
        "tribe card XC1",
        "allowed: one alternative, or two that differ",
    ),
    (set_in(4, "demand", to=[{"dates": 1, "gold": 1}, {"vp": 1}]), "border card 4", "two alternatives"),
    (set_in(4, "demand", to=[{"dates": 1}]), "border card 4", "two alternatives"),
    (
        set_in(4, "demand", to=[{"dates": 1}, {"vp": 1, "rightmost_tribe_card": 1}]),
        "card 4",
        "two alternatives",
    ),
    (set_in(4, "card", to="noble"), "border card 4", "allowed: raid"),
    (set_in(5, "card", to="raid"), "border card 5", "allowed: noble, goods, trader"),
    (set_in(5, "rates", to=[]), "border card 5", "equal_goods"),
    (set_in(9, "reach", to="far"), "border card 9", "orthogonally adjacent"),
    (set_in(13, "gives", to={"sand": 1}), "border card 13", "counts from 1 to 12"),
    (set_in(14, "reject_cost", to={"water": 2}), "border card 14", '{"water": 1}'),
    (set_in(14, "no", to=13), "border card 13", "one border card for a number; this one is there twice"),
    (set_in(14, "no", to=17), "border card 17", "from 1 to 16"),
    (lambda data: data["goods"][0].update(gives={"any_goods": 1}), "goods entry 1", "goods_of_choice"),
    (lambda data: data["goods"][0].update(choose_one_of=[]), "goods entry 1", "'gives' is unknown"),
    (lambda data: data.update(dunes={}), "my.json", "'dunes' is {}; allowed: a list of objects"),
    (
        lambda data: data.update(spells=[]),
        "my.json",
        "'spells' is unknown; allowed: set, note, based_on, tribe",
    ),
    (lambda data: data.pop("set"), "my.json", "'set' is missing"),
)


@pytest.mark.parametrize(("change", "where", "words"), FAULTS, ids=[f"{w}: {x}" for _, w, x in FAULTS])
def test_a_value_that_is_not_allowed_is_named(change: Callable[[Data], None], where: str, words: str) -> None:
    data = packaged("expansion")
    change(data)
    with pytest.raises(CardFileError) as caught:
        loaded(data)
    assert str(caught.value).startswith("my.json")
    assert where in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "{", "12"])
def test_a_text_that_is_no_card_file_is_refused(text: str) -> None:
    with pytest.raises(CardFileError, match=r"my\.json: "):
        parse_cards(text, "my.json")


def test_a_slip_in_the_json_is_shown_with_its_line() -> None:
    with pytest.raises(CardFileError, match=r"my\.json: line 4, column 1: .*too many: }$"):
        parse_cards('{"set": "mine",\n "goods": [],\n "tribe": [],\n}', "my.json")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CardFileError, match=r"none\.json: cannot be read"):
        load_cards(tmp_path / "none.json")


def test_card_sets_that_do_not_make_a_ruleset_are_refused() -> None:
    with pytest.raises(CardFileError, match="border cards"):
        ruleset("base", base=load_cards("expansion"))
    with pytest.raises(CardFileError, match=r"card C1: field 'id' is \"C1\"; allowed: an id that no other"):
        ruleset("mixed", expansion=load_cards("base"))


def test_a_dune_may_lie_in_the_deck_once() -> None:
    data = packaged("expansion")
    fewer = card(data, "D1")["copies"] - 1
    card(data, "D1")["copies"] = 1
    rules = ruleset("expansion", expansion=parse_cards(json.dumps(data), "my.json"))
    mine, packed = (new_game(rule, bytes(32)).dunes.left() for rule in (rules, "expansion"))
    assert packed - mine == fewer > 0


def test_cards_of_ones_own_are_played(tmp_path: Path) -> None:
    data = packaged("expansion")
    data["set"] = "mine"
    effects = {
        "XC1": {
            "kind": "exchange",
            "offers": [{"pay": {"water": 2}, "get": {"vp": 2}}, {"pay": {"water": 2}, "get": {"vp": 1}}],
            "times": 9,
            "optional": False,
        },
        "XT1": {"kind": "play_hand_now", "goods_less": 3, "optional": False},
        "XO1": {"kind": "gain_centre_card", "leaves": True},
        "XW1": {"kind": "arrange", "moves": True},
        "XK1": {"kind": "reveal", "cards": 3, "keep": 2},
        "XK6": {"kind": "free_border_card", "get": {"gold": 1, "goods_of_choice": 2}},
        "XC4": {"kind": "play_hand", "extra_goods": 0},
        "XC5": {"kind": "stored_gold", "gold": 1},
    }
    for name, effect in effects.items():
        card(data, name)["effect"] = effect
    card(data, "XC5")["kind"] = "stored"
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(data), "utf-8")
    rules = ruleset("mixed", expansion=load_cards(file))
    rng = random.Random(1)
    for _ in range(25):
        state = new_game(rules, rng.randbytes(32))
        state = pickle.loads(pickle.dumps(state))
        assert state.ruleset == rules
        actions: list[int] = []
        seed = state.seed
        while not state.is_over:
            actions.append(rng.choice(state.legal_actions()))
            state.apply(actions[-1])
        record = Record.of_game(rules, seed, None, actions)
        assert verify(Record.parse(record.text()), rules).outcome == state.outcome()
    with pytest.raises(RecordVersionError, match="Cards is"):
        verify(record)


def test_every_kind_of_effect_stands_on_a_packaged_card() -> None:
    rules = ruleset("mixed")
    assert set(rules.catalog.effect_kinds) - {""} == set(PARAMS)
    assert playout(new_game(rules, bytes(32)), random.Random(1)) > 100
