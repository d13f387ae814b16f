"""Who may call what: one table over all methods."""

from __future__ import annotations

from collections.abc import Mapping

from targi_server.errors import BadToken, Forbidden
from targi_server.rpc.call import Call

__all__ = ["ACCESS", "OPEN", "check_access"]

OPEN: frozenset[str] = frozenset()
"""Anybody, with or without a token."""

_BOT = frozenset({"bot"})
_OWNER = frozenset({"owner"})
_ADMIN = frozenset({"admin"})
_PARTIES = frozenset({"bot", "owner"})
_CONCERNED = frozenset({"bot", "owner", "admin"})

ACCESS: Mapping[str, frozenset[str]] = {
    "MatchService.Play": _BOT,
    "MatchService.Watch": OPEN,
    "MatchService.GetMatch": OPEN,
    "MatchService.ListMatches": OPEN,
    "MatchService.GetRecord": OPEN,
    "MatchService.GetCardSet": OPEN,
    "LobbyService.ListOnline": OPEN,
    "LobbyService.Challenge": _PARTIES,
    "LobbyService.AcceptChallenge": _PARTIES,
    "LobbyService.DeclineChallenge": _PARTIES,
    "LobbyService.WithdrawChallenge": _PARTIES,
    "LobbyService.ListChallenges": OPEN,
    "LadderService.GetStandings": OPEN,
    "LadderService.GetBot": OPEN,
    "LadderService.ListResults": OPEN,
    "LadderService.GetHeadToHead": OPEN,
    "LadderService.WhyNotPaired": _CONCERNED,
    "LadderService.ListSeasons": OPEN,
    "LadderService.ExportResults": OPEN,
    "LadderService.ListLapsedOffers": OPEN,
    "AccountService.CreateOwner": OPEN,
    "AccountService.RotateOwnerToken": _OWNER,
    "AccountService.RegisterBot": _OWNER,
    "AccountService.RotateBotToken": _OWNER,
    "AccountService.RevokeBotToken": _OWNER,
    "AccountService.ListBots": _OWNER,
    "AccountService.RetireBot": _OWNER,
    "AccountService.ResumeBot": _OWNER,
    "AccountService.ListNotices": _OWNER,
    "AdminService.PausePairing": _ADMIN,
    "AdminService.ResumePairing": _ADMIN,
    "AdminService.AbortMatch": _ADMIN,
    "AdminService.BanBot": _ADMIN,
    "AdminService.UnbanBot": _ADMIN,
    "AdminService.Drain": _ADMIN,
    "AdminService.CreateAdminToken": _ADMIN,
    "AdminService.RevokeAdminToken": _ADMIN,
}
"""Kinds of token that open a method. Finer rights (whose bot, whose challenge) are the domain's."""


def check_access(call: Call) -> None:
    """Raise BadToken without a token, Forbidden with one of another kind; an unlisted method is closed."""
    kinds = ACCESS.get(call.name, _ADMIN)
    if not kinds:
        return
    needs = f"{call.name} needs a token of kind {' or '.join(sorted(kinds))}"
    if call.identity is None:
        raise BadToken(f"{needs}: send `authorization: Bearer <token>`")
    if call.identity.kind not in kinds:
        raise Forbidden(f"{needs}, this one is of kind {call.identity.kind}")
