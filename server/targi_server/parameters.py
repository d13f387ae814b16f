"""Kinds of settings: how the text of a flag or an environment variable becomes a value."""

from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Protocol

__all__ = ["Choice", "FilePath", "Kind", "Networks", "Number", "Switch", "Text", "Whole"]


class Kind(Protocol):
    """How one setting is written."""

    @property
    def metavar(self) -> str:
        """What --help shows in place of the value."""

    def parse(self, text: str) -> object:
        """The value; ValueError says what is allowed."""


@dataclass(frozen=True)
class Text:
    """Any text but none."""

    metavar: str = "TEXT"

    def parse(self, text: str) -> str:
        """The text itself."""
        if not text.strip():
            raise ValueError("it must not be empty; leave it out for the default")
        return text.strip()


@dataclass(frozen=True)
class FilePath:
    """A path in the file system."""

    metavar: str = "PATH"

    def parse(self, text: str) -> Path:
        """The path, `~` expanded."""
        return Path(Text().parse(text)).expanduser()


@dataclass(frozen=True)
class Whole:
    """A whole number between two bounds, both included."""

    low: int
    high: int
    metavar: str = "N"

    def parse(self, text: str) -> int:
        """The number."""
        words = f"a whole number from {self.low} to {self.high} is needed"
        try:
            number = int(text)
        except ValueError as error:
            raise ValueError(words) from error
        if not self.low <= number <= self.high:
            raise ValueError(words)
        return number


@dataclass(frozen=True)
class Number:
    """A number between two bounds, both included."""

    low: float
    high: float
    metavar: str = "N"

    def parse(self, text: str) -> float:
        """The number."""
        words = f"a number from {self.low:g} to {self.high:g} is needed"
        try:
            number = float(text)
        except ValueError as error:
            raise ValueError(words) from error
        if not self.low <= number <= self.high:
            raise ValueError(words)
        return number


@dataclass(frozen=True, init=False)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def __init__(self, *words: str) -> None:
        object.__setattr__(self, "words", words)

    @property
    def metavar(self) -> str:
        """The words themselves."""
        return "{" + ",".join(self.words) + "}"

    def parse(self, text: str) -> str:
        """The word."""
        if text.lower() not in self.words:
            raise ValueError(f"one of {', '.join(self.words)} is needed")
        return text.lower()


SWITCHES = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}


@dataclass(frozen=True)
class Switch:
    """On or off."""

    metavar: str = "{true,false}"

    def parse(self, text: str) -> bool:
        """True or False."""
        if text.lower() not in SWITCHES:
            raise ValueError(f"one of {', '.join(SWITCHES)} is needed")
        return SWITCHES[text.lower()]


@dataclass(frozen=True)
class Networks:
    """Addresses or networks, separated by commas."""

    metavar: str = "A,B"

    def parse(self, text: str) -> tuple[str, ...]:
        """Each as a network, such as 10.0.0.0/8 or 192.0.2.1/32."""
        return tuple(str(ip_network(part.strip(), strict=False)) for part in text.split(",") if part.strip())
