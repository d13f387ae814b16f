"""`python -m targi_server` is `targi serve`."""

import argparse
import sys
from collections.abc import Sequence

from targi_server.commands.serve import COMMAND

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Parses the flags and serves. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m targi_server", description=COMMAND.help)
    COMMAND.add_arguments(parser)
    return COMMAND.run(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
