"""`targi trace FILE`: replay a record and print one JSON object a decision."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from targi_engine import EngineError, trace

from targi_sdk.cards.own import add_cards_argument, own_cards
from targi_sdk.recordfile import RecordFileError, read_record

__all__ = ["COMMAND", "TraceCommand"]


class TraceCommand:
    """`targi trace`."""

    name = "trace"
    help = "replay a record and print the position before each decision, one JSON object a line"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a .targi file")
        add_cards_argument(parser)

    def run(self, args: argparse.Namespace) -> int:
        record = read_record(args.file)
        own = own_cards(args, record.tags["Ruleset"])
        try:
            for step in trace(record, own.of_record(record)):
                print(json.dumps(step, ensure_ascii=False))
        except EngineError as error:
            raise RecordFileError(f"{args.file}: {error}") from error
        return 0


COMMAND = TraceCommand()
