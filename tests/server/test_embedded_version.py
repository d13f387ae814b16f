"""Versions of servers: how they are written, which suffice, who reads whose files."""

import pytest
from targi_server.embedded.version import ServerVersion


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=1", ("redis", (7, 0, 15))),
        ("Valkey server v=8.1.8 sha=00000000:1 malloc=libc bits=64 build=2", ("valkey", (8, 1, 8))),
        ("Redis 6.2.7", ("redis", (6, 2, 7))),
        ("Valkey 9.0", ("valkey", (9, 0))),
    ],
)
def test_a_version_is_read_as_programs_and_people_write_it(
    text: str, version: tuple[str, tuple[int, ...]]
) -> None:
    assert ServerVersion.parse(text) == ServerVersion(*version)


@pytest.mark.parametrize("text", ["", "GNU bash, version 5.2", "Redis", "redis-cli 7.0.15"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not the version"):
        ServerVersion.parse(text)


@pytest.mark.parametrize("text", ["Redis 7.0.15", "Valkey 8.1.8"])
def test_what_is_printed_is_parsed_back(text: str) -> None:
    assert str(ServerVersion.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "suffices"),
    [
        ("Redis 6.2.14", False),
        ("Redis 7.0", True),
        ("Redis 8.2.3", True),
        ("Redis 10.0", True),
        ("Valkey 7.1.9", False),
        ("Valkey 7.2.0", True),
    ],
)
def test_the_arena_needs_redis_7_0_or_valkey_7_2(text: str, suffices: bool) -> None:
    assert ServerVersion.parse(text).suffices is suffices


@pytest.mark.parametrize(
    ("reader", "writer", "reads"),
    [
        ("Redis 7.0.15", "Redis 7.0.5", True),
        ("Redis 7.0.5", "Redis 7.0.15", True),
        ("Redis 8.2.3", "Redis 7.0.15", True),
        ("Redis 7.0.15", "Redis 8.2.3", False),
        ("Redis 7.0.15", "Redis 10.0.0", False),
        ("Valkey 8.1.8", "Redis 7.0.15", True),
        ("Valkey 8.1.8", "Redis 7.2.4", True),
        ("Valkey 8.1.8", "Redis 8.2.3", False),
        ("Valkey 9.0.0", "Redis 8.2.3", False),
        ("Redis 7.0.15", "Valkey 8.1.8", False),
        ("Redis 8.2.3", "Valkey 8.1.8", True),
        ("Redis 8.2.3", "Valkey 9.0.0", False),
    ],
)
def test_an_older_server_does_not_read_what_a_newer_one_wrote(reader: str, writer: str, reads: bool) -> None:
    assert ServerVersion.parse(reader).reads(ServerVersion.parse(writer)) is reads
