"""Records: the text of a game, what is refused in it, and what a replay checks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from targi_engine import (
    Record,
    RecordActionError,
    RecordError,
    RecordResultError,
    RecordSyntaxError,
    RecordVersionError,
    State,
    action_id,
    new_game,
    ruleset,
    verify,
)

SEED = bytes(range(32))


def whole_game(opening: bytes | None = None, variants: str = "") -> tuple[State, list[int]]:
    """An idle game to its end, and its actions."""
    state = new_game("base", SEED, opening, variants=variants)
    actions: list[int] = []
    end = action_id("end")
    while not state.is_over:
        legal = state.legal_actions()
        actions.append(end if end in legal else legal[0])
        state.apply(actions[-1])
    return state, actions


def record(**changes: object) -> Record:
    """The record of the idle game."""
    _, actions = whole_game()
    given: dict[str, object] = {"tags": {"Seat0": "a 1", "Seat1": "b 1"}, **changes}
    return Record.of_game(ruleset("base"), SEED, None, actions, **given)  # type: ignore[arg-type]


def lines_of(text: str) -> dict[int, str]:
    """The line of every round."""
    lines = [line for line in text.splitlines() if line[:1].isdigit() and ". " in line]
    return {int(line.split(".")[0]): line for line in lines}


def test_tags_come_in_order_and_the_result_is_last() -> None:
    state, _ = whole_game()
    outcome = state.outcome()
    text = record().text()
    head, _, body = text.partition("\n\n")
    assert head.splitlines() == [
        '[Format "targi-record 1"]',
        '[Rules "1"]',
        '[Ruleset "base"]',
        '[Variants ""]',
        f'[Cards "{ruleset("base").cards_hash}"]',
        f'[Seed "{SEED.hex()}"]',
        '[Seat0 "a 1"]',
        '[Seat1 "b 1"]',
        f'[Score "{outcome.scores[0]}-{outcome.scores[1]}"]',
        f'[Result "{outcome.result}"]',
        '[Termination "normal"]',
        '[Culprit "none"]',
    ]
    assert body.splitlines()[-1] == outcome.result
    assert body.splitlines()[0].startswith("1. @2 @3 ")


def test_a_raid_stands_on_the_line_of_the_round_that_it_opens() -> None:
    """B3.1: the raid before round 4 is on line 4, the fourth raid on line 12."""
    lines = lines_of(record().text())
    assert sorted(lines) == list(range(1, 13))
    for number, line in lines.items():
        assert ("pay:" in line) == (number in (4, 7, 10, 12))
    assert lines[4].startswith("4. pay:goods")
    assert lines[12].endswith(" pay:gold pay:gold")


def test_opening_and_variants_are_named() -> None:
    opening = bytes(range(32, 64))
    rules = ruleset("base", "unpayable_raid=flat3")
    _, actions = whole_game(opening, "unpayable_raid=flat3")
    text = Record.of_game(rules, SEED, opening, actions).text()
    assert '[Variants "unpayable_raid=flat3"]\n' in text
    assert f'[Opening "{opening.hex()}"]\n[Seed ' in text
    assert verify(Record.parse(text)).over


def test_a_record_reads_back_as_it_was_written() -> None:
    text = record(
        tags={"Seat0": 'a "1" \\ {x}', "Event": "two\nlines"},
        comments={-1: "before {all}", 0: '0.5 "s"', 3: "a\nb"},
    ).text()
    again = Record.parse(text)
    assert again.text() == text
    assert again.tags["Seat0"] == 'a "1" \\ {x}'
    assert (again.opening_comment, again.actions[0][1], again.actions[3][1]) == (
        "before {all}",
        '0.5 "s"',
        "a\nb",
    )
    assert again.tags["Event"] == "two\nlines"
    verify(again)


def edited(before: str, after: str) -> Callable[[str], str]:
    def edit(text: str) -> str:
        assert before in text
        return text.replace(before, after, 1)

    return edit


SEED_LINE = f'[Seed "{SEED.hex()}"]'

BROKEN = (
    ("the format is another", edited("targi-record 1", "targi-record 2"), RecordVersionError),
    ("the rules are others", edited('[Rules "1"]', '[Rules "2"]'), RecordVersionError),
    ("the card set is another", edited('[Cards "39', '[Cards "40'), RecordVersionError),
    ("a tag is missing", edited('[Termination "normal"]\n', ""), RecordSyntaxError),
    ("the seed is missing", edited(SEED_LINE + "\n", ""), RecordSyntaxError),
    ("a tag comes twice", edited('[Rules "1"]', '[Rules "1"]\n[Rules "1"]'), RecordSyntaxError),
    ("the seed is short", edited(SEED.hex(), SEED.hex()[2:]), RecordSyntaxError),
    ("an escape does not exist", edited('"a 1"', '"a \\t"'), RecordSyntaxError),
    ("a comment is not closed", edited(" @2 ", " @2 {0.1 "), RecordSyntaxError),
    ("the result is not at the end", lambda text: text[: text.rindex("\n", 0, -1)], RecordSyntaxError),
    ("something follows the result", lambda text: text + "end\n", RecordSyntaxError),
    ("the termination is unknown", edited('"normal"', '"bored"'), RecordSyntaxError),
    ("an action is unknown", edited(" @2 ", " @4 "), RecordActionError),
    ("an action is illegal", edited(" @2 ", " @1 "), RecordActionError),
    ("an action stands on the wrong line", edited("\n2. ", "\n3. "), RecordError),
    ("the score is wrong", edited('[Score "', '[Score "1'), RecordResultError),
    ("the culprit does not fit", edited('[Culprit "none"]', '[Culprit "0"]'), RecordResultError),
)


@pytest.mark.parametrize(
    ("edit", "error"), [row[1:] for row in BROKEN], ids=[f"refused when {row[0]}" for row in BROKEN]
)
def test_a_broken_record(edit: Callable[[str], str], error: type[RecordError]) -> None:
    text = record().text()
    verify(Record.parse(text))
    with pytest.raises(error):
        verify(Record.parse(edit(text)))


def test_a_tag_that_comes_twice_is_named_with_its_line() -> None:
    text = record().text().replace('[Rules "1"]', '[Rules "1"]\n[Rules "1"]')
    line = text.splitlines().index('[Rules "1"]') + 2
    with pytest.raises(RecordSyntaxError, match=f"line {line}: the tag Rules is there twice"):
        Record.parse(text)


def test_an_illegal_action_is_named_with_its_ply() -> None:
    with pytest.raises(RecordActionError, match=r"ply 1: .*@2") as caught:
        verify(Record.parse(record().text().replace(" @2 @3 ", " @2 @2 ", 1)))
    assert caught.value.ply == 1


def test_an_action_after_the_end_is_refused() -> None:
    game = record()
    game.actions.append((action_id("end"), None))
    game.rounds.append(12)
    with pytest.raises(RecordActionError, match="over"):
        verify(game)


ENDED = (
    ("resigned", "0", "0-1"),
    ("time", "1", "1-0"),
    ("illegal", "0", "0-1"),
    ("bot_error", "1", "1-0"),
    ("abandoned", "0", "0-1"),
    ("aborted", "none", "*"),
    ("server_error", "server", "*"),
)


@pytest.mark.parametrize(("termination", "culprit", "result"), ENDED, ids=[row[0] for row in ENDED])
def test_a_game_that_ended_early_shows_the_scores_as_they_would_count_then(
    termination: str, culprit: str, result: str
) -> None:
    _, actions = whole_game()
    game = Record.of_game(
        ruleset("base"), SEED, None, actions[:20], result=result, termination=termination, culprit=culprit
    )
    found = verify(Record.parse(game.text()))
    assert (found.over, found.plies, game.tags["Score"]) == (False, 20, "4-4")


def test_an_unfinished_game_has_no_normal_result() -> None:
    _, actions = whole_game()
    game = Record.of_game(ruleset("base"), SEED, None, actions[:20], result="1-0")
    with pytest.raises(RecordResultError, match="not over"):
        verify(game)


def test_a_replay_ends_in_the_same_state() -> None:
    played, actions = whole_game()
    replayed = list(record().states())[-1]
    assert replayed.observation(None) == played.observation(None)
    assert len(actions) == played.ply == replayed.ply
