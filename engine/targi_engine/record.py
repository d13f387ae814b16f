"""Game records: a game as text, to be kept, sent and replayed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from targi_engine.actions import action_name
from targi_engine.errors import EngineError, IllegalAction, RecordActionError, RecordVersionError
from targi_engine.notation import FORMAT, Moves, escape, read_tags
from targi_engine.ruleset import RULES, Ruleset, ruleset
from targi_engine.scoring import Outcome
from targi_engine.setup import new_game
from targi_engine.state import State

# The order in which a new record's tags are written; further tags follow.
TAG_ORDER: Final = (
    *("Format", "Rules", "Ruleset", "Variants", "Cards", "Opening", "Seed"),
    *("Seat0", "Seat1", "Score", "Result", "Termination", "Culprit"),
)


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

    def __reduce__(self) -> tuple[type[Record], tuple[object, ...]]:
        return (Record, (self.tags, self.actions, self.rounds, self.opening_comment))

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
        try:
            found = ruleset(self.tags["Ruleset"], self.tags.get("Variants", ""))
        except EngineError as error:
            raise RecordVersionError(f"Ruleset and Variants: {error}") from error
        return self.checked(found)

    def checked(self, rules: Ruleset) -> Ruleset:
        """The ruleset given, if it is the game's; raises RecordVersionError if not."""
        tags = self.tags
        if tags["Rules"] != str(RULES):
            raise RecordVersionError(
                f"the record is of rules version {tags['Rules']}, this engine plays version {RULES}"
            )
        mine = (tags["Ruleset"], tags.get("Variants", ""), tags["Cards"])
        theirs = (rules.name, rules.variants, rules.cards_hash)
        for tag, held, found in zip(("Ruleset", "Variants", "Cards"), mine, theirs, strict=True):
            if held != found:
                raise RecordVersionError(
                    f"{tag} is {held!r}, the ruleset at hand has {found!r}: "
                    "replay the record with the cards and variants that it was played with"
                )
        return rules

    def states(self, rules: Ruleset | None = None) -> Iterator[State]:
        """The state before every action and the final one; one object, changed in place.

        Raises RecordActionError, with the ply, at an illegal action or one after the end.
        """
        played = self.ruleset() if rules is None else self.checked(rules)
        state = new_game(played, self.seed, self.opening)
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
        record = cls(_deal_tags(rules, seed, opening), plain, (), said.get(-1))
        rounds: list[int] = []
        for state in record.states(rules):
            rounds.append(state.round)
        record.rounds = rounds[: len(plain)]
        record.conclude(state.outcome(), tags or {}, result, termination, culprit)
        return record

    @classmethod
    def of_played(
        cls,
        state: State,
        actions: Sequence[int],
        rounds: Sequence[int],
        *,
        tags: Mapping[str, str] | None = None,
        result: str | None = None,
        termination: str = "normal",
        culprit: str = "none",
    ) -> Record:
        """The record of a game that was just played, without a replay.

        `state` is the final one, `rounds` holds the round in which each of the actions was asked. It is the
        same record that `of_game` makes, as long as actions and rounds are those of the state.
        """
        plain = [(action, None) for action in actions]
        record = cls(_deal_tags(state.ruleset, state.seed, state.opening), plain, rounds)
        record.conclude(state.outcome(), tags or {}, result, termination, culprit)
        return record

    def conclude(
        self, outcome: Outcome, tags: Mapping[str, str], result: str | None, termination: str, culprit: str
    ) -> None:
        """Set the tags about the end, and further ones; without a `result` that of the outcome."""
        found = {
            **tags,
            **self.tags,
            "Score": f"{outcome.scores[0]}-{outcome.scores[1]}",
            "Result": outcome.result if result is None else result,
            "Termination": termination,
            "Culprit": culprit,
        }
        order = (*(tag for tag in TAG_ORDER if tag in found), *(tag for tag in found if tag not in TAG_ORDER))
        self.tags = {tag: found[tag] for tag in order}

    def text(self) -> str:
        """The record as text, ending with a line break."""
        lines = [f'[{tag} "{escape(value)}"]' for tag, value in self.tags.items()]
        lines.append("")
        line = [] if self.opening_comment is None else [f"{{{escape(self.opening_comment)}}}"]
        for at, (action, comment) in enumerate(self.actions):
            if at == 0:
                line.insert(0, f"{self.rounds[at]}.")
            elif self.rounds[at] != self.rounds[at - 1]:
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
        tags, rest = read_tags(text)
        moves = Moves(rest, tags)
        moves.read()
        return cls(tags, moves.actions, moves.rounds, moves.comment)


def _deal_tags(rules: Ruleset, seed: bytes, opening: bytes | None) -> dict[str, str]:
    """The tags that a game can be dealt again from."""
    tags = {
        "Format": FORMAT,
        "Rules": str(RULES),
        "Ruleset": rules.name,
        "Variants": rules.variants,
        "Cards": rules.cards_hash,
        "Seed": seed.hex(),
    }
    if opening is not None:
        tags["Opening"] = opening.hex()
    return tags
