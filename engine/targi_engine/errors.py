"""Everything that the engine raises.

EngineError                  whatever goes wrong in this package
├── IllegalAction            an action that is not among the legal ones; the state is unchanged
├── UnknownAction            a text or number that is no action of the vocabulary
├── SeedError                a seed or opening that does not have 32 bytes
├── UnknownRuleset           a ruleset name that does not exist
├── UnknownVariant           a variant name or value that the ruleset does not have
├── CardFileError            a card file that cannot be read or holds a value that is not allowed
├── ObservationError         bytes that are no encoded observation of this version
└── RecordError              a game record that cannot be accepted
    ├── RecordSyntaxError    the text is no record: a tag, a comment or the end is wrong
    ├── RecordVersionError   another format, rules version or card set
    ├── RecordActionError    an action that is unknown, illegal or after the end
    └── RecordResultError    score, result, termination and culprit do not fit the game
"""

from __future__ import annotations


class EngineError(Exception):
    """Whatever goes wrong in this package."""


class IllegalAction(EngineError):  # noqa: N818 - the name is part of the public API
    """An action that is not among the legal ones; the state is unchanged."""


class UnknownAction(EngineError):  # noqa: N818 - the name is part of the public API
    """A text or number that is no action of the vocabulary."""


class SeedError(EngineError):
    """A seed or opening that does not have 32 bytes."""


class UnknownRuleset(EngineError):  # noqa: N818 - the name is part of the public API
    """A ruleset name that does not exist."""


class UnknownVariant(EngineError):  # noqa: N818 - the name is part of the public API
    """A variant name or value that the ruleset does not have."""


class CardFileError(EngineError):
    """A card file that cannot be read or holds a value that is not allowed."""


class ObservationError(EngineError):
    """Bytes that are no encoded observation of this version."""


class RecordError(EngineError):
    """A game record that cannot be accepted.

    `ply` is the number of decisions that replayed before the fault, None where the fault is not
    tied to one.
    """

    def __init__(self, words: str, ply: int | None = None) -> None:
        super().__init__(words if ply is None else f"ply {ply}: {words}")
        self.ply = ply


class RecordSyntaxError(RecordError):
    """The text is no record: a tag, a comment or the end is wrong."""


class RecordVersionError(RecordError):
    """Another format, rules version or card set."""


class RecordActionError(RecordError):
    """An action that is unknown, illegal or after the end."""


class RecordResultError(RecordError):
    """Score, result, termination and culprit do not fit the game."""
