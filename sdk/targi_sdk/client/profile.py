"""What a client says of itself when it connects."""

from __future__ import annotations

import platform
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Literal, TypeAlias

from targi.v1 import play_pb2 as pb
from targi_engine import RULES, VOCABULARY

from targi_sdk.bot import Bot

__all__ = ["Challenges", "Profile", "sdk_version"]

SDK_NAME = "targi-sdk-python"
DISTRIBUTION = "targi"
Challenges: TypeAlias = Literal["all", "own", "none"]
_POLICIES: Mapping[Challenges, pb.ChallengePolicy.ValueType] = {
    "all": pb.CHALLENGE_POLICY_ALL,
    "own": pb.CHALLENGE_POLICY_OWN,
    "none": pb.CHALLENGE_POLICY_NONE,
}


@dataclass(frozen=True, slots=True)
class Profile:
    """The bot as the service sees it."""

    bot_version: str = "1"
    """1 to 64 characters; a new version is a new player on the ladder."""
    rulesets: tuple[str, ...] = ("base",)
    capacity: int = 2
    """Matches at a time, from 1."""
    ladder: bool = True
    """Whether the ladder may pair it."""
    challenges: Challenges = "all"
    """Whose challenges it takes; "own": those of bots of its own owner."""
    session: str = field(default_factory=lambda: secrets.token_hex(16))
    """What this process resumes by after a broken connection."""

    @classmethod
    def of(cls, bot: type[Bot], *, capacity: int, ladder: bool) -> Profile:
        """The profile of a bot class."""
        return cls(bot.version, bot.rulesets, capacity, ladder)

    def hello(self, chain_head: bytes) -> pb.BotEvent:
        """First event of a stream. `chain_head`: 32 bytes, see `NonceChain.head`."""
        return pb.BotEvent(
            hello=pb.Hello(
                session=self.session,
                sdk_name=f"{SDK_NAME} ({platform.python_implementation()} {platform.python_version()})",
                sdk_version=sdk_version(),
                bot_version=self.bot_version,
                rules_versions=[RULES],
                vocabulary_version=VOCABULARY,
                capacity=self.capacity,
                rulesets=self.rulesets,
                ladder=self.ladder,
                view=pb.VIEW_FORM_COMPACT,
                nonce_chain_head=chain_head,
                challenges=_POLICIES[self.challenges],
            )
        )


def sdk_version() -> str:
    """Version of the installed distribution."""
    return version(DISTRIBUTION)
