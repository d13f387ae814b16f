"""Every call that only reads, as a table: what the curious ask for, and what an answer shows to be over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from method_calls import METHODS
from targi.v1 import match_service_pb2

__all__ = ["CHANGES", "READS", "STREAMS", "View", "full_name", "over_by", "requests"]

# Values of the fields of a request, by name.
Fields: TypeAlias = Mapping[str, object]


@dataclass(frozen=True)
class View:
    """What may be asked about at the moment."""

    matches: tuple[str, ...]
    bots: tuple[str, ...]
    cards_hash: str


def _once(_view: View) -> Iterable[Fields]:
    return [{}]


def _bots(view: View) -> Iterable[Fields]:
    return [{"bot": bot} for bot in view.bots]


READS: Mapping[str, Callable[[View], Iterable[Fields]]] = {
    "MatchService.GetMatch": lambda view: [{"match_id": each, "timeline": True} for each in view.matches],
    "MatchService.GetRecord": lambda view: [{"match_id": each} for each in view.matches],
    "MatchService.ListMatches": lambda view: [{"state": state} for state in (0, 1, 2)],
    "MatchService.GetCardSet": lambda view: [{"hash": view.cards_hash}],
    "LobbyService.ListOnline": _once,
    "LobbyService.ListChallenges": _bots,
    "LadderService.GetStandings": _once,
    "LadderService.GetBot": _bots,
    "LadderService.ListResults": lambda view: [{}, *_bots(view)],
    "LadderService.GetHeadToHead": lambda view: [
        {"bot": bot, "opponent": other}
        for bot, other in zip(view.bots, view.bots[1:] + view.bots[:1], strict=True)
    ],
    "LadderService.WhyNotPaired": _bots,
    "LadderService.ListSeasons": _once,
    "LadderService.ExportResults": _once,
    "LadderService.ListLapsedOffers": _once,
    "AccountService.ListBots": _once,
    "AccountService.ListNotices": _bots,
}
"""What to ask, by method."""
STREAMS = frozenset({"MatchService.Play", "MatchService.Watch"})
"""Those that are listened to for as long as a match runs."""
CHANGES = frozenset(
    {
        *("LobbyService.Challenge", "LobbyService.AcceptChallenge", "LobbyService.DeclineChallenge"),
        *("LobbyService.WithdrawChallenge", "AccountService.CreateOwner", "AccountService.RotateOwnerToken"),
        *("AccountService.RegisterBot", "AccountService.RotateBotToken", "AccountService.RevokeBotToken"),
        *("AccountService.RetireBot", "AccountService.ResumeBot", "AdminService.PausePairing"),
        *("AdminService.ResumePairing", "AdminService.AbortMatch", "AdminService.BanBot"),
        *("AdminService.UnbanBot", "AdminService.Drain", "AdminService.CreateAdminToken"),
        "AdminService.RevokeAdminToken",
    }
)
"""Those that do something, and answer with no more than what was done."""


def full_name(method: MethodDescriptor) -> str:
    """ "MatchService.GetMatch"."""
    return f"{method.containing_service.name}.{method.name}"


def requests(view: View) -> Iterable[tuple[MethodDescriptor, Message]]:
    """All that can be asked now, method by method."""
    for method in METHODS:
        if full_name(method) in READS:
            make = GetMessageClass(method.input_type)
            yield from ((method, make(**fields)) for fields in READS[full_name(method)](view))


def over_by(method: MethodDescriptor, answer: bytes) -> set[str]:
    """Ids of matches and offers whose secrets are public by this answer: it says that they are over."""
    # Any: the class of the message is known by its descriptor only.
    message: Any = GetMessageClass(method.output_type).FromString(answer)
    if full_name(method) == "MatchService.GetMatch":
        ended = message.match.state == match_service_pb2.MATCH_STATE_ENDED
        return {message.match.match_id} if ended else set()
    if full_name(method) == "LadderService.ListLapsedOffers":
        return {offer.offer_id for offer in message.offers}
    return set()
