"""What is kept of a match that is over: its header, how it ended, its log with times, and its record."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from targi_engine import Record, ruleset

from targi_server import fairness
from targi_server.match.entries import Entry, decode_log, encode_log
from targi_server.match.incidents import Incident
from targi_server.match.model import Culprit, Kind, MatchHeader, StoredMatch, Termination, Verdict

__all__ = ["Finished", "finished", "unreplayable"]


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is over and filed."""

    header: MatchHeader
    verdict: Verdict
    record: str
    """Text in the record format; empty if the log does not replay."""
    clocks: tuple[int, int]
    """Time left at the end, ms."""
    strikes: tuple[int, int]
    entries: tuple[Entry, ...]
    """The evidence: times of each asked decision."""
    scores: tuple[int, int] | None
    """At the end, or as they would have counted then; None if the log does not replay."""
    story: tuple[Incident, ...]
    """More evidence: what happened besides, by time."""
    began_ms: int
    """When the first turn began: the log's times count from here."""

    def encode(self) -> bytes:
        """Header, verdict, log, numbers, record and incidents, each after its length; compressed."""
        numbers = json.dumps([self.clocks, self.strikes, self.scores, self.began_ms]).encode()
        story = "\n".join(incident.encode() for incident in self.story).encode()
        header, verdict, log = self.header.encode(), self.verdict.encode(), encode_log(self.entries)
        parts = (header, verdict, log, numbers, self.record.encode(), story)
        return zlib.compress(b"".join(len(part).to_bytes(4, "big") + part for part in parts), level=9)

    @classmethod
    def decode(cls, data: bytes) -> Finished:
        """Reverse of `encode`. Raises ValueError for anything else."""
        try:
            header, verdict, log, numbers, record, story = _parts(zlib.decompress(data))
        except zlib.error as error:
            raise ValueError(f"no finished match: {error}") from error
        (first, second), (strikes, others), scores, began_ms = json.loads(numbers)
        return cls(
            MatchHeader.decode(header),
            Verdict.decode(verdict),
            record.decode(),
            (first, second),
            (strikes, others),
            decode_log(log),
            None if scores is None else (scores[0], scores[1]),
            tuple(map(Incident.decode, story.decode().splitlines())),
            began_ms,
        )


def _parts(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        yield data[at + 4 : end]
        at = end


def finished(match: StoredMatch, notes: Mapping[int, str], story: tuple[Incident, ...]) -> Finished:
    """What is kept of a match that is over; `notes` are the bots' own words on their moves, by ply.

    Raises EngineError if its log does not replay.
    """
    verdict = match.live.verdict
    if verdict is None:
        raise ValueError(f"match {match.header.match_id} is not over")
    record = _record(match, verdict, notes)
    first, _, second = record.tags["Score"].partition("-")
    return _kept(match, verdict, record.text(), (int(first), int(second)), story)


def unreplayable(match: StoredMatch, words: str, story: tuple[Incident, ...]) -> Finished:
    """What is kept of a match whose log does not replay: the server's fault, whatever the verdict was."""
    at_ms = match.live.verdict.at_ms if match.live.verdict else match.live.turn_at_ms
    verdict = Verdict("*", Termination.SERVER_ERROR, Culprit.SERVER, words, at_ms=at_ms)
    return _kept(match, verdict, "", None, story)


def _kept(
    match: StoredMatch,
    verdict: Verdict,
    record: str,
    scores: tuple[int, int] | None,
    story: tuple[Incident, ...],
) -> Finished:
    live = match.live
    return Finished(
        match.header,
        verdict,
        record,
        live.clocks,
        live.strikes,
        match.entries,
        scores,
        story,
        match.began_ms,
    )


def _record(match: StoredMatch, verdict: Verdict, notes: Mapping[int, str]) -> Record:
    header = match.header
    return Record.of_game(
        ruleset(header.ruleset, header.variants),
        header.seed,
        header.opening,
        [entry.action for entry in match.entries],
        tags=_tags(header),
        result=verdict.result,
        termination=verdict.termination,
        culprit=verdict.culprit,
        comments=_comments(match.entries, notes),
    )


def _comments(entries: Sequence[Entry], notes: Mapping[int, str]) -> dict[int, str]:
    """Seconds charged for each answer, at its first action, and what the bot said about it."""
    return {
        at: f"{entry.charged_ms / 1000:.3f} {notes.get(at, '')}".rstrip()
        for at, entry in enumerate(entries)
        if not entry.chained
    }


def _tags(header: MatchHeader) -> dict[str, str]:
    """Who, when, and what the seeds follow from: everything here may be known once this match is over."""
    first, second = header.seats
    tags = {
        "Seat0": f"{first.bot} {first.version}",
        "Seat1": f"{second.bot} {second.version}",
        "Match": header.match_id,
        "Rated": "yes" if header.kind is Kind.RATED else "no",
        "Date": _moment(header.created_ms),
        "TimeControl": f"{header.base_ms / 1000:g}+{header.increment_ms / 1000:g}",
        "SeedCommitment": fairness.commitment(header.seed).hex(),
    }
    if header.pair_id:
        tags |= {"Pair": header.pair_id, "Game": str(header.game)}
    if header.given_seeds:
        tags["GivenSeeds"] = "yes"
    return {**tags, **_secrets(header)}


def _moment(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")


def _secrets(header: MatchHeader) -> dict[str, str]:
    """Secrets S0 and up to Sk of game k, their commitments, and the nonces."""
    drawn = header.secrets
    if drawn is None:
        return {}
    tags: dict[str, str] = {}
    for number, secret in enumerate((drawn.opening_secret, *drawn.game_secrets)):
        tags[f"Commitment{number}"] = fairness.commitment(secret).hex()
        tags[f"Secret{number}"] = secret.hex()
    for name, nonce, chained in zip("AB", (drawn.nonce_a, drawn.nonce_b), drawn.chained, strict=True):
        tags[f"Nonce{name}"] = nonce.hex()
        tags[f"NonceChain{name}"] = "yes" if chained else "no"
    return tags
