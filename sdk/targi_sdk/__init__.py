"""What a bot author needs to write a bot. `targi_sdk.client` plays it over the service."""

from targi_sdk.bot import Action, Bot, Choice, End, Start, Turn, turn_rng
from targi_sdk.errors import SdkError

__all__ = ["Action", "Bot", "Choice", "End", "SdkError", "Start", "Turn", "turn_rng"]
