"""`targi record`, `trace`, `actions`, `perft` and `version`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from targi_bots.builder import BuilderBot
from targi_engine import ACTIONS, new_game, perft, ruleset
from targi_sdk.arena import Game, Player, play_match
from targi_sdk.cli import main
from targi_sdk.recordfile import RecordFileError, read_record, write_record

Captured = pytest.CaptureFixture[str]
SEED = bytes(range(32))


@pytest.fixture(scope="module")
def text() -> str:
    """A game between two builders, as text."""
    players = Player(BuilderBot(), "ada"), Player(BuilderBot(), "bob")
    return play_match(Game(ruleset("base"), SEED), players).record.text()


@pytest.fixture
def record(text: str, tmp_path: Path) -> Path:
    path = tmp_path / "game.targi"
    write_record(path, text)
    return path


def test_show_prints_a_log_that_begins_with_the_bots_and_ends_with_the_sums(
    record: Path, capsys: Captured
) -> None:
    assert main(["record", "show", str(record)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "base: ada 1.0 - bob 1.0"
    assert lines[-1].startswith("  seat 1: ")
    assert sum(line.startswith("Round ") for line in lines) >= 5


def test_show_as_json_holds_the_tags_and_the_log(record: Path, capsys: Captured) -> None:
    assert main(["record", "show", "--json", str(record)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["tags"]["Seat0"] == "ada 1.0"
    assert document["log"][0] == "base: ada 1.0 - bob 1.0"


def test_verify_praises_a_true_record(record: Path, text: str, capsys: Captured) -> None:
    assert main(["record", "verify", str(record)]) == 0
    line = capsys.readouterr().out
    assert line.startswith(f"{record}: ok, base, ")
    score = next(line for line in text.splitlines() if line.startswith("[Score")).split('"')[1]
    assert f"score {score}\n" in line


def test_a_record_may_begin_with_a_byte_order_mark(record: Path, text: str, capsys: Captured) -> None:
    record.write_text(text, encoding="utf-8-sig")
    assert main(["record", "verify", str(record)]) == 0
    assert capsys.readouterr().err == ""


def swap(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def first_action(text: str) -> str:
    return text[text.index("\n1. ") + 4 :].split()[0]


def other_score(text: str) -> str:
    score = text[text.index("[Score ") :].split("\n")[0]
    return swap(text, score, '[Score "99-98"]')


def early_end(text: str) -> str:
    score = text[text.index("[Score ") :].split("\n")[0]
    return swap(text[: text.index("\n5. ") + 1] + text.splitlines()[-1], score + "\n", "")


def other_result(text: str) -> str:
    old = text.rstrip().splitlines()[-1]
    return text.replace(old, "1-0" if old == "0-1" else "0-1")


BAD_RECORDS: dict[str, tuple[Callable[[str], str], str]] = {
    "the hash of other cards": (lambda text: swap(text, '[Cards "', '[Cards "0'), "Cards is '0393372d"),
    "another seed": (lambda text: swap(text, SEED.hex(), SEED[::-1].hex()), "ply"),
    "no seed": (lambda text: swap(text, f'[Seed "{SEED.hex()}"]\n', ""), "the tag Seed is missing"),
    "a short seed": (lambda text: swap(text, SEED.hex(), "00"), "64 hex digits"),
    "an illegal action": (lambda text: swap(text, f" {first_action(text)} ", " end "), "ply 0: "),
    "an unknown action": (lambda text: swap(text, f" {first_action(text)} ", " @16 "), "'@16' is no action"),
    "a wrong score": (other_score, "Score is '99-98'"),
    "a wrong result": (other_result, "Result is"),
    "a wrong culprit": (lambda text: swap(text, '[Culprit "none"]', '[Culprit "0"]'), "Culprit is '0'"),
    "an early end": (early_end, "the game is not over"),
    "no result at its end": (lambda text: text.rstrip().rsplit("\n", 1)[0], "no result stands at its end"),
    "other rules": (lambda text: swap(text, '[Rules "1"]', '[Rules "999"]'), "rules version 999"),
    "another format": (lambda text: swap(text, "targi-record 1", "targi-record 9"), "targi-record 9"),
    "an unknown ruleset": (lambda text: swap(text, '[Ruleset "base"]', '[Ruleset "chess"]'), "chess"),
    "an open comment": (lambda text: swap(text, f" {first_action(text)} ", " { "), "comment is not closed"),
    "no record at all": (lambda text: "a shopping list\n", "line 1 is no tag"),
    "nothing": (lambda text: "", "the tag Format is missing"),
}


@pytest.mark.parametrize("fault", BAD_RECORDS)
def test_verify_finds(fault: str, text: str, tmp_path: Path, capsys: Captured) -> None:
    spoil, words = BAD_RECORDS[fault]
    path = tmp_path / "bad.targi"
    path.write_text(spoil(text), newline="\n")
    assert main(["record", "verify", str(path)]) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith(f"{path}: ")
    assert words in printed.out
    assert printed.err == ""


def test_verify_reports_every_file_of_several(record: Path, tmp_path: Path, capsys: Captured) -> None:
    missing = tmp_path / "missing.targi"
    assert main(["record", "verify", "--json", str(record), str(missing)]) == 1
    reports = json.loads(capsys.readouterr().out)
    assert [report["ok"] for report in reports] == [True, False]
    assert reports[1] == {"file": str(missing), "ok": False, "words": "No such file or directory"}


@pytest.mark.parametrize("command", [["record", "show"], ["trace"]])
def test_a_record_that_does_not_replay_is_said_in_words(
    command: list[str], text: str, tmp_path: Path, capsys: Captured
) -> None:
    path = tmp_path / "bad.targi"
    path.write_text(swap(text, SEED.hex(), SEED[::-1].hex()))
    assert main([*command, str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"targi: {path}: ply ")


@pytest.mark.parametrize("command", [["record", "show"], ["trace"]])
@pytest.mark.parametrize(
    ("content", "words"), [(None, "No such file"), (b"\xff\xfe", "byte 0 is not UTF-8"), (b"", "Format")]
)
def test_a_file_that_is_no_record_is_said_in_words(
    command: list[str], content: bytes | None, words: str, tmp_path: Path, capsys: Captured
) -> None:
    path = tmp_path / "bad.targi"
    if content is not None:
        path.write_bytes(content)
    assert main([*command, str(path)]) == 1
    message = capsys.readouterr().err
    assert message.startswith(f"targi: {path}: ")
    assert words in message


def test_trace_prints_one_object_a_decision_and_the_end(record: Path, capsys: Captured) -> None:
    assert main(["trace", str(record)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == len(read_record(record).actions) + 1
    assert (lines[0]["ply"], lines[0]["decision"], lines[0]["robber"]) == (0, "place", 1)
    assert set(lines[-1]) == {"result", "score", "breakdown"}


def test_actions_lists_ids_and_notation(capsys: Captured) -> None:
    assert main(["actions"]) == 0
    header, *rows = (line.split() for line in capsys.readouterr().out.splitlines())
    assert header == ["id", "action"]
    assert rows == [[str(number), name] for number, name in enumerate(ACTIONS)]


def test_actions_as_json_is_the_vocabulary(capsys: Captured) -> None:
    assert main(["actions", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["actions"] == list(ACTIONS)


def test_perft_counts_every_depth(capsys: Captured) -> None:
    assert main(["perft", "--ruleset", "base", "--seed", SEED.hex(), "--depth", "3", "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)
    start = new_game("base", SEED)
    assert counted == [{"depth": depth, "lines": perft(start, depth)} for depth in (1, 2, 3)]


def test_perft_counts_the_ruleset_and_variants_asked_for(capsys: Captured) -> None:
    arguments = ["--ruleset", "expansion", "--variants", "easy_start=yes", "--opening", "20" * 32]
    assert main(["perft", *arguments, "--seed", SEED.hex(), "--depth", "2"]) == 0
    start = new_game("expansion", SEED, bytes.fromhex("20" * 32), variants="easy_start=yes")
    rows = [line.split()[:2] for line in capsys.readouterr().out.splitlines()]
    assert rows == [["depth", "lines"], *([str(depth), str(perft(start, depth))] for depth in (1, 2))]


@pytest.mark.parametrize("option", ["--seed", "--opening"])
def test_a_text_that_is_no_seed_is_refused(option: str, capsys: Captured) -> None:
    assert main(["perft", option, "12"]) == 2
    assert "64 hexadecimal digits" in capsys.readouterr().err


def test_version_names_package_rules_and_engine(capsys: Captured) -> None:
    assert main(["version", "--json"]) == 0
    versions = json.loads(capsys.readouterr().out)
    assert versions["rules"] == 1
    assert versions["engine"] in ("pure", "compiled")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith(f"targi {versions['targi']} (rules 1, ")


def test_a_record_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "game.targi"
    target.mkdir()
    with pytest.raises(RecordFileError, match=str(target)):
        write_record(target, "text")
    assert [path.name for path in tmp_path.iterdir()] == ["game.targi"]


def test_a_record_can_be_read_by_others_as_the_umask_says(tmp_path: Path) -> None:
    plain, written = tmp_path / "plain", tmp_path / "written.targi"
    plain.write_text("text")
    write_record(written, "text")
    assert written.stat().st_mode == plain.stat().st_mode
