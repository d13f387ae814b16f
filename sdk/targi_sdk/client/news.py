"""What a running client tells whoever started it, for a console or a log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from targi_sdk.printable import printable

__all__ = ["Kind", "News", "Reporter", "log_news"]

log = logging.getLogger(__name__)


class Kind(StrEnum):
    """What a piece of news is about."""

    CONNECTED = "connected"
    LOST = "lost"
    OFFER = "offer"
    STARTED = "started"
    ENDED = "ended"
    FAILED = "failed"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened."""

    kind: Kind
    words: str
    """One line."""
    match_id: str = ""
    details: str = ""
    """More lines, "" for none: a traceback with the turn that it belongs to."""


Reporter = Callable[[News], None]
"""Takes news; it is called in the event loop and must not block."""

LEVELS = {Kind.LOST: logging.WARNING, Kind.FAILED: logging.ERROR, Kind.NOTICE: logging.WARNING}


def log_news(news: News) -> None:
    """The reporter for programs without a console: each piece of news is a log entry."""
    text = f"{news.words}\n{news.details}" if news.details else news.words
    log.log(LEVELS.get(news.kind, logging.INFO), "%s", printable(text), extra={"match": news.match_id})
