"""Reading the text of a game record: tags, round numbers, actions, comments, result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from targi_engine.actions import action_id
from targi_engine.errors import (
    RecordActionError,
    RecordSyntaxError,
    RecordVersionError,
    SeedError,
    UnknownAction,
)
from targi_engine.randomness import check_seed

FORMAT: Final = "targi-record 1"
RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
TERMINATIONS: Final = (
    *("normal", "resigned", "time", "illegal", "bot_error"),
    *("abandoned", "aborted", "server_error"),
)
CULPRITS: Final = ("0", "1", "both", "server", "none")
OBLIGATORY: Final = ("Format", "Rules", "Ruleset", "Cards", "Seed", "Result", "Termination")

_TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\.)*)"\]')
_TOKEN: Final = re.compile(r"\{((?:[^{}\\]|\\.)*)\}|([^\s{}]+)|(\{)|(\})", re.DOTALL)
_ESCAPES: Final[Mapping[str, str]] = {"\\": "\\", '"': '"', "{": "{", "}": "}", "n": "\n"}
_ROUND: Final = re.compile(r"([1-9][0-9]*)\.")


def escape(text: str) -> str:
    """A tag value or comment as it is written."""
    for plain in ("\\", '"', "{", "}"):
        text = text.replace(plain, "\\" + plain)
    return text.replace("\n", "\\n")


def unescape(text: str) -> str:
    """The tag value or comment behind its written form; raises RecordSyntaxError."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
            if text[at : at + 1] not in _ESCAPES:
                raise RecordSyntaxError(
                    f'\\{text[at : at + 1]} is no escape; there are \\\\ \\" \\{{ \\}} \\n'
                )
            parts.append(_ESCAPES[text[at]])
        else:
            parts.append(text[at])
        at += 1
    return "".join(parts)


def read_tags(text: str) -> tuple[dict[str, str], str]:
    """The tags, checked, and the text behind them."""
    tags: dict[str, str] = {}
    lines = text.replace("\r\n", "\n").split("\n")
    at = 0
    while at < len(lines) and lines[at].strip():
        match = _TAG.fullmatch(lines[at].strip())
        if match is None:
            raise RecordSyntaxError(f'line {at + 1} is no tag: {lines[at]!r}; write [Name "value"]')
        if match[1] in tags:
            raise RecordSyntaxError(f"line {at + 1}: the tag {match[1]} is there twice")
        tags[match[1]] = unescape(match[2])
        at += 1
    _check_tags(tags)
    return tags, "\n".join(lines[at:])


def _check_tags(tags: Mapping[str, str]) -> None:
    if tags.get("Format", FORMAT) != FORMAT:
        raise RecordVersionError(f"the format is {tags['Format']!r}; this engine reads {FORMAT!r}")
    for tag in OBLIGATORY:
        if tag not in tags:
            raise RecordSyntaxError(f"the tag {tag} is missing; obligatory: {', '.join(OBLIGATORY)}")
    allowed = {"Result": RESULTS, "Termination": TERMINATIONS, "Culprit": CULPRITS}
    for tag, values in allowed.items():
        if tag in tags and tags[tag] not in values:
            raise RecordSyntaxError(f"{tag} is {tags[tag]!r}; allowed: {', '.join(values)}")
    for tag in ("Seed", "Opening"):
        if tag in tags:
            _check_hex(tag, tags[tag])


def _check_hex(tag: str, value: str) -> None:
    try:
        check_seed(bytes.fromhex(value), tag)
    except (ValueError, SeedError) as error:
        raise RecordSyntaxError(f"{tag} is {value!r}: write 64 hex digits") from error
    if len(value) != 64:
        raise RecordSyntaxError(f"{tag} is {value!r}: write 64 hex digits")


class Moves:
    """Reads what stands behind the tags: rounds, actions, comments and the result."""

    __slots__ = ("actions", "comment", "result", "round", "rounds", "tags", "text")

    def __init__(self, text: str, tags: dict[str, str]) -> None:
        self.text = text
        self.tags = tags
        self.actions: list[tuple[int, str | None]] = []
        self.rounds: list[int] = []
        self.comment: str | None = None
        self.round: int = 0
        self.result: str | None = None

    def read(self) -> None:
        """Read the text; raises RecordSyntaxError, RecordActionError for an unknown action."""
        for match in _TOKEN.finditer(self.text):
            if match[3] or match[4]:
                raise RecordSyntaxError(
                    f"after {len(self.actions)} actions: a comment is not closed or opened"
                )
            if self.result is not None:
                raise RecordSyntaxError(f"{match[0]!r} stands behind the result {self.result!r}")
            if match[1] is not None:
                self._add_comment(unescape(match[1]))
            else:
                self._add_word(match[2])
        if self.result is None:
            raise RecordSyntaxError("the record is cut short: no result stands at its end")
        if self.result != self.tags["Result"]:
            raise RecordSyntaxError(
                f"the result is {self.result!r} at the end, {self.tags['Result']!r} in the tag"
            )

    def _add_comment(self, comment: str) -> None:
        if not self.actions:
            held, self.comment = self.comment, comment
        else:
            action, held = self.actions[-1]
            self.actions[-1] = (action, comment)
        if held is not None:
            raise RecordSyntaxError(f"after {len(self.actions)} actions: two comments in a row")

    def _add_word(self, word: str) -> None:
        number = _ROUND.fullmatch(word)
        if word in RESULTS:
            self.result = word
        elif number:
            if int(number[1]) < self.round:
                raise RecordSyntaxError(f"round {number[1]} comes after round {self.round}")
            self.round = int(number[1])
        else:
            self._add_action(word)

    def _add_action(self, word: str) -> None:
        if not self.round:
            raise RecordSyntaxError(f"{word!r} stands before the first round number")
        try:
            self.actions.append((action_id(word), None))
        except UnknownAction as error:
            raise RecordActionError(str(error), len(self.actions)) from error
        self.rounds.append(self.round)
