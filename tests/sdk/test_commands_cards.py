"""`targi cards`, and `--cards` of the commands that play and replay."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from targi_engine import Record, load_cards, ruleset
from targi_sdk.cards.own import CardFile, OwnCards
from targi_sdk.cli import main

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = str(ROOT / "engine" / "examples" / "three_cards.json")
WHOLE = ROOT / "engine" / "targi_engine" / "data"
RULES = ruleset("expansion", expansion=load_cards(EXAMPLE))
FACE = {"id": "C1", "symbol": "camel_rider", "vp": 1, "cost": [{"gold": 1}], "kind": "plain", "effect": None}


def written(path: Path, **data: object) -> str:
    path.write_text(json.dumps({"set": "mine", **data}), "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("name", "tribe", "dunes"), [("base", 45, 0), ("expansion", 45, 10), ("mixed", 90, 10)]
)
def test_show_lists_the_cards_in_play(name: str, tribe: int, dunes: int, capsys: Captured) -> None:
    assert main(["cards", "show", name, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (len(document["tribe"]), len(document["dunes"]), len(document["border"])) == (tribe, dunes, 16)
    assert document["hashes"] == {name: ruleset(name).cards_hash}


def test_show_tells_costs_and_effects_in_words(capsys: Captured) -> None:
    assert main(["cards", "show"]) == 0
    lines = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
    rows = {line[0]: [cell.strip() for cell in line if cell.strip()] for line in lines}
    assert rows["T6"][1:4] == ["targia", "1", "1 date + 2 salt or 1 gold"]
    assert rows["T6"][4:] == [
        "permanent",
        "always: targia cards laid after it cost 1 of their goods less",
        "published",
    ]


def test_show_marks_house_cards_and_says_what_the_mark_means(capsys: Captured) -> None:
    assert main(["cards", "show", "mixed"]) == 0
    printed = capsys.readouterr().out
    names = [line.split()[0] for line in printed.splitlines() if line]
    assert "C1" in names
    assert {"XC1*", "XC5*", "D10*"} <= set(names)
    assert "XC1" not in names
    assert "\n* house card: " in printed
    assert main(["cards", "show", "base"]) == 0
    assert "*" not in capsys.readouterr().out


def test_show_of_a_file_names_it_where_a_face_is_from_it(capsys: Captured) -> None:
    assert main(["cards", "show", EXAMPLE]) == 0
    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines() if line.endswith(EXAMPLE)] == [
        "XC1",
        "XT9",
        "XW1",
    ]
    assert f"card set of expansion: {RULES.cards_hash}\n" in printed


def test_check_tells_what_a_file_brings_and_the_hashes_with_it(capsys: Captured) -> None:
    assert main(["cards", "check", EXAMPLE, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["cards"] == {"tribe": 3, "goods": 0, "border": 0, "dunes": 0}
    assert document["hashes"]["expansion"] == RULES.cards_hash
    assert set(document["hashes"]) == {"expansion", "mixed"}
    assert main(["cards", "check", EXAMPLE]) == 0
    assert capsys.readouterr().out.startswith(f"{EXAMPLE}: allowed, cards of its own: tribe 3\n")


def test_check_tells_which_rulesets_a_file_does_not_fit(tmp_path: Path, capsys: Captured) -> None:
    wet = {**FACE, "cost": [{"water": 2}]}
    file = written(tmp_path / "mine.json", based_on="base", tribe=[wet])
    assert main(["cards", "check", file]) == 0
    printed = capsys.readouterr().out
    assert "card set of mixed: " in printed
    assert f"not for base: {file}: tribe card C1: field 'cost'" in printed


def test_check_of_a_wrong_file_fails_in_words(tmp_path: Path, capsys: Captured) -> None:
    file = written(tmp_path / "mine.json", based_on="base", tribe=[{**FACE, "vp": 99}])
    assert main(["cards", "check", file]) == 1
    message = capsys.readouterr().err
    assert (
        message == f"targi: {file}: tribe card C1: field 'vp' is 99; allowed: a whole number from 0 to 12\n"
    )


def test_check_of_a_file_that_no_ruleset_can_use_gives_each_reason(tmp_path: Path, capsys: Captured) -> None:
    gain = {"kind": "gain_per", "what": "goods", "per": 1, "get": {"goods_of_choice": 12}}
    cards = [{**card.data, "kind": "immediate", "effect": gain} for card in load_cards("expansion").tribe]
    file = written(tmp_path / "mine.json", based_on="expansion", tribe=cards)
    assert main(["cards", "check", file]) == 1
    message = capsys.readouterr().err
    assert message.startswith(
        f"targi: no ruleset can use {file}: expansion: base.json and {file}: a game of "
    )
    assert "give less there; mixed: " in message


@pytest.mark.parametrize("name", ["base", "expansion", "mixed"])
def test_the_name_of_a_whole_set_does_not_say_where_it_is_played(
    name: str, tmp_path: Path, capsys: Captured
) -> None:
    """A set called "base" is a set like any other."""
    sections = load_cards("expansion").sections()
    cards = {section: [dict(card.data) for card in found] for section, found in sections.items()}
    file = written(tmp_path / "mine.json", **{**cards, "set": name})
    assert main(["cards", "check", file, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["hashes"] == {name: ruleset(name).cards_hash for name in ("expansion", "mixed")}
    assert list(document["refused"]) == ["base"]


def test_check_of_a_file_that_is_missing_fails(tmp_path: Path, capsys: Captured) -> None:
    assert main(["cards", "check", str(tmp_path / "none.json")]) == 1
    assert "none.json: cannot be read: No such file or directory" in capsys.readouterr().err


def test_diff_tells_what_a_file_changes_in_play(capsys: Captured) -> None:
    assert main(["cards", "diff", EXAMPLE, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    changed = {
        (each["card"], each["field"]): (each["before"], each["after"]) for each in document["differences"]
    }
    assert {card for card, _ in changed} == {"XC1", "XT9", "XW1"}
    assert changed["XC1", "cost"] == ("1 date + 1 gold", "1 date + 1 pepper + 1 gold or 4 water")
    assert changed["XT9", "optional"] == ("2 salt for 2 VP", "1 date for 1 VP")
    assert changed["XW1", "effect"] == ("when laid: take 4 water", "-")
    assert main(["cards", "diff", EXAMPLE, "mixed"]) == 0
    assert capsys.readouterr().out.split("\n")[0].split() == ["section", "card", "field", "mixed", EXAMPLE]


def test_diff_of_two_files_tells_cards_that_one_lacks_and_another_order(
    tmp_path: Path, capsys: Captured
) -> None:
    old = json.loads((WHOLE / "expansion.json").read_text("utf-8"))
    new = {
        **old,
        "dunes": old["dunes"][1:],
        "goods": [{"copies": 9, "gives": {"gold": 2}}, *old["goods"][1:]],
    }
    new["tribe"] = [*old["tribe"][1:], old["tribe"][0]]
    new["border"] = [{**card, "text": "other words"} for card in old["border"]]
    first, second = written(tmp_path / "old.json", **old), written(tmp_path / "new.json", **new)
    assert main(["cards", "diff", second, first, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    found = [
        (each["section"], each["card"], each["before"], each["after"]) for each in document["differences"]
    ]
    assert ("dunes", "D1", "there", "-") in found
    assert ("goods", "3 water", "there", "-") in found
    assert ("goods", "2 gold", "-", "there") in found
    assert [each["field"] for each in document["differences"]].count("order before shuffling") == 1
    assert document["words_only"] == 10


def test_diff_of_equal_sets_says_so(tmp_path: Path, capsys: Captured) -> None:
    data = json.loads((WHOLE / "expansion.json").read_text("utf-8"))
    data["tribe"][0]["text"] = "other words"
    assert main(["cards", "diff", written(tmp_path / "mine.json", **data)]) == 0
    assert capsys.readouterr().out == "no difference in play\n1 more cards differ in words only\n"


def test_diff_with_a_ruleset_that_does_not_play_the_set_is_wrong_usage(capsys: Captured) -> None:
    assert main(["cards", "diff", EXAMPLE, "base"]) == 2
    assert "takes the place of expansion, of which base plays no cards" in capsys.readouterr().err


def test_schema_prints_a_schema_that_allows_the_example(capsys: Captured) -> None:
    assert main(["cards", "schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.validate(json.loads(Path(EXAMPLE).read_text("utf-8")), schema)


def play(out: Path, *arguments: str) -> int:
    return main(["play", "random", "builder", "--seed", "7", "--out", str(out), *arguments])


def test_a_file_is_played_and_its_records_are_replayed_with_it_only(tmp_path: Path, capsys: Captured) -> None:
    cards = ("--cards", EXAMPLE)
    assert play(tmp_path, "--ruleset", "expansion", "--games", "2", "--jobs", "2", "--coverage", *cards) == 0
    assert f"cards of one's own, card set {RULES.cards_hash}\n" in capsys.readouterr().out
    record = tmp_path / "000001.targi"
    assert Record.parse(record.read_text()).tags["Cards"] == RULES.cards_hash
    for command in (["record", "verify"], ["record", "show"], ["trace"]):
        assert main([*command, *cards, str(record)]) == 0
        capsys.readouterr()
        assert main([*command, str(record)]) == 1
        printed = capsys.readouterr()
        assert RULES.cards_hash in printed.out + printed.err
        assert ruleset("expansion").cards_hash in printed.out + printed.err


def test_a_record_of_the_packaged_cards_is_refused_with_others(tmp_path: Path, capsys: Captured) -> None:
    assert play(tmp_path, "--ruleset", "expansion", "--games", "1") == 0
    assert main(["record", "verify", "--cards", EXAMPLE, str(tmp_path / "000001.targi")]) == 1
    words = capsys.readouterr().out
    assert RULES.cards_hash in words
    assert ruleset("expansion").cards_hash in words


def test_a_file_takes_the_place_that_is_named(tmp_path: Path) -> None:
    base = written(
        tmp_path / "mine.json", **{**json.loads((WHOLE / "base.json").read_text("utf-8")), "set": "m"}
    )
    assert play(tmp_path / "a", "--games", "1", "--cards", base) == 0
    assert play(tmp_path / "b", "--games", "1", "--ruleset", "mixed", "--cards", f"base={base}") == 0
    for place, name in (("a", "base"), ("b", "mixed")):
        tags = Record.parse((tmp_path / place / "000001.targi").read_text()).tags
        assert tags["Cards"] == ruleset(name).cards_hash


def test_a_file_may_be_changed_while_it_is_played(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    file = CardFile.read(written(path, based_on="base", tribe=[FACE]))
    path.unlink()
    rules = OwnCards(base=file).ruleset("base")
    assert rules.catalog.vp[rules.catalog.names.index("C1")] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--ruleset", "base", "--cards", EXAMPLE],
            "takes the place of expansion, of which base plays no cards",
        ),
        (["--ruleset", "mixed", "--cards", EXAMPLE, "--cards", EXAMPLE], "both take the place of expansion"),
    ],
)
def test_a_file_without_a_place_is_wrong_usage(
    arguments: list[str], words: str, tmp_path: Path, capsys: Captured
) -> None:
    assert play(tmp_path, *arguments) == 2
    assert words in capsys.readouterr().err


def test_a_file_that_is_wrong_stops_the_series_before_its_first_game(
    tmp_path: Path, capsys: Captured
) -> None:
    file = written(tmp_path / "mine.json", based_on="base", tribe=[{**FACE, "symbol": "moon"}])
    assert play(tmp_path / "out", "--cards", file) == 1
    assert capsys.readouterr().err.startswith(f"targi: {file}: tribe card C1: field 'symbol'")
    assert not (tmp_path / "out").exists()
