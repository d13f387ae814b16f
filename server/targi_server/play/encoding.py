"""Server events as bytes: an event is encoded once, however many frames it goes into.

Messages of protobuf can be joined: bytes of fields, one after the other, are the message that has them all,
and entries of a repeated field add up. So a frame is the plain join of its events, and a turn is a small
message followed by the ready-made entries of its legal actions.
"""

from __future__ import annotations

from functools import cache

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from targi.v1 import play_pb2

__all__ = ["encoded", "entry", "field"]

_LENGTH_DELIMITED = 2


def entry(message: type[Message], name: str, body: bytes) -> bytes:
    """One entry of the field `name` of `message`, from the encoded `body`."""
    return field(_tag(message.DESCRIPTOR, name), body)


def encoded(kind: str, body: bytes) -> bytes:
    """A server event of a kind ("turn", "applied", ..) as its entry in a PlayResponse."""
    inner = field(_tag(play_pb2.ServerEvent.DESCRIPTOR, kind), body)
    return field(_tag(play_pb2.PlayResponse.DESCRIPTOR, "events"), inner)


def field(tag: bytes, body: bytes) -> bytes:
    """A length-delimited field."""
    return tag + _varint(len(body)) + body


@cache
def _tag(message: Descriptor, name: str) -> bytes:
    return _varint(message.fields_by_name[name].number << 3 | _LENGTH_DELIMITED)


def _varint(number: int) -> bytes:
    if number < 128:
        return _SHORT[number]
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)


_SHORT = tuple(bytes((number,)) for number in range(128))
