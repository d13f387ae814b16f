"""Server events as bytes: an event is encoded once, however many frames it goes into.

Messages of protobuf can be joined: bytes of fields, one after the other, are the message that has them all,
and entries of a repeated field add up. So a frame is the plain join of its events, and a turn is a small
message followed by the ready-made entries of its legal actions.
"""

from __future__ import annotations

from functools import cache

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from targi.v1 import play_pb2

__all__ = ["encoded", "entry", "field", "number", "tag", "varint"]

_VARINT = 0
_LENGTH_DELIMITED = 2
_ONE_BYTE = tuple(bytes((value,)) for value in range(128))
_DELIMITED = (FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)


def entry(message: type[Message], name: str, body: bytes) -> bytes:
    """One entry of the field `name` of `message`, from the encoded `body`."""
    return field(tag(message, name), body)


def encoded(kind: str, body: bytes) -> bytes:
    """A server event of a kind ("turn", "applied", ..) as its entry in a PlayResponse."""
    events, key = _event_keys(kind)
    inner = key + varint(len(body))
    return events + varint(len(inner) + len(body)) + inner + body


def field(key: bytes, body: bytes) -> bytes:
    """A length-delimited field with that tag."""
    return key + varint(len(body)) + body


def number(key: bytes, value: int) -> bytes:
    """A field of a whole number, none negative; 0 is not sent."""
    return key + varint(value) if value else b""


def tag(message: type[Message], name: str) -> bytes:
    """What comes before the value of a field: its number and how the value is written."""
    return _tag(message.DESCRIPTOR, name)


@cache
def _tag(message: Descriptor, name: str) -> bytes:
    found = message.fields_by_name[name]
    delimited = found.type in _DELIMITED
    return varint(found.number << 3 | (_LENGTH_DELIMITED if delimited else _VARINT))


@cache
def _event_keys(kind: str) -> tuple[bytes, bytes]:
    return tag(play_pb2.PlayResponse, "events"), tag(play_pb2.ServerEvent, kind)


def varint(value: int) -> bytes:
    """A number, none negative, in seven bits a byte."""
    if value < 128:
        return _ONE_BYTE[value]
    if value < 16_384:
        return bytes((value & 127 | 128, value >> 7))
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    parts.append(value)
    return bytes(parts)
