"""`targi serve`: runs the arena until it is told to stop."""

import argparse
import asyncio
import os
import sys

from targi_sdk.printable import printable

from targi_server import logs
from targi_server.commands.flags import add_settings, settings_of
from targi_server.settings import Settings
from targi_server.start_errors import StartError
from targi_server.supervisor import Arena, cancelled_by_signals, supervised

__all__ = ["COMMAND", "Serve", "failed"]

FAILED = 1


class Serve:
    """The command; exit code 0 after a signal that stops, 1 with the reason when it cannot start or go on."""

    name = "serve"
    help = "run the arena: gRPC workers, the HTTP port and an embedded Redis"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """All settings."""
        add_settings(parser)

    def run(self, args: argparse.Namespace) -> int:
        """Serves until a signal."""
        try:
            settings = settings_of(args, os.environ)
            logs.configure(settings, process="supervisor")
            asyncio.run(serve(settings))
        except StartError as error:
            return failed(error)
        return 0


async def serve(settings: Settings) -> None:
    """A supervised arena, announced on standard output."""
    with cancelled_by_signals():
        async with supervised(settings) as arena:
            data = str(settings.data_dir) if settings.redis_url is None else "an outside Redis"
            print(announcement(arena, data), flush=True)
            await arena.family.failure()


def announcement(arena: Arena, data: str) -> str:
    """Where the arena listens, for people."""
    settings = arena.settings
    workers = f"{settings.workers} worker{'s' if settings.workers > 1 else ''}"
    return (
        f"Targi arena: gRPC on {settings.host}:{settings.port} ({workers}), "
        f"page on {arena.page}, data in {data}. Ctrl-C stops it."
    )


def failed(error: StartError) -> int:
    """Prints why, returns the exit code."""
    print(f"targi: {printable(str(error))}", file=sys.stderr)
    return FAILED


COMMAND = Serve()
