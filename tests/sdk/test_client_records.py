"""Fetching records from a server that refuses for a while, breaks off, or lies: scripted, on a real port."""

# The generated base is abstract; what is not scripted here must not be called.
# mypy: disable-error-code="abstract"

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest
from fake_arena import status_details
from targi.v1 import game_pb2, match_service_pb2, match_service_pb2_grpc
from targi_sdk.cli import main
from targi_sdk.client import records
from targi_sdk.wire import outcome_to_proto

ENDED_MS = 1_796_000_000_000
DAY = "2026-11-30"
CODES = {
    "NOT_AVAILABLE": grpc.StatusCode.FAILED_PRECONDITION,
    "LIMIT": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "INTERNAL": grpc.StatusCode.INTERNAL,
}


@dataclass
class Library(match_service_pb2_grpc.MatchServiceServicer):
    """Matches of which each record is `record of <id>`, after the refusals that are left for it."""

    matches: list[str]
    page: int = 500
    refusals: dict[str, list[str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def ListMatches(  # noqa: N802
        self, request: match_service_pb2.ListMatchesRequest, context: grpc.ServicerContext
    ) -> match_service_pb2.ListMatchesResponse:
        first = int(request.page_token or 0)
        last = first + self.page
        rows = [summary(match_id) for match_id in self.matches[first:last]]
        token = str(last) if last < len(self.matches) else ""
        return match_service_pb2.ListMatchesResponse(matches=rows, next_page_token=token)

    def GetRecord(  # noqa: N802
        self, request: match_service_pb2.GetRecordRequest, context: grpc.ServicerContext
    ) -> match_service_pb2.GetRecordResponse:
        self.asked.append(request.match_id)
        if left := self.refusals.get(request.match_id):
            reason = left.pop(0)
            context.set_trailing_metadata(status_details(CODES[reason], reason, "not now"))
            context.abort(CODES[reason], "not now")
        return match_service_pb2.GetRecordResponse(record=f"record of {request.match_id}\n")


def summary(match_id: str) -> match_service_pb2.MatchSummary:
    seats = [game_pb2.Seat(bot=bot) for bot in ("one", "two")]
    outcome = outcome_to_proto("1-0", "resigned", "1")
    return match_service_pb2.MatchSummary(
        match_id=match_id, seats=seats, ended_unix_ms=ENDED_MS, outcome=outcome
    )


@contextmanager
def serving(library: Library, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with ThreadPoolExecutor(4) as pool:
        server = grpc.server(pool)
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(library, server)
        monkeypatch.setenv("TARGI_SERVER", f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}")
        server.start()
        try:
            yield
        finally:
            server.stop(None).wait()


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "PAUSE_S", 0.01)


def export(directory: Path, *flags: str) -> int:
    return main(("records", "export", str(directory), *flags))


def names(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file())


def test_all_pages_are_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library([f"{number:04}" for number in range(150)], page=40)
    with serving(library, monkeypatch):
        assert export(tmp_path) == 0
    assert names(tmp_path) == [f"{DAY}/{match_id}.targi" for match_id in library.matches]
    assert (tmp_path / DAY / "0149.targi").read_text() == "record of 0149\n"
    assert sorted(library.asked) == library.matches


def test_what_passes_by_itself_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(["just-ended", "busy"])
    library.refusals = {"just-ended": ["NOT_AVAILABLE"] * 3, "busy": ["LIMIT"] * 3}
    with serving(library, monkeypatch):
        assert export(tmp_path) == 0
    assert names(tmp_path) == [f"{DAY}/busy.targi", f"{DAY}/just-ended.targi"]


def test_what_does_not_pass_is_told_and_the_rest_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(records, "WAITS_S", {"NOT_AVAILABLE": 0.1})
    library = Library(["0001", "0002"], refusals={"0001": ["NOT_AVAILABLE"] * 1_000})
    with serving(library, monkeypatch):
        assert export(tmp_path, "--json") == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {
        "directory": str(tmp_path),
        "exported": 1,
        "present": 0,
        "missing": [{"match_id": "0001", "why": "not now"}],
    }
    assert printed.err == "0001: not now\n"


def test_a_run_that_breaks_off_is_taken_up_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    library = Library([f"{number:04}" for number in range(200)], refusals={"0150": ["INTERNAL"]})
    with serving(library, monkeypatch):
        assert export(tmp_path) == 1
        assert "targi: not now" in capsys.readouterr().err
        there = names(tmp_path)
        assert [Path(name).stem for name in there] == library.matches[: len(there)]
        assert 100 <= len(there) <= 150
        library.asked.clear()
        assert export(tmp_path) == 0
    assert names(tmp_path) == [f"{DAY}/{match_id}.targi" for match_id in library.matches]
    assert sorted(library.asked) == library.matches[len(there) :]
    assert f"{200 - len(there)} records exported to {tmp_path}, {len(there)} there before" in (
        capsys.readouterr().out
    )


def test_a_half_file_of_another_run_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / DAY).mkdir()
    (tmp_path / DAY / ".0001.targi.x7").write_text("half of a rec")
    with serving(Library(["0001"]), monkeypatch):
        assert export(tmp_path) == 0
    assert (tmp_path / DAY / "0001.targi").read_text() == "record of 0001\n"


@pytest.mark.parametrize("match_id", ["../../escape", "/etc/passwd", "", "a/b"])
def test_an_id_that_is_none_names_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], match_id: str
) -> None:
    with serving(Library([match_id]), monkeypatch):
        assert export(tmp_path / "deep" / "down") == 1
    assert "is no id of a match" in capsys.readouterr().err
    assert names(tmp_path) == []
