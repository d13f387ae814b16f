"""What a bot is told of input that was refused."""

from play_client import PlayClient
from targi.v1 import play_pb2, reason_pb2

__all__ = ["rejection"]


async def rejection(client: PlayClient, reason: str) -> play_pb2.Rejected:
    """The next refusal, which has words and this reason."""
    rejected: play_pb2.Rejected = await client.next("rejected")
    assert reason_pb2.Reason.Name(rejected.reason) == f"REASON_{reason}"
    assert rejected.words
    return rejected
