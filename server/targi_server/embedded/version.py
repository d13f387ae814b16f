"""Versions of Redis and Valkey servers, and who can read whose files."""

import re
from dataclasses import dataclass

__all__ = ["MINIMUM", "ServerVersion"]

MINIMUM = {"redis": (7, 0), "valkey": (7, 2)}
"""Sharded pub/sub and the multi-part append-only file need these."""

# Format number of the snapshot files that a version writes and can read, from that version on.
# Up to 11 the two families share it; later both went on alone.
FORMATS = {
    "redis": (((7, 0), 10), ((7, 2), 11), ((7, 4), 12)),
    "valkey": (((7, 2), 11), ((9, 0), 80)),
}
SHARED_FORMAT = 11


@dataclass(frozen=True, slots=True)
class ServerVersion:
    """A family, "redis" or "valkey", and its version, such as (7, 0, 15)."""

    family: str
    number: tuple[int, ...]

    def __str__(self) -> str:
        """As people write it: `Redis 7.0.15`; `parse` reads it back."""
        return f"{self.family.capitalize()} {'.'.join(map(str, self.number))}"

    @classmethod
    def parse(cls, text: str) -> "ServerVersion":
        """Reads `Redis 7.0.15` and what `--version` prints; ValueError for anything else."""
        found = re.match(r"\s*(Redis|Valkey)\s+(?:server\s+)?v?=?(\d+(?:\.\d+)+)", text)
        if found is None:
            raise ValueError(f"not the version of a Redis or Valkey server: {text.strip()[:80]!r}")
        return cls(found[1].lower(), tuple(int(part) for part in found[2].split(".")))

    @property
    def suffices(self) -> bool:
        """Whether the arena runs on it."""
        return self.number >= MINIMUM[self.family]

    @property
    def format(self) -> int:
        """Format number of its snapshot files; 0 below the minimum."""
        return max((number for start, number in FORMATS[self.family] if self.number >= start), default=0)

    def reads(self, writer: "ServerVersion") -> bool:
        """Whether a server of this version reads files that `writer` left."""
        if self.family == writer.family:
            return self.number[:2] >= writer.number[:2]
        return writer.format <= min(self.format, SHARED_FORMAT)
