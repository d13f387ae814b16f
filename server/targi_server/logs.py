"""Logging: the standard library's, one line an event, for people (console) or for machines (JSON).

Code logs with `logging.getLogger(__name__)` and gives ids apart from the words:
`log.info("match started", extra={"match": match_id, "bot": bot})`.
"""

import json
import logging
import sys
from datetime import UTC, datetime

from targi_sdk.printable import printable

from targi_server.settings import Settings

__all__ = ["configure"]

# What every record carries anyway; anything beyond it came through `extra`.
STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def extras(record: logging.LogRecord) -> dict[str, object]:
    """What was given as `extra`, in its order."""
    return {key: value for key, value in vars(record).items() if key not in STANDARD}


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time (UTC, ISO 8601), level, logger, process, message, extras, exception."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self.process = process

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": self.process,
            "message": record.getMessage(),
            **extras(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)  # escapes whatever is not ASCII


class ConsoleFormatter(logging.Formatter):
    """Time, level, process, words, then the extras as key=value."""

    def __init__(self, process: str) -> None:
        super().__init__(fmt="{asctime} {levelname:<7} {message}", style="{", datefmt="%H:%M:%S")
        self.process = process

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the standard library's name)
        """The first line; a traceback follows it."""
        pairs = "".join(f" {key}={value}" for key, value in extras(record).items())
        return printable(f"{super().formatMessage(record)}{pairs} [{self.process}]", kept="")

    def format(self, record: logging.LogRecord) -> str:
        """All lines. What others sent can be in the traceback, too."""
        return printable(super().format(record))


def configure(settings: Settings, *, process: str = "server") -> None:
    """Sends all log records of this process to standard error in the form that the settings name."""
    formatters = {"json": JsonFormatter, "console": ConsoleFormatter}
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatters[settings.log_format](process))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
