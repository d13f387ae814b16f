"""Requests that are too large, or whose texts are nasty or overlong: refused in words, by every method."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from method_calls import METHODS, answer
from play_client import arena

UNARY = [method for method in METHODS if not method.client_streaming]


CONTROL = "".join(map(chr, range(32)))


TEXTS = ("x" * 20_000, "é}:{" * 500, CONTROL, "a\n" * 50, "../..", "%s{0}", " ")


@pytest.mark.parametrize("method", UNARY, ids=lambda method: str(method.name))
async def test_a_request_that_is_too_large_is_refused_unread(
    redis_url: str, method: MethodDescriptor
) -> None:
    async with arena(redis_url) as here:
        admin = await here.service.parts.accounts.create_admin("root-admin")
        await here.register("bot-one")
        tokens = ("", admin, here.tokens["bot-one"], here.tokens["owner-of-bot-one"])
        said = {await answer(here, method, b"\x0a" + b"\x80" * 70_000, token) for token in tokens}
        assert "TOO_LARGE" in said
        assert said <= {"TOO_LARGE", "FORBIDDEN", "BAD_TOKEN"}


def spoiled(method: MethodDescriptor, spoil: Callable[[FieldDescriptor], object]) -> bytes:
    """A request with something nasty in each of its fields that hold text or bytes."""
    request = GetMessageClass(method.input_type)()
    for field in method.input_type.fields:
        if field.type in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES):
            value = spoil(field)
            if field.is_repeated:
                getattr(request, field.name).append(value)
            else:
                setattr(request, field.name, value)
    return request.SerializeToString()


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
async def test_nasty_texts_in_any_field_are_refused_in_words(redis_url: str, text: str) -> None:
    async with arena(redis_url) as here:
        admin = await here.service.parts.accounts.create_admin("root-admin")
        await here.register("bot-one")
        tokens = ("", admin, here.tokens["bot-one"], here.tokens["owner-of-bot-one"])

        def spoil(field: FieldDescriptor) -> object:
            return text if field.type == FieldDescriptor.TYPE_STRING else text.encode()

        for method in UNARY:
            request = spoiled(method, spoil)
            for token in tokens:
                said = await answer(here, method, request, token)
                assert said not in ("INTERNAL", "UNAVAILABLE"), (method.full_name, said)


def is_text(field: FieldDescriptor) -> bool:
    return field.type == FieldDescriptor.TYPE_STRING


def overlong(method: MethodDescriptor, name: str) -> bytes:
    """A request for real bots with one text of 20,000 characters."""
    fields = {field.name: field for field in method.input_type.fields}
    real = {"challenger": "bot-one", "opponent": "bot-two", "bot": "bot-one", "ruleset": "base"}
    request = GetMessageClass(method.input_type)(**{n: v for n, v in real.items() if n in fields})
    value = "x" * 20_000
    setattr(request, name, [value] if fields[name].is_repeated else value)
    return request.SerializeToString()


LONG_TEXTS = [
    (method, field.name)
    for method in UNARY
    if not method.server_streaming
    for field in method.input_type.fields
    if is_text(field)
]


EMPTY = {("ListResults", "bot"), ("ListMatches", "bot")}
"""Fields that select: nothing fits an unknown name, which is an answer."""


async def test_an_overlong_text_in_any_field_is_refused_with_a_reason_that_arrives(redis_url: str) -> None:
    async with arena(redis_url, calls_per_second=1_000) as here:
        admin = await here.service.parts.accounts.create_admin("root-admin")
        for bot in ("bot-one", "bot-two"):
            await here.connect(bot)
        tokens = ("", admin, here.tokens["bot-one"], here.tokens["owner-of-bot-one"])
        assert len(LONG_TEXTS) > 20
        for method, name in LONG_TEXTS:
            said = [await answer(here, method, overlong(method, name), token) for token in tokens]
            about = (method.full_name, name, said)
            assert not {"INTERNAL", "UNAVAILABLE", "LIMIT"} & set(said), about
            assert ("OK" in said) == ((method.name, name) in EMPTY), about
