"""Looks for secrets in everything that was sent, however they are written."""

from __future__ import annotations

import base64
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Evidence", "Finder", "Hunt", "spellings"]

WINDOW = 8
"""Bytes by which a spelling is found; the rest is compared then."""


@dataclass(frozen=True)
class Evidence:
    """Bytes that somebody saw, in the order of seeing, and the matches that they show to be over."""

    source: str
    content: bytes
    over: frozenset[str] = frozenset()


@dataclass
class Hunt:
    """All that was seen, and the secrets by the match whose end publishes them ("" for never)."""

    seen: list[Evidence] = field(default_factory=list)
    secrets: dict[bytes, set[str]] = field(default_factory=dict)

    def see(self, source: str, content: bytes, over: Collection[str] = ()) -> None:
        """Somebody saw this."""
        self.seen.append(Evidence(source, content, frozenset(over)))

    def hide(self, secret: bytes, until: str = "") -> None:
        """This is secret until a match is over; with several matches, until the first of them is."""
        if secret:
            self.secrets.setdefault(secret, set()).add(until)

    def leaks(self) -> list[str]:
        """What was seen of a secret before its time."""
        finder = Finder({text: secret for secret in self.secrets for text in spellings(secret)})
        over: set[str] = set()
        found: list[str] = []
        for evidence in self.seen:
            over |= evidence.over
            early = (each for each in finder.secrets_in(evidence.content) if not self.secrets[each] & over)
            found += (f"{evidence.source}: {each.hex()} of {sorted(self.secrets[each])}" for each in early)
        return found


class Finder:
    """Finds many texts at once: first by their beginnings, as numbers, then as they are."""

    def __init__(self, patterns: Mapping[bytes, bytes]) -> None:
        self._patterns = patterns
        self._starts: dict[int, list[bytes]] = {}
        for text in patterns:
            self._starts.setdefault(int.from_bytes(text[:WINDOW], sys.byteorder), []).append(text)
        self._keys = np.array(sorted(self._starts), dtype=np.uint64)

    def secrets_in(self, content: bytes) -> set[bytes]:
        """The secrets of which a spelling stands in the content."""
        if len(content) < WINDOW:
            return set()
        windows = _windows(content)
        places = np.minimum(np.searchsorted(self._keys, windows), len(self._keys) - 1)
        hits = np.unique(windows[self._keys[places] == windows])
        texts = (text for hit in hits for text in self._starts[int(hit)])
        return {self._patterns[text] for text in texts if text in content}


def spellings(secret: bytes) -> Iterator[bytes]:
    """The ways in which bytes, or the text of a token, could stand in a message or a log line."""
    yield secret
    hexed = secret.hex()
    yield from (hexed.encode(), hexed.upper().encode())
    yield from (
        base64.b64encode(secret)[:-4],
        base64.urlsafe_b64encode(secret)[:-4],
        base64.b85encode(secret),
    )
    yield repr(secret)[2:-1].encode()
    yield "".join(f"\\{byte:03o}" if not 32 <= byte < 127 else chr(byte) for byte in secret).encode()


def _windows(content: bytes) -> NDArray[np.uint64]:
    """Each run of WINDOW bytes as a number."""
    octets = np.frombuffer(content, dtype=np.uint8)
    windows = np.lib.stride_tricks.sliding_window_view(octets, WINDOW)
    return np.ascontiguousarray(windows).view(np.uint64).ravel()
