"""The tree of errors, its table, and what a caller sees of them."""

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from targi.v1 import reason_pb2
from targi_server import errors
from targi_server.echo import MOST_ECHOED, echoed
from targi_server.errors import DOMAIN, STATUS, ServerError
from targi_server.rpc.status import rich_status

# Reasons without an error of their own: none given.
WITHOUT_ERROR = {"REASON_UNSPECIFIED"}


def tree(root: type[ServerError]) -> set[type[ServerError]]:
    own = (child for child in root.__subclasses__() if child.__module__ == root.__module__)
    return {root}.union(*map(tree, own))


def test_every_error_has_a_row() -> None:
    assert tree(ServerError) == set(STATUS)


def test_every_error_is_drawn_in_the_docstring_and_exported() -> None:
    drawn = errors.__doc__ or ""
    for error in STATUS:
        assert error.__name__ in drawn
        assert error.__name__ in errors.__all__


def test_the_reasons_of_the_table_are_those_of_the_contract() -> None:
    named = {f"REASON_{reason}" for _, reason in STATUS.values()}
    assert named == set(reason_pb2.Reason.keys()) - WITHOUT_ERROR


@pytest.mark.parametrize("error", STATUS)
def test_a_status_carries_words_and_reason(error: type[ServerError]) -> None:
    status = rich_status(error("do it another way"))
    assert status.code is STATUS[error][0]
    assert status.details == "do it another way"
    info = error_details_pb2.ErrorInfo()
    rich = status_pb2.Status.FromString(dict(status.trailing_metadata)["grpc-status-details-bin"])
    assert rich.details[0].Unpack(info)
    assert (info.reason, info.domain) == (STATUS[error][1], DOMAIN)


def test_what_a_caller_sent_is_said_back_in_part() -> None:
    assert echoed("base") == "'base'"
    assert echoed("x" * 20_000) == repr("x" * MOST_ECHOED + "..")
    assert echoed("a\nb") == "'a\\nb'"


def test_no_status_outgrows_what_headers_hold() -> None:
    status = rich_status(ServerError("\U0001f42a" * 20_000))
    rich = dict(status.trailing_metadata)["grpc-status-details-bin"]
    escaped = 3 * len(status.details.encode())
    assert escaped + 4 * len(rich) // 3 < 16_384


def test_a_class_without_a_row_answers_like_its_parent() -> None:
    class Special(errors.NotFound):
        pass

    assert Special("no such thing").reason == "NOT_FOUND"
    assert Special("no such thing").status is grpc.StatusCode.NOT_FOUND
