"""`targi bot register|list|token|revoke|retire|why`: what an owner does with the accounts of own bots."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

from targi_sdk.client.bots import OwnedBot
from targi_sdk.client.unary import Calls, calling
from targi_sdk.commands.server_option import server_of
from targi_sdk.commands.tokens import BOT, Keyring, keep_token
from targi_sdk.console import Console
from targi_sdk.credentials import Credentials

__all__ = ["list_bots", "register", "retire", "revoke", "rotate", "why"]

COLUMNS = ("bot", "state", "connected")


def register(args: argparse.Namespace) -> int:
    """Register a bot and keep its token."""
    with _calls_of_owner(args) as calls:
        token = calls.register_bot(args.bot)
    return _keep(args, token, f"bot {args.bot} registered at {server_of(args)}")


def rotate(args: argparse.Namespace) -> int:
    """Make a new token and keep it in place of the old one."""
    with _calls_of_owner(args) as calls:
        token = calls.rotate_bot_token(args.bot)
    return _keep(args, token, f"bot {args.bot} has a new token at {server_of(args)}")


def revoke(args: argparse.Namespace) -> int:
    """Take a token away, here too."""
    with _calls_of_owner(args) as calls:
        calls.revoke_bot_token(args.bot)
    Credentials.of(os.environ).forget_bot(str(server_of(args)), args.bot)
    words = "has no token now, and its streams end; `targi bot token` makes a new one"
    return _done(args, words, revoked=True)


def retire(args: argparse.Namespace) -> int:
    """Retire a bot for good."""
    with _calls_of_owner(args) as calls:
        calls.retire_bot(args.bot)
    return _done(args, "is retired: what it plays goes on to its end, nothing new starts", retired=True)


def list_bots(args: argparse.Namespace) -> int:
    """Show all bots of an owner."""
    with _calls_of_owner(args) as calls:
        bots = calls.own_bots()
    console = Console.of(args)
    console.table(COLUMNS, [(bot.bot, _state(bot), "yes" if bot.online else "no") for bot in bots])
    console.document([asdict(bot) for bot in bots])
    return 0


def why(args: argparse.Namespace) -> int:
    """Show what keeps the ladder from pairing a bot."""
    with _calls_of_owner(args) as calls:
        reasons = calls.why_not_paired(args.bot)
    console = Console.of(args)
    for reason in reasons or ("nothing stands in the way: it is paired as soon as the ladder looks again",):
        console.line(reason)
    console.document({"bot": args.bot, "reasons": reasons})
    return 0


def _state(bot: OwnedBot) -> str:
    """What the owner may expect of it; the gravest first."""
    if bot.paused:
        return bot.paused
    if bot.retired:
        return "retired"
    return "active" if bot.active else "without a token"


@contextmanager
def _calls_of_owner(args: argparse.Namespace) -> Iterator[Calls]:
    server = server_of(args)
    with calling(server, Keyring(os.environ, server).owner(args.owner)) as calls:
        yield calls


def _keep(args: argparse.Namespace, token: str, words: str) -> int:
    server, credentials = str(server_of(args)), Credentials.of(os.environ)
    keep_token(BOT, credentials, server, args.bot, token)
    console = Console.of(args)
    console.line(f"{words}; its token is kept in {credentials.path}")
    console.document({"bot": args.bot, "server": server, "token": token})
    return 0


def _done(args: argparse.Namespace, words: str, **done: bool) -> int:
    console = Console.of(args)
    console.line(f"bot {args.bot} {words}")
    console.document({"bot": args.bot, "server": str(server_of(args)), **done})
    return 0
