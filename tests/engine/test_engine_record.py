"""Records: written, read back, verified, and refused in words where something is wrong."""

from __future__ import annotations

import pickle
import random
import re
from collections.abc import Callable

import pytest
from targi_engine import (
    Record,
    RecordActionError,
    RecordError,
    RecordResultError,
    RecordSyntaxError,
    RecordVersionError,
    Ruleset,
    action_id,
    action_name,
    new_game,
    replay,
    ruleset,
    show,
    trace,
    verify,
)

SEED = bytes(range(32))


def random_actions(rules: Ruleset, opening: bytes | None = None, limit: int = 4000) -> list[int]:
    rng = random.Random(11)
    state = new_game(rules, SEED, opening)
    actions: list[int] = []
    while not state.is_over and len(actions) < limit:
        actions.append(rng.choice(state.legal_actions()))
        state.apply(actions[-1])
    return actions


def finished(name: str = "base", opening: bytes | None = None) -> Record:
    rules = ruleset(name)
    return Record.of_game(rules, SEED, opening, random_actions(rules, opening))


@pytest.mark.parametrize("opening", [None, bytes(32)], ids=["without opening", "with opening"])
def test_a_game_becomes_a_record_and_comes_back(ruleset_name: str, opening: bytes | None) -> None:
    record = finished(ruleset_name, opening)
    again = Record.parse(record.text())
    assert (again.tags, again.actions, again.rounds) == (record.tags, record.actions, record.rounds)
    checked = verify(again)
    state = replay(ruleset_name, SEED, opening, [action for action, _ in again.actions])
    assert checked.over
    assert checked.plies == state.ply == len(again.actions)
    assert checked.outcome == state.outcome()
    assert again.result == state.outcome().result


def test_a_record_is_pickled() -> None:
    record = finished()
    assert pickle.loads(pickle.dumps(record)).text() == record.text()


def test_variants_and_further_tags_are_kept_in_order() -> None:
    rules = ruleset("expansion", {"unpayable_raid": "flat3", "easy_start": "yes"})
    tags = {"Seat1": "b", "Date": "2026-01-02", "Seat0": 'a "q" \\ {x}\ny'}
    record = Record.of_game(rules, SEED, None, random_actions(rules), tags=tags)
    again = Record.parse(record.text())
    assert again.tags["Variants"] == "easy_start=yes,unpayable_raid=flat3"
    assert {tag: again.tags[tag] for tag in tags} == tags
    assert list(again.tags)[-1] == "Date"
    assert list(again.tags).index("Seat0") < list(again.tags).index("Seat1")
    assert verify(again).ruleset is rules


def test_comments_stand_behind_their_actions_and_before_the_first() -> None:
    rules = ruleset("base")
    said = {-1: "begin", 0: "0.012", 1: 'odd {} "\\" text\nin two lines'}
    record = Record.of_game(rules, SEED, None, random_actions(rules), comments=said)
    again = Record.parse(record.text())
    assert again.opening_comment == "begin"
    assert "\n1. {begin} @" in record.text()
    assert [comment for _, comment in again.actions[:3]] == [said[0], said[1], None]
    assert again.text() == record.text()


@pytest.mark.parametrize(
    ("termination", "culprit", "result"),
    [
        ("resigned", "0", "0-1"),
        ("time", "1", "1-0"),
        ("illegal", "0", "0-1"),
        ("bot_error", "1", "1-0"),
        ("abandoned", "0", "0-1"),
        ("abandoned", "both", "*"),
        ("aborted", "none", "*"),
        ("server_error", "server", "*"),
        ("normal", "none", "*"),
    ],
)
def test_a_game_that_ended_early_verifies(termination: str, culprit: str, result: str) -> None:
    rules = ruleset("base")
    actions = random_actions(rules, limit=40)
    record = Record.of_game(
        rules, SEED, None, actions, termination=termination, culprit=culprit, result=result
    )
    checked = verify(Record.parse(record.text()))
    assert not checked.over
    last = list(trace(record))[-1]
    assert last["result"] == result
    assert last["score"] == list(checked.outcome.scores)


@pytest.mark.parametrize("limit", [0, 1, 6])
def test_a_record_of_few_actions_is_read_back(limit: int) -> None:
    rules = ruleset("base")
    actions = random_actions(rules, limit=limit)
    record = Record.of_game(rules, SEED, None, actions, result="*")
    assert Record.parse(record.text()).actions == record.actions
    assert verify(record).plies == limit


def test_a_record_cut_anywhere_is_refused() -> None:
    text = finished().text().rstrip("\n")
    for length in range(len(text)):
        with pytest.raises(RecordError):
            verify(Record.parse(text[:length]))


def changed(pattern: str, by: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        new, times = re.subn(pattern, by, text, count=1, flags=re.MULTILINE)
        assert times == 1
        return new

    return change


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (changed("record 1", "record 2"), RecordVersionError, "targi-record 2"),
        (changed('Rules "1"', 'Rules "99"'), RecordVersionError, "rules version 99"),
        (changed('Ruleset "base"', 'Ruleset "basic"'), RecordVersionError, "no ruleset is called 'basic'"),
        (changed('Ruleset "base"', 'Ruleset "mixed"'), RecordVersionError, "Cards"),
        (changed('Variants ""', 'Variants "easy_start=yes"'), RecordVersionError, "easy_start"),
        (changed('Cards "....', 'Cards "0000'), RecordVersionError, "Cards"),
        (changed('Seed "..', 'Seed "zz'), RecordSyntaxError, "64 hex digits"),
        (changed('Seed "..', 'Seed "'), RecordSyntaxError, "64 hex digits"),
        (changed('Seed "00', 'Seed " 00'), RecordSyntaxError, "64 hex digits"),
        (changed(r"^\[Seed.*\n", ""), RecordSyntaxError, "the tag Seed is missing"),
        (changed(r"^(\[Seed.*\n)", r"\1\1"), RecordSyntaxError, "Seed is there twice"),
        (changed('Result "', 'Result "7'), RecordSyntaxError, "Result is '7"),
        (changed('Termination "normal', 'Termination "bored'), RecordSyntaxError, "bored"),
        (changed('Culprit "none', 'Culprit "me'), RecordSyntaxError, "Culprit is 'me'"),
        (changed(r"^\[Rules", "(Rules"), RecordSyntaxError, "line 2 is no tag"),
        (changed(r'Variants ""', r'Variants "\\q"'), RecordSyntaxError, "no escape"),
        (changed(r"^1\. @", "1. {open @"), RecordSyntaxError, "not closed"),
        (changed(r"^1\. @", "1. {a} {b} @"), RecordSyntaxError, "two comments"),
        (changed(r"^1\. ", ""), RecordSyntaxError, "before the first round"),
        (changed(r"^3\. ", "1. "), RecordSyntaxError, "round 1 comes after round 2"),
        (changed(r"^3\. ", "4. "), RecordActionError, "line of round 4, belongs to 3"),
        (changed(r"^1\. ", "1. @99 "), RecordActionError, "'@99' is no action"),
        (changed(r"^1\. ", "1. end "), RecordActionError, "ply 0: end is not legal"),
        (changed(r"\n(\S+)\n\Z", r" end\n\1\n"), RecordActionError, "the game is over"),
        (changed(r"\n(\S+)\n\Z", r"\n\1 end\n"), RecordSyntaxError, "behind the result"),
        (changed(r"\n(\S+)\n\Z", "\n"), RecordSyntaxError, "cut short"),
        (changed(r"\n(\S+)\n\Z", "\n*\n"), RecordSyntaxError, "at the end"),
        (changed('Score "', 'Score "1'), RecordResultError, "Score is"),
        (changed('Termination "normal', 'Termination "time'), RecordResultError, "played to its end"),
        (changed('Culprit "none', 'Culprit "0'), RecordResultError, "Culprit is '0'"),
    ],
    ids=lambda value: value.replace(" ", "_") if isinstance(value, str) else "",
)
def test_a_record_with_a_fault_is_refused_in_words(
    change: Callable[[str], str], error: type[RecordError], words: str
) -> None:
    with pytest.raises(error, match=re.escape(words)):
        verify(Record.parse(change(finished().text())))


def test_a_result_that_the_score_does_not_give_is_refused() -> None:
    record = finished()
    other = {"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1-0"}[record.result]
    record.tags["Result"] = other
    with pytest.raises(RecordResultError, match=f"Result is '{other}', must be"):
        verify(record)


def test_a_normal_end_of_an_unfinished_game_is_refused() -> None:
    rules = ruleset("base")
    record = Record.of_game(rules, SEED, None, random_actions(rules, limit=30), result="1-0")
    with pytest.raises(RecordResultError, match="not over after 30 plies"):
        verify(record)


def test_a_record_without_culprit_may_blame_either_seat() -> None:
    rules = ruleset("base")
    actions = random_actions(rules, limit=30)
    for result in ("1-0", "0-1"):
        record = Record.of_game(
            rules, SEED, None, actions, termination="resigned", culprit="0", result=result
        )
        del record.tags["Culprit"]
        assert not verify(record).over
    record.tags["Result"] = "1/2-1/2"
    with pytest.raises(RecordResultError, match="must be 0-1 or 1-0"):
        verify(record)


def test_an_illegal_action_is_named_with_its_ply() -> None:
    rules = ruleset("base")
    actions = random_actions(rules, limit=20)
    actions[7] = action_id("@1")  # the Robber's card
    with pytest.raises(RecordActionError) as caught:
        Record.of_game(rules, SEED, None, actions)
    assert caught.value.ply == 7


def test_the_log_holds_every_action_and_the_scores(ruleset_name: str) -> None:
    record = finished(ruleset_name)
    lines = list(show(record))
    words = " ".join(lines).split()
    for action, _ in record.actions:
        assert action_name(action) in words
    rounds = [line for line in lines if line.startswith("Round ")]
    assert len(rounds) == record.rounds[-1]
    assert f"score {record.tags['Score']}" in lines[-3]


def test_the_log_shows_what_the_engine_took_by_itself() -> None:
    lines = list(show(finished()))
    assert any("[end]" in line for line in lines)
