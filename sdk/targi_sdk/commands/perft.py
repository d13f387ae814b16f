"""`targi perft`: count the lines of play to a depth; engines that generate the same actions count alike."""

from __future__ import annotations

import argparse
import time

from targi_engine import new_game, perft, ruleset

from targi_sdk.console import Console, add_output_arguments
from targi_sdk.seeds import game_seed

__all__ = ["COMMAND", "PerftCommand"]


class PerftCommand:
    """`targi perft`."""

    name = "perft"
    help = "count the lines of play from the start of a game, to each depth"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--ruleset", default="base", help="base, expansion or mixed (default: base)")
        parser.add_argument("--variants", default="", help="name=value, comma-separated")
        parser.add_argument("--seed", default="00" * 32, help="64 hexadecimal digits (default: zeros)")
        parser.add_argument("--opening", help="64 hexadecimal digits (default: a game without an opening)")
        parser.add_argument("--depth", type=_depth, default=3, help="in decisions (default: 3)")
        add_output_arguments(parser)

    def run(self, args: argparse.Namespace) -> int:
        rules = ruleset(args.ruleset, args.variants)
        opening = None if args.opening is None else game_seed(args.opening)
        start = new_game(rules, game_seed(args.seed), opening)
        console = Console.of(args)
        rows = []
        for depth in range(1, args.depth + 1):
            begun = time.perf_counter()
            rows.append((depth, perft(start.clone(), depth), time.perf_counter() - begun))
        console.table(("depth", "lines", "seconds"), rows)
        console.document([{"depth": depth, "lines": lines} for depth, lines, _ in rows])
        return 0


def _depth(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text!r}")
    return int(text)


COMMAND = PerftCommand()
