"""`targi demo`: a short rated ladder of the reference bots, from nothing to the standings."""

import argparse
import asyncio
import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from targi_server import logs
from targi_server.commands.bots import BotProcess
from targi_server.commands.client import Client, client_of
from targi_server.commands.flags import add_settings, settings_of
from targi_server.commands.progress import counted
from targi_server.commands.serve import failed
from targi_server.embedded.directory import usable
from targi_server.options import environment_key
from targi_server.scratch import prefix
from targi_server.settings import Settings
from targi_server.start_errors import BadSetting, DemoStuck, StartError
from targi_server.supervisor import Arena, cancelled_by_signals, supervised

__all__ = ["COMMAND", "Demo"]

BOTS = ("random", "builder", "greedy")
DEFAULTS: dict[str, object] = {
    "port": 0,
    "http_port": 0,
    "base_ms": 20_000,
    "increment_ms": 200,
    "log_level": "warning",
    "open_registration": True,
}
SHOWN = ("data_dir", "port", "http_port", "workers", "redis_binary", "base_ms", "increment_ms", "log_level")
GONE_AFTERWARDS = "a new one that is gone afterwards"
POLL_S = 0.5
STUCK_S = 120.0
"""Time without a rated match that ends after which something must be wrong."""
LEAVE_S = 60.0
"""Time in which the bots finish what runs."""
INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Plan:
    """What the demo does: rated matches, where the record goes, a directory for the bots' files."""

    matches: int
    out: Path
    bots: Path


class Demo:
    """The command; exit code 0 after the standings, 1 with the reason, 130 when it was interrupted."""

    name = "demo"
    help = "play a short rated ladder of the reference bots and print the standings"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """How much, where to, and the settings that matter."""
        parser.add_argument(
            "--matches",
            type=count,
            default=40,
            metavar="N",
            help="rated matches to wait for (default: 40); pairs that run then are finished, too",
        )
        parser.add_argument(
            "--out",
            type=Path,
            default=Path("demo-out"),
            metavar="DIR",
            help="directory for the winner's last record (default: demo-out)",
        )
        add_settings(parser, SHOWN, {**DEFAULTS, "data_dir": GONE_AFTERWARDS})

    def run(self, args: argparse.Namespace) -> int:
        """Plays, then prints."""
        try:
            settings = settings_of(args, os.environ, DEFAULTS)
            given = hasattr(args, "data_dir") or environment_key("data_dir") in os.environ
            logs.configure(settings, process="supervisor")
            check(args.out)
            with directory(settings.data_dir if given else None) as data:
                plan = Plan(args.matches, args.out, data / "bots")
                return asyncio.run(demo(replace(plain(settings), data_dir=data), plan))
        except StartError as error:
            return failed(error)


def count(text: str) -> int:
    """A number of matches."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"a whole number of 1 or more is needed, not {text!r}")
    return number


def check(out: Path) -> None:
    """Sees that records can be written to a directory, without making it yet. Raises BadSetting."""
    with writing(out):
        whole = out.absolute()
        with tempfile.TemporaryFile(dir=next(path for path in (whole, *whole.parents) if path.exists())):
            pass


@contextlib.contextmanager
def writing(out: Path) -> Iterator[None]:
    """Within it an OSError means that the record cannot be written, and becomes a BadSetting."""
    try:
        yield
    except OSError as error:
        words = (
            f"no record can be written there ({error.strerror}); give a directory that this user may write"
        )
        raise BadSetting("--out", str(out), words) from error


def plain(settings: Settings) -> Settings:
    """Without TLS and archive, which the environment may ask for on behalf of a server of one's own."""
    return replace(settings, tls_cert=None, tls_key=None, tls_client_ca=None, archive_dir=None)


@contextlib.contextmanager
def directory(given: Path | None) -> Iterator[Path]:
    """The given data directory, else one that is gone afterwards."""
    if given is not None:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix=prefix("demo")) as folder:
        yield Path(folder)


async def demo(settings: Settings, plan: Plan) -> int:
    """The arena with its bots; returns the exit code."""
    code = INTERRUPTED
    with cancelled_by_signals():
        async with supervised(settings) as arena, client_of(arena.address) as client:
            print(f"arena at {arena.address}, page at {arena.page}", flush=True)
            await arena.unless_failed(ladder_played(arena, client, plan))
            await show_table(arena)
            await save_record(client, plan.out)
            code = 0
    return code


async def ladder_played(arena: Arena, client: Client, plan: Plan) -> None:
    """Lets the bots play, then leave, until the table has what they played."""
    with usable(plan.bots):
        plan.bots.mkdir(exist_ok=True)
        tokens = [await token_of(spec, client, plan.bots / f"{spec}.token") for spec in BOTS]
    bots = await arena.family.start(
        *(
            BotProcess(spec, address=arena.address, token=token, folder=plan.bots)
            for spec, token in zip(BOTS, tokens, strict=True)
        )
    )
    await played(client, plan)
    print("the bots finish what they have begun", flush=True)
    await bots.stop(LEAVE_S)
    await settled(client)


async def token_of(bot: str, client: Client, path: Path) -> str:
    """The bot's token: kept from an earlier demo on this directory, else of a bot with a new owner.

    The ladder pairs no two bots of one owner.
    """
    return kept(path) or keep(path, await client.register(bot, f"demo-{bot}"))


def kept(path: Path) -> str:
    """The token in a file, empty if there is none."""
    return path.read_text() if path.exists() else ""


def keep(path: Path, token: str) -> str:
    """Writes a token to a file that nobody else reads, and returns it."""
    path.touch(mode=0o600)
    path.write_text(token)
    return token


async def played(client: Client, plan: Plan) -> None:
    """Waits for the rated matches and shows how many there are. Raises DemoStuck when there are no more."""
    loop = asyncio.get_running_loop()
    done, news = 0, loop.time()
    with counted("rated matches", plan.matches) as show:
        while done < plan.matches:
            await asyncio.sleep(POLL_S)
            now = (await client.table()).matches
            if now > done:
                done, news = now, loop.time()
                show(done)
            if loop.time() - news > STUCK_S:
                raise DemoStuck(f"no rated match ended for {STUCK_S:.0f} s; what the bots say: {plan.bots}")


async def settled(client: Client) -> None:
    """Waits until the table does not change any more: the last results are filed a moment after their end."""
    before, now = None, (await client.table()).matches
    while before != now:
        await asyncio.sleep(4 * POLL_S)
        before, now = now, (await client.table()).matches


async def show_table(arena: Arena) -> None:
    """Prints the standings as `targi standings` does, with intervals."""
    table = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "targi_sdk.cli", "standings", "--server", arena.address
    )
    if code := await table.wait():
        raise DemoStuck(f"`targi standings --server {arena.address}` ended with exit code {code}")


async def save_record(client: Client, out: Path) -> None:
    """Keeps the winner's last record and says where."""
    winner = (await client.table()).standings[0].bot
    match_id = await client.last_match(winner)
    text = await client.record(match_id)
    with writing(out):
        path = written(out / f"{match_id}.targi", text)
    print(f"last match of {winner}, the first of the table: {path}", flush=True)


def written(path: Path, text: str) -> Path:
    """Writes a file, its directory first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


COMMAND = Demo()
