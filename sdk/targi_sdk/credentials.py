"""The tokens of this user's owners and bots, in one file that nobody else can read.

The file is `credentials.json` in `$TARGI_HOME`, else in `~/.config/targi`, with mode 0600:

    {"format": 1, "servers": {"127.0.0.1:7400": {"owners": {NAME: TOKEN}, "bots": {NAME: TOKEN}}}}
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias, cast

from targi_sdk.errors import CredentialsError

__all__ = ["HOME_VARIABLE", "TOKEN_VARIABLE", "Credentials"]

HOME_VARIABLE = "TARGI_HOME"
TOKEN_VARIABLE = "TARGI_TOKEN"
"""Environment variable with a token that wins over the file."""

FILE = "credentials.json"
FORMAT = 1
OWNERS, BOTS = "owners", "bots"

Servers: TypeAlias = dict[str, dict[str, dict[str, str]]]


class Credentials:
    """Tokens by server, kind and name. Every method reads the file anew; saving locks it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Credentials:
        """The credentials of whoever has that environment."""
        home = environment.get(HOME_VARIABLE)
        return cls((Path(home) if home else Path("~/.config/targi").expanduser()) / FILE)

    def owners(self, server: str) -> dict[str, str]:
        """Tokens of the owners at a server, by name."""
        return self._of(server, OWNERS)

    def bots(self, server: str) -> dict[str, str]:
        """Tokens of the bots at a server, by name."""
        return self._of(server, BOTS)

    def save_owner(self, server: str, name: str, token: str) -> None:
        """Keep an owner's token; an older one of that name is replaced."""
        self._save(server, OWNERS, name, token)

    def save_bot(self, server: str, name: str, token: str) -> None:
        """Keep a bot's token; an older one of that name is replaced."""
        self._save(server, BOTS, name, token)

    def forget_bot(self, server: str, name: str) -> None:
        """Keep the token of a bot no longer, if it is kept."""
        with self._changed() as servers:
            servers.get(server, {}).get(BOTS, {}).pop(name, None)

    def _of(self, server: str, kind: str) -> dict[str, str]:
        return self._read().get(server, {}).get(kind, {})

    def _save(self, server: str, kind: str, name: str, token: str) -> None:
        with self._changed() as servers:
            servers.setdefault(server, {}).setdefault(kind, {})[name] = token

    @contextmanager
    def _changed(self) -> Iterator[Servers]:
        """What is kept, to be changed in the block, and written after it."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _locked(self.path.parent):
                servers = self._read()
                yield servers
                self._write(servers)
        except OSError as error:
            raise CredentialsError(f"{self.path} cannot be written: {error.strerror}") from error

    def _read(self) -> Servers:
        try:
            if self.path.stat().st_mode & 0o077:
                raise CredentialsError(f"others may read {self.path}: run `chmod 600 {self.path}`")
            document = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise CredentialsError(f"{self.path} cannot be read: {error}") from error
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise CredentialsError(f"{self.path} is no credentials file of format {FORMAT}: move it away")
        return cast(Servers, document["servers"])

    def _write(self, servers: Servers) -> None:
        """Replace the file as a whole, so that a crash leaves the old one or the new one."""
        descriptor, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{FILE}.")  # made with mode 0600
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"format": FORMAT, "servers": servers}, file, indent=2, sort_keys=True)
        Path(name).replace(self.path)


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Hold the lock of a directory: two commands that save at once both keep their token."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
