"""A person who plays at the terminal."""

from __future__ import annotations

import codecs
import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from targi_engine import Record, action_id, action_name, new_game, ruleset, verify
from targi_sdk.arena import Game, Played, Player, play_match
from targi_sdk.cli import main
from targi_sdk.human import HumanBot
from targi_sdk.seeds import pair_seeds, series_seed

Captured = pytest.CaptureFixture[str]
SEED = bytes(range(32))
SEEDS = pair_seeds(series_seed("7"), 0)
DEAL = SEEDS.games[0], SEEDS.opening
"""What the first game of the series is dealt from."""
ANY = "1\n" * 4000
TARGI = (sys.executable, "-m", "targi_sdk.cli")


def play(answers: str, monkeypatch: pytest.MonkeyPatch) -> Played:
    """A game, not by the command, between a person with these answers and one who takes the first action."""
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    person = HumanBot()
    monkeypatch.setattr("sys.stdin", io.StringIO(ANY))
    return play_match(Game(ruleset("base"), SEED), (Player(person, "person"), Player(HumanBot(), "other")))


class Table:
    """Games of `targi play human ...` with answers from a pipe."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch, captured: Captured) -> None:
        self.file = directory / "000001.targi"
        self._patch = monkeypatch
        self._captured = captured
        self.out = ""
        self.shown = ""
        self.code = -1

    def play(self, answers: str, *arguments: str, opponent: str = "builder") -> list[str]:
        """Play and return the actions of the first game's record; [] without one."""
        self._patch.setattr("sys.stdin", io.StringIO(answers))
        series = ["play", "human", opponent, "--games", "1", "--seed", "7"]
        self.code = main([*series, "--out", str(self.file.parent), "--force", *arguments])
        self.out, self.shown = self._captured.readouterr()
        if not self.file.exists():
            return []
        return [action_name(action) for action, _ in self.record().actions]

    def record(self) -> Record:
        return Record.parse(self.file.read_text())


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> Table:
    return Table(tmp_path / "games", monkeypatch, capsys)


def test_an_answer_is_a_number_of_the_menu_or_notation(table: Table) -> None:
    actions = table.play("@7\n2\n" + ANY)
    state = new_game("base", *DEAL)
    state.apply(action_id("@7"))
    state.apply(action_id(actions[1]))
    assert (actions[0], actions[2]) == ("@7", action_name(state.legal_actions()[1]))


def test_a_wrong_answer_is_explained_and_asked_again(table: Table) -> None:
    assert table.play("@4\nend\n99\n\n@7\n" + ANY)[0] == "@7"
    shown = " ".join(table.shown.split())
    numbers = f"number of the list (1 to {len(new_game('base', *DEAL).legal_actions())})"
    for word in ("@4", "99"):
        assert f"{word!r} is no {numbers}, no action and no command; ? explains a card" in shown
    assert f"'end' cannot be chosen now: take a {numbers}; ? explains a card" in shown
    assert "choose`" not in table.shown


def test_capitals_are_the_same_commands(table: Table) -> None:
    assert table.play("H\nU\n@7\nQ\n") == []
    assert "greedy would take" in table.shown
    assert "There is nothing that you could take back." in table.shown
    assert "you left the game" in table.shown


def test_the_menu_names_every_action_in_words(table: Table) -> None:
    table.play(ANY, "--ruleset", "expansion", "--variants", "easy_start=yes")
    for words in (
        " 1  @2: a Targi on dates",
        "b2: use dates",
        "+salt: take 1 salt",
        "end: end the turn",
        "row1: lay it in row 1: empty",
    ):
        assert words in table.shown
    assert re.search(r"c\d: X[A-Z]\d\* \(\d VP, 1 ", table.shown)


def test_the_board_shows_border_centre_stocks_and_where_the_figures_stand(table: Table) -> None:
    table.play("@7\nq\n")
    first, second = table.shown.split("Round 1, you first")[1:]
    assert "ROBBER" in first
    assert "YOU" not in first
    cells = [re.findall(rf"c{cell} (\S+)", first)[0] for cell in range(9)]
    centre = new_game("base", *DEAL).observation(0).centre_names
    assert cells == list(centre)
    assert re.search(r"7 dates[^│]*│\n.*YOU", second)
    assert "OPP" in second
    assert "you: 2 dates + 2 salt + 2 pepper + 1 gold + 4 VP" in second


def test_what_the_opponent_did_is_told(table: Table) -> None:
    actions = table.play("@7\n" + ANY)
    assert f"\nopponent: {actions[1]}\n" in table.shown
    told = re.findall(r"^opponent: (.*)$", table.shown, re.MULTILINE)
    assert any("[" in line for line in told)


def test_cards_are_explained(table: Table) -> None:
    table.play("? W9\n?K7\n? 10\n? c0\n? moon\nq\n")
    assert "W9: well, " in table.shown
    assert "from laying on: 1 gold lies on it and pays for one later tribe card (published)" in table.shown
    assert "K7: camp, 2 VP, costs 1 date + 1 gold; always: cards played through the Noble" in table.shown
    assert "10, silversmith: one exchange: 2 equal goods for 1 VP" in table.shown
    assert "goods card, take " in table.shown
    assert "There is no card 'moon'" in table.shown


def test_a_question_mark_alone_explains_what_may_be_typed_and_the_cards_in_sight(table: Table) -> None:
    table.play("?\nq\n", "--ruleset", "expansion")
    helped = table.shown.partition("> ?")[2]
    assert "take your last decision back" in helped
    names = new_game("expansion", *DEAL).observation(0)
    for card in (*names.centre_names, names.top, *names.dunes):
        assert f"\n{card}*: " in helped or f"\n{card}: " in helped
    assert "* house card: " in helped


def test_the_last_decision_can_be_taken_back(table: Table) -> None:
    plain = table.play("2\n3\n1\n" + ANY)
    assert table.play("2\n3\n4\nu\n1\n" + ANY) == plain
    assert table.play("4\n4\nu\nundo\n2\n3\n1\n" + ANY) == plain


def test_after_taking_back_the_game_may_go_another_way(table: Table) -> None:
    one = table.play("@7\n" + ANY)
    other = table.play("@7\nu\n@6\n" + ANY)
    assert (one[0], other[0]) == ("@7", "@6")
    verify(table.record())


def test_nothing_can_be_taken_back_before_the_first_decision(table: Table) -> None:
    assert table.play("u\n@7\n" + ANY)[0] == "@7"
    assert table.shown.count("There is nothing that you could take back.") == 1


REMEMBERING = """
from targi_sdk.bot import Bot

class Remembering(Bot):
    def __init__(self):
        self.plies = []

    def choose(self, turn):
        self.plies.append(turn.ply)
        return turn.rng.choice(turn.legal)

    def on_end(self, end):
        print("asked at", *self.plies)
"""


def test_a_bot_remembers_the_game_as_it_was_not_what_was_taken_back(table: Table, tmp_path: Path) -> None:
    bot = tmp_path / "remembering.py"
    bot.write_text(REMEMBERING)
    asked = []
    for answers in ("@7\n@5\n" + ANY, "@7\n@5\n1\n1\nu\nu\n1\n1\n" + ANY):
        table.play(answers, opponent=str(bot))
        asked.append(next(line for line in table.shown.splitlines() if line.startswith("asked at")))
    assert asked[0] == asked[1]


def test_a_hint_is_an_action_of_the_menu_and_changes_nothing(table: Table) -> None:
    plain = table.play(ANY)
    assert table.play("h\nhint\n" + ANY) == plain
    hints = re.findall(r"greedy would take (\d+): (@\w+): a Targi on", table.shown)
    assert len(hints) == 2
    assert hints[0] == hints[1]


def test_the_bot_that_gives_hints_can_be_chosen(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("h\nq\n"))
    assert main(["play", "human?hint=builder", "random"]) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("h\nq\n"))
    assert main(["play", "human?hint=nobody", "random"]) == 0
    table.play("q\n")
    assert "builder would take" in table.shown
    assert "nobody has no hint: no bot is called 'nobody'" in table.shown


def test_leaving_ends_the_series_and_the_finished_games_count(table: Table) -> None:
    assert table.play("@7\nq\n") == []
    assert table.code == 0
    assert "you left the game; the game that was not finished does not count" in table.shown
    assert "0 games of base" in table.out


def test_input_that_ends_too_early_fails_in_words(table: Table) -> None:
    assert table.play("@7\n") == []
    assert table.code == 1
    assert "standard input ended before the game did" in table.shown


def test_without_a_way_back_the_end_of_input_loses_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    played = play("@7\nu\n", monkeypatch)
    assert (played.result, played.termination, played.culprit) == ("0-1", "bot_error", "0")
    assert "standard input ended" in played.failure.line


def test_a_game_with_a_person_has_no_clock_and_leaves_the_results_to_standard_output(table: Table) -> None:
    table.play(ANY, "--json")
    assert json.loads(table.out)["time"] == "none"
    assert "Round 1, you first" in table.shown
    assert re.search(r"^You (won|lost), \d+-\d+ \(played to the end\)$", table.shown, re.MULTILINE)
    assert "\x1b" not in table.shown


def test_two_people_can_play(table: Table) -> None:
    table.play(ANY, opponent="human")
    assert table.code == 0
    assert "You won" in table.shown
    assert "You lost" in table.shown
    assert table.record().tags["Seat1"] == "human 1.0"


def test_a_person_cannot_play_in_other_processes_or_a_batch(capsys: Captured, tmp_path: Path) -> None:
    for option in (["--jobs", "2"], ["--mirror"], ["--out", str(tmp_path / "games.jsonl")]):
        assert main(["play", "human", "random", *option]) == 2
        assert "human plays at this terminal" in capsys.readouterr().err


def test_a_person_needs_an_input(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert main(["play", "human", "random"]) == 2
    captured = capsys.readouterr()
    assert "human is asked on standard input, and nothing can come from there" in captured.err
    assert captured.out == ""


class Terminal:
    """A process on a terminal of its own."""

    def __init__(self, command: list[str]) -> None:
        self.screen = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()  # a read may end within a character
        self._master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "50"}
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)

    def wait_for(self, condition: Callable[[str], bool]) -> None:
        """Read until what is on the screen since the last answer fits."""
        deadline = time.monotonic() + 120
        while not condition(self.screen):
            assert time.monotonic() < deadline, self.screen
            if select.select([self._master], [], [], 1)[0]:
                self.screen += self._read()

    def _read(self) -> str:
        try:
            return self._decoder.decode(os.read(self._master, 65536))
        except OSError:  # the process has closed the terminal
            return ""

    def answer(self, text: str) -> None:
        self.screen = ""
        os.write(self._master, text.encode())

    def ended(self) -> int:
        """The exit code; what the process still prints is read."""
        self.wait_for(lambda _: self.process.poll() is not None)
        return self.process.wait()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    process = Terminal([*TARGI, "play", "human", "greedy", "--games", "1", "--seed", "7"])
    yield process
    process.close()


def test_on_a_terminal_the_board_is_coloured_and_answers_are_typed(terminal: Terminal) -> None:
    terminal.wait_for(lambda screen: "place> " in screen)
    assert "\x1b[1;33mROBBER" in terminal.screen
    terminal.answer("@7\n")
    terminal.wait_for(lambda screen: "place> " in screen)
    assert "\x1b[1;32mYOU" in terminal.screen
    assert "opponent: @" in terminal.screen
    terminal.answer("h\n")
    terminal.wait_for(lambda screen: "greedy would take" in screen and screen.endswith("place> \x1b[0m"))
    terminal.answer("q\n")
    assert terminal.ended() == 0


def test_ctrl_c_at_the_terminal_ends_the_game_at_once(terminal: Terminal) -> None:
    terminal.wait_for(lambda screen: "place> " in screen)
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert terminal.ended() == 130
    assert "interrupted" in terminal.screen
    assert "Traceback" not in terminal.screen
