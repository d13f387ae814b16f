"""Game records: the text form of a game, read and written (rules in `notation`, format 1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from targi_engine.actions import action_id, action_name
from targi_engine.errors import (
    EngineError,
    IllegalAction,
    RecordActionError,
    RecordSyntaxError,
    RecordVersionError,
    SeedError,
    UnknownAction,
)
from targi_engine.randomness import check_seed
from targi_engine.ruleset import RULES, Ruleset, ruleset
from targi_engine.setup import new_game
from targi_engine.state import State

FORMAT: Final = "targi-record 1"
RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
TERMINATIONS: Final = (
    *("normal", "resigned", "time", "illegal", "bot_error"),
    *("abandoned", "aborted", "server_error"),
)
CULPRITS: Final = ("0", "1", "both", "server", "none")
OBLIGATORY: Final = ("Format", "Rules", "Ruleset", "Cards", "Seed", "Result", "Termination")
# The order in which a new record's tags are written; further tags follow.
TAG_ORDER: Final = (
    *("Format", "Rules", "Ruleset", "Variants", "Cards", "Opening", "Seed"),
    *("Seat0", "Seat1", "Score", "Result", "Termination", "Culprit"),
)

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


class Record:
    """One game as text can hold it: tags, a first comment, actions with comments and rounds."""

    __slots__ = ("actions", "opening_comment", "rounds", "tags")

    def __init__(
        self,
        tags: Mapping[str, str],
        actions: Sequence[tuple[int, str | None]],
        rounds: Sequence[int],
        opening_comment: str | None = None,
    ) -> None:
        """`rounds` holds the round of every action; tags keep their order."""
        self.tags: dict[str, str] = dict(tags)
        self.actions: list[tuple[int, str | None]] = list(actions)
        self.rounds: list[int] = list(rounds)
        self.opening_comment = opening_comment

    @property
    def result(self) -> str:
        """The result: "1-0", "0-1", "1/2-1/2" or "*"."""
        return self.tags["Result"]

    @property
    def termination(self) -> str:
        """How the game ended, one of TERMINATIONS."""
        return self.tags["Termination"]

    @property
    def culprit(self) -> str:
        """Who is to blame, one of CULPRITS."""
        return self.tags.get("Culprit", "none")

    @property
    def seed(self) -> bytes:
        """The seed, 32 bytes."""
        return bytes.fromhex(self.tags["Seed"])

    @property
    def opening(self) -> bytes | None:
        """The opening seed, 32 bytes, if there is one."""
        return bytes.fromhex(self.tags["Opening"]) if "Opening" in self.tags else None

    def ruleset(self) -> Ruleset:
        """The ruleset of the game; raises RecordVersionError if this engine does not have it."""
        rules, name = self.tags["Rules"], self.tags["Ruleset"]
        if rules != str(RULES):
            raise RecordVersionError(f"the record is of rules version {rules}, this engine plays {RULES}")
        try:
            found = ruleset(name, self.tags.get("Variants", ""))
        except EngineError as error:
            raise RecordVersionError(f"Ruleset and Variants: {error}") from error
        if found.cards_hash != self.tags["Cards"]:
            raise RecordVersionError(
                f"the record was played with card set {self.tags['Cards']}, "
                f"this engine's {name} has {found.cards_hash}: give that card set as ruleset"
            )
        return found

    def states(self, rules: Ruleset | None = None) -> Iterator[State]:
        """The state before every action and the final one; one object, changed in place.

        Raises RecordActionError, with the ply, at an illegal action or one after the end.
        """
        state = new_game(rules or self.ruleset(), self.seed, self.opening)
        yield state
        for ply, (action, _) in enumerate(self.actions):
            try:
                state.apply(action)
            except IllegalAction as error:
                raise RecordActionError(f"{action_name(action)} is not legal: {error}", ply) from error
            yield state

    @classmethod
    def of_game(
        cls,
        rules: Ruleset,
        seed: bytes,
        opening: bytes | None,
        actions: Sequence[int],
        *,
        tags: Mapping[str, str] | None = None,
        result: str | None = None,
        termination: str = "normal",
        culprit: str = "none",
        comments: Mapping[int, str] | None = None,
    ) -> Record:
        """The record of a game, replayed to fill in rounds, score and (without `result`) the result.

        `comments` maps the place of an action to its comment, -1 to the one before the first.
        Raises RecordActionError if the actions do not replay.
        """
        said = comments or {}
        plain = [(action, said.get(at)) for at, action in enumerate(actions)]
        whole: dict[str, str] = {
            "Format": FORMAT,
            "Rules": str(RULES),
            "Ruleset": rules.name,
            "Variants": rules.variants,
            "Cards": rules.cards_hash,
            "Seed": seed.hex(),
        }
        if opening is not None:
            whole["Opening"] = opening.hex()
        record = cls(whole, plain, (), said.get(-1))
        rounds: list[int] = []
        for state in record.states(rules):
            rounds.append(state.round)
        outcome = state.outcome()
        ended = {
            "Score": f"{outcome.scores[0]}-{outcome.scores[1]}",
            "Result": outcome.result if result is None else result,
            "Termination": termination,
            "Culprit": culprit,
        }
        given = dict(tags or {})
        seats: dict[str, str] = {tag: given[tag] for tag in ("Seat0", "Seat1") if tag in given}
        known: dict[str, str] = {**whole, **ended, **seats}
        record.tags = {tag: known[tag] for tag in TAG_ORDER if tag in known}
        record.tags.update((tag, value) for tag, value in given.items() if tag not in record.tags)
        record.rounds = rounds[: len(plain)]
        return record

    def text(self) -> str:
        """The record as text, ending with a line break."""
        lines = [f'[{tag} "{escape(value)}"]' for tag, value in self.tags.items()]
        lines.append("")
        if self.opening_comment is not None:
            lines.append(f"{{{escape(self.opening_comment)}}}")
        line: list[str] = []
        for at, (action, comment) in enumerate(self.actions):
            if at == 0 or self.rounds[at] != self.rounds[at - 1]:
                if line:
                    lines.append(" ".join(line))
                line = [f"{self.rounds[at]}."]
            line.append(action_name(action))
            if comment is not None:
                line.append(f"{{{escape(comment)}}}")
        if line:
            lines.append(" ".join(line))
        return "\n".join([*lines, self.result, ""])

    @classmethod
    def parse(cls, text: str) -> Record:
        """The record of a text.

        Raises RecordSyntaxError, RecordVersionError (another format) or RecordActionError (an
        unknown action); whether the game replays is told by `verify`.
        """
        tags, rest = _read_tags(text)
        return _Moves(rest, tags).record()


def _read_tags(text: str) -> tuple[dict[str, str], str]:
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


class _Moves:
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

    def record(self) -> Record:
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
        return Record(self.tags, self.actions, self.rounds, self.comment)

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
            if int(number[1]) <= self.round:
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
