"""The `targi` command. Every sub-command is a plug-in of the entry-point group `targi.commands`.

An entry point names an object with the members of `Command`; its name is the sub-command's. Only the command
that was asked for is loaded, so one that needs an extra costs nobody else anything.

Exit codes: 0 done, 1 it failed (the message says why), 2 the command line is wrong, 130 interrupted. A
command may return others, which its help names.
"""

from __future__ import annotations

import argparse
import difflib
import errno
import os
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

from targi_engine import EngineError

from targi_sdk.errors import SdkError, UsageError
from targi_sdk.printable import printable

__all__ = [
    "GROUP",
    "Command",
    "CommandUnavailableError",
    "UnknownCommandError",
    "load_command",
    "main",
    "parser_of",
]

GROUP = "targi.commands"
DISTRIBUTION = "targi"
EXTRAS = {"targi_server": "server"}
"""Package of a command to the extra of this distribution that brings what the package imports."""

HELP_WORDS = ("-h", "--help", "help")
ALIASES = {"--version": "version"}
FAILED, USAGE, INTERRUPTED = 1, 2, 130
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What a disk that takes no more answers."""


class Command(Protocol):
    """A sub-command."""

    name: str
    """The word after `targi`; equal to the entry point's name."""
    help: str
    """One line for the list of commands."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options; sub-commands of one's own are argparse's sub-parsers."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it and return the exit code. An `SdkError` or `EngineError` is printed as one message."""


class UnknownCommandError(UsageError):
    """There is no command of that name."""


class CommandUnavailableError(SdkError):
    """A command cannot be loaded: an extra is missing, or a plug-in is broken."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `targi` with the arguments after its name (default: the process' own) and return the exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as stop:
        return _exit_code(stop)
    except UsageError as error:
        return _fail(error, USAGE)
    except (SdkError, EngineError) as error:
        return _fail(error, FAILED)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _reader_gone()
    except OSError as error:
        if error.errno not in FULL:
            raise
        _reader_gone()
        return _fail(f"the output cannot be written: {error.strerror}", FAILED)


def load_command(name: str) -> Command:
    """The command of that name. Raises `UnknownCommandError` or `CommandUnavailableError`."""
    found = _commands()
    if name not in found:
        raise UnknownCommandError(f"there is no command {name!r}{_hint(name, found)}; see `targi --help`")
    return _load(found[name])


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        print(_overview(), file=sys.stderr)
        return USAGE
    name, *rest = arguments
    if name in HELP_WORDS:
        print(_overview())
        return 0
    return _run(ALIASES.get(name, name), rest)


def _run(name: str, arguments: list[str]) -> int:
    command = load_command(name)
    return command.run(parser_of(name, command).parse_args(arguments))


def parser_of(name: str, command: Command) -> argparse.ArgumentParser:
    """The parser of a command. Each page, its own and those of parts, begins with its line of help."""
    parser = argparse.ArgumentParser(prog=f"targi {name}")
    command.add_arguments(parser)
    _describe(parser, command.help)
    return parser


def _describe(parser: argparse.ArgumentParser, text: str) -> None:
    if not parser.description and text:
        parser.description = f"{text[0].upper()}{text[1:]}{'' if text[-1] in '.?!' else '.'}"
    # argparse has no other way from a parser to its parts: each group of parts is one of its actions.
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for part in action._choices_actions:
                _describe(action.choices[part.dest], part.help or "")


def _commands() -> dict[str, EntryPoint]:
    """All commands by name; a plug-in cannot replace a command of this distribution."""
    found = sorted(entry_points(group=GROUP), key=_is_built_in)
    return {point.name: point for point in found}


def _is_built_in(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == DISTRIBUTION


def _load(point: EntryPoint) -> Command:
    try:
        command: Command = point.load()
    except ModuleNotFoundError as error:
        raise CommandUnavailableError(_missing(point, error)) from error
    except (ImportError, AttributeError, SyntaxError) as error:
        raise CommandUnavailableError(_broken(point, error)) from error
    return command


def _missing(point: EntryPoint, error: ModuleNotFoundError) -> str:
    extra = EXTRAS.get(point.module.partition(".")[0])
    if extra is None:
        return _broken(point, error)
    return f"`targi {point.name}` needs more than is installed ({error}): pip install 'targi[{extra}]'"


def _broken(point: EntryPoint, error: Exception) -> str:
    return f"`targi {point.name}` does not load from {point.value}: {error}"


def _overview() -> str:
    lines = ["usage: targi COMMAND ...", "", "Bots play the board game Targi.", "", "commands:"]
    lines += [f"  {name:<12} {_help(point)}" for name, point in sorted(_commands().items())]
    return "\n".join([*lines, "", "`targi COMMAND --help` shows the options of a command."])


def _help(point: EntryPoint) -> str:
    try:
        return _load(point).help
    except CommandUnavailableError as error:
        return f"(not available: {error})"


def _hint(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f", did you mean {near[0]!r}?" if near else ""


def _exit_code(stop: SystemExit) -> int:
    return stop.code if isinstance(stop.code, int) else 0 if stop.code is None else FAILED


def _fail(error: Exception | str, code: int) -> int:
    print(f"targi: {printable(str(error))}", file=sys.stderr)
    return code


def _reader_gone() -> int:
    """Nobody takes our output any more (`targi actions | head`): drop the rest without a message."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED


if __name__ == "__main__":
    sys.exit(main())
