"""The `targi` command itself: finding sub-commands, errors in words, exit codes."""

from __future__ import annotations

import argparse
import subprocess
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest
from targi_engine import EngineError
from targi_sdk import cli
from targi_sdk.cli import GROUP, CommandUnavailableError, load_command, main
from targi_sdk.errors import SdkError, UsageError

MINE = ("actions", "cards", "perft", "play", "record", "records", "trace", "version")


class FailingCommand:
    """A command that raises what it is told to."""

    name = "failing"
    help = "fail as told"

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--count", type=int)

    def run(self, args: argparse.Namespace) -> int:
        raise self.error


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Commands that are installed: a dict of name to entry-point value which a test fills."""
    points: dict[str, str] = {}
    monkeypatch.setattr(
        cli, "entry_points", lambda group: [EntryPoint(name, value, group) for name, value in points.items()]
    )
    return points


@pytest.fixture
def failing(installed: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> FailingCommand:
    command = FailingCommand(SdkError("unset"))
    monkeypatch.setattr(cli, "FAILING_FOR_TEST", command, raising=False)
    installed["failing"] = "targi_sdk.cli:FAILING_FOR_TEST"
    return command


def test_each_command_has_the_name_of_its_entry_point() -> None:
    for name in MINE:
        assert load_command(name).name == name


def test_the_built_in_commands_are_registered() -> None:
    registered = {point.name for point in entry_points(group=GROUP)}
    assert {*MINE, "bot", "owner", "standings", "serve", "demo"} <= registered


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    listed = capsys.readouterr().out
    assert all(f"\n  {name} " in listed for name in MINE)


def test_no_command_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage: targi COMMAND" in capsys.readouterr().err


def test_an_unknown_command_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recrod"]) == 2
    assert "no command 'recrod', did you mean 'record'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["perft", "--depth", "x"], ["perft", "--depth", "-1"], ["trace"], ["record"], ["actions", "--no"]],
)
def test_a_wrong_command_line_exits_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert f"usage: targi {arguments[0]}" in capsys.readouterr().err


def test_the_help_of_a_command_exits_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--help"]) == 0
    assert "--depth" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "code"),
    [(UsageError("say which"), 2), (SdkError("it broke"), 1), (EngineError("bad card"), 1)],
)
def test_an_error_is_one_message_and_an_exit_code(
    failing: FailingCommand, error: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    failing.error = error
    assert main(["failing"]) == code
    assert capsys.readouterr().err == f"targi: {error}\n"


def test_an_interrupted_command_exits_with_130(failing: FailingCommand) -> None:
    failing.error = KeyboardInterrupt()
    assert main(["failing"]) == 130


def test_an_error_that_nobody_foresaw_keeps_its_traceback(failing: FailingCommand) -> None:
    failing.error = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        main(["failing"])


def test_a_missing_extra_is_said_in_words(
    installed: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "needs_more.py").write_text("import no_such_library")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(cli.EXTRAS, "needs_more", "server")
    installed["serve"] = "needs_more:COMMAND"
    assert main(["serve"]) == 1
    message = capsys.readouterr().err
    assert "pip install 'targi[server]'" in message
    assert "Traceback" not in message


def test_the_commands_of_the_server_belong_to_its_extra() -> None:
    points = entry_points(group=GROUP, name="serve")
    assert [cli.EXTRAS[point.module.partition(".")[0]] for point in points] == ["server"]


def test_a_broken_plugin_hides_no_other_command(
    failing: FailingCommand, installed: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    installed["broken"] = "no_such_plugin:COMMAND"
    installed["nameless"] = "targi_sdk.cli:NO_SUCH_COMMAND"
    assert main(["help"]) == 0
    listed = capsys.readouterr().out
    assert "fail as told" in listed
    assert listed.count("not available") == 2
    with pytest.raises(CommandUnavailableError, match="no_such_plugin"):
        load_command("broken")


def test_the_installed_program_prints_its_version() -> None:
    program = subprocess.run(
        [sys.executable, "-c", "import sys; from targi_sdk.cli import main; sys.exit(main())", "version"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert program.returncode == 0
    assert program.stdout.startswith("targi ")
    assert program.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("arguments", [["actions"], ["version"], ["actions", "--json"]], ids=" ".join)
def test_a_full_disk_is_said_in_one_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        program = subprocess.run(
            [sys.executable, "-m", "targi_sdk.cli", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert program.returncode == 1
    assert program.stderr == "targi: the output cannot be written: No space left on device\n"


def test_a_reader_that_leaves_early_is_no_error() -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", "import sys; from targi_sdk.cli import main; sys.exit(main())", "actions"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None and program.stderr is not None
    program.stdout.close()
    assert program.stderr.read() == ""
    program.stderr.close()
    program.wait()
