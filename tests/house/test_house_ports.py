"""The ports of what tests start: nobody takes them meanwhile, and if somebody does, others are taken."""

from __future__ import annotations

import socket
from pathlib import Path

from arena_process import Arena
from spare_port import free_port, is_free, spared
from targi_server.ports import bound


def test_a_free_port_is_none_of_those_that_the_system_gives_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as given:
        assert given.getsockname()[1] not in spared()
    assert free_port() in spared()


def test_a_port_in_use_is_not_free() -> None:
    port = free_port()
    assert is_free(port)
    with bound("127.0.0.1", port):
        assert not is_free(port)


def test_a_server_whose_port_was_taken_before_it_started_has_another(tmp_path: Path) -> None:
    server = Arena(tmp_path / "data")
    chosen = server.http_port
    try:
        with bound("127.0.0.1", chosen):
            server.start()
            assert server.http_port != chosen
    finally:
        server.stop()
