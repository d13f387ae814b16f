"""Temporary directories that killed arenas have left."""

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from targi_server import scratch

KINDS = ("demo", "metrics", "redis")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary directories are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "SHORT", tmp_path)
    return tmp_path


@pytest.fixture
def gone() -> int:
    """Pid of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        return process.pid


@pytest.mark.parametrize("kind", KINDS)
def test_a_directory_of_a_process_that_is_gone_is_removed(place: Path, gone: int, kind: str) -> None:
    left = place / f"targi-{kind}-{gone}-abc"
    (left / "inner").mkdir(parents=True)
    (left / "inner" / "file").touch()
    scratch.sweep()
    assert not left.exists()


@pytest.mark.parametrize("kind", KINDS)
def test_a_directory_of_a_process_that_lives_stays(place: Path, kind: str) -> None:
    used = Path(tempfile.mkdtemp(prefix=scratch.prefix(kind)))
    assert used.parent == place
    scratch.sweep()
    assert used.exists()


@pytest.mark.parametrize("name", ["targi-demo-abc", "targi-{}", "targi-engine-{}-abc", "other-{}"])
def test_what_is_not_named_so_stays(place: Path, gone: int, name: str) -> None:
    other = place / name.format(gone)
    other.mkdir()
    scratch.sweep()
    assert other.exists()


def test_a_link_stays_with_what_it_leads_to(
    place: Path, gone: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    target = tmp_path_factory.mktemp("target")
    (place / f"targi-demo-{gone}-abc").symlink_to(target)
    scratch.sweep()
    assert target.exists()


def test_the_socket_of_a_redis_that_outlived_its_supervisor_stays(place: Path, gone: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix=f"targi-redis-{gone}-", dir="/tmp"))
    scratch_socket = folder / scratch.SOCKET
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(scratch_socket))
        server.listen()
        assert not scratch.is_left(folder)
    assert scratch.is_left(folder)
    scratch_socket.unlink()
    folder.rmdir()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make another user's directory")
def test_another_users_directory_stays(place: Path, gone: int) -> None:
    other = place / f"targi-demo-{gone}-abc"
    other.mkdir()
    os.chown(other, 12_345, -1)
    scratch.sweep()
    assert other.exists()
