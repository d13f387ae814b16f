"""TLS on the gRPC port: who is let in and who is not, and that all commands get there."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from arena_process import Arena, arena, targi, wait_for
from certificates import CERTIFICATE, KEY, OTHER_CERTIFICATE, OTHER_KEY
from targi.v1 import ladder_service_pb2, ladder_service_pb2_grpc
from targi_sdk.client.address import Address
from targi_sdk.client.diagnosis import diagnose
from targi_sdk.client.unary import calling
from targi_sdk.errors import UnreachableError
from targi_server.app import Service, running
from targi_server.settings import Settings
from targi_server.start_errors import BadSetting


@dataclass(frozen=True)
class Files:
    """The files of a server and of its clients."""

    cert: Path
    key: Path
    other_cert: Path
    other_key: Path

    def renew(self) -> None:
        """Puts the other certificate into the place of the server's, as a renewal does: by renaming."""
        for source, target in ((self.other_key, self.key), (self.other_cert, self.cert)):
            copy = target.with_suffix(".new")
            copy.write_bytes(source.read_bytes())
            copy.replace(target)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    contents = {"cert": CERTIFICATE, "key": KEY, "other-cert": OTHER_CERTIFICATE, "other-key": OTHER_KEY}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return Files(*(tmp_path / name for name in contents))


@asynccontextmanager
async def serving(redis_url: str, files: Files, **fields: Any) -> AsyncIterator[Service]:  # Any: settings
    settings = Settings(redis_url=redis_url, port=0, tls_cert=files.cert, tls_key=files.key, **fields)
    async with running(settings) as service:
        yield service


async def asked(service: Service, credentials: grpc.ChannelCredentials | None) -> str:
    """Ruleset of the table, or the status with which the question failed."""
    target = f"127.0.0.1:{service.port}"
    options = [("grpc.use_local_subchannel_pool", 1)]
    channel = (
        grpc.aio.insecure_channel(target, options=options)
        if credentials is None
        else grpc.aio.secure_channel(target, credentials, options=options)
    )
    async with channel:
        stub: Any = ladder_service_pb2_grpc.LadderServiceStub(channel)
        try:
            answer = await stub.GetStandings(ladder_service_pb2.GetStandingsRequest(), timeout=5)
        except grpc.aio.AioRpcError as error:
            return error.code().name
        return str(answer.ruleset)


def trusting(ca: bytes, key: bytes | None = None, cert: bytes | None = None) -> grpc.ChannelCredentials:
    return grpc.ssl_channel_credentials(ca, key, cert)


async def test_a_port_with_tls_takes_no_plain_words_and_is_no_other_server(
    redis_url: str, files: Files
) -> None:
    async with serving(redis_url, files) as service:
        assert await asked(service, trusting(CERTIFICATE)) == "base"
        assert await asked(service, None) == "UNAVAILABLE"
        assert await asked(service, trusting(OTHER_CERTIFICATE)) == "UNAVAILABLE"


async def test_with_a_client_authority_only_its_certificates_get_in(redis_url: str, files: Files) -> None:
    async with serving(redis_url, files, tls_client_ca=files.other_cert) as service:
        own = trusting(CERTIFICATE, OTHER_KEY, OTHER_CERTIFICATE)
        assert await asked(service, own) == "base"
        assert await asked(service, trusting(CERTIFICATE)) == "UNAVAILABLE"
        assert await asked(service, trusting(CERTIFICATE, KEY, CERTIFICATE)) == "UNAVAILABLE"


async def test_a_renewed_certificate_is_used_from_the_next_connection_on(
    redis_url: str, files: Files
) -> None:
    async with serving(redis_url, files) as service:
        assert await asked(service, trusting(CERTIFICATE)) == "base"
        files.renew()
        assert await asked(service, trusting(OTHER_CERTIFICATE)) == "base"
        assert await asked(service, trusting(CERTIFICATE)) == "UNAVAILABLE"


async def test_a_renewal_that_does_not_fit_leaves_the_certificate_before(
    redis_url: str, files: Files, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(redis_url, files) as service:
        files.cert.write_bytes(OTHER_CERTIFICATE)  # and its key is still the old one
        assert await asked(service, trusting(CERTIFICATE)) == "base"
        assert "the renewed certificate is not used" in caplog.text
        files.cert.unlink()
        assert await asked(service, trusting(CERTIFICATE)) == "base"
        files.renew()
        assert await asked(service, trusting(OTHER_CERTIFICATE)) == "base"


@pytest.mark.parametrize(
    ("spoiled", "content", "words"),
    [
        ("key", OTHER_KEY, "--tls-cert=.*no certificate that fits the key"),
        ("cert", b"no certificate", "--tls-cert=.*no certificate that fits the key"),
        ("other_cert", b"", "--tls-client-ca=.*no certificates in PEM"),
    ],
)
async def test_files_that_will_not_do_stop_the_start(
    redis_url: str, files: Files, spoiled: str, content: bytes, words: str
) -> None:
    getattr(files, spoiled).write_bytes(content)
    with pytest.raises(BadSetting, match=words):
        async with serving(redis_url, files, tls_client_ca=files.other_cert):
            pass


async def test_a_file_that_is_missing_stops_the_start(redis_url: str, files: Files) -> None:
    files.key.unlink()
    with pytest.raises(BadSetting, match=r"--tls-cert=.*No such file"):
        async with serving(redis_url, files):
            pass


async def test_the_sdk_says_that_a_key_does_not_fit(redis_url: str, files: Files) -> None:
    async with serving(redis_url, files) as service:
        address = Address.parse(f"localhost:{service.port}", files.cert, files.cert, files.other_key)
        words = await asyncio.to_thread(diagnose, address)
    assert "--cert and --key cannot be used together" in words


async def test_the_sdk_says_that_a_certificate_is_wanted(redis_url: str, files: Files) -> None:
    async with serving(redis_url, files, tls_client_ca=files.other_cert) as service:

        def table(address: Address) -> str:
            with calling(address) as calls:
                return calls.standings().ruleset

        here = f"127.0.0.1:{service.port}"
        own = Address.parse(here, files.cert, files.other_cert, files.other_key)
        assert await asyncio.to_thread(table, own) == "base"
        with pytest.raises(UnreachableError, match=r"asks for a certificate.*--cert and --key"):
            await asyncio.to_thread(table, Address.parse(here, files.cert))
        with pytest.raises(UnreachableError, match="expects TLS"):
            await asyncio.to_thread(table, Address.parse(here))


async def test_a_port_that_is_open_to_others_without_tls_is_warned_of(
    redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(Settings(redis_url=redis_url, host="0.0.0.0", port=0)):
        assert "open to other machines without TLS" in caplog.text


def commands(server: Arena, files: Files, tmp_path: Path) -> dict[str, str]:
    """Environment in which all commands find an arena that asks for certificates."""
    return {
        "TARGI_SERVER": f"grpcs://localhost:{server.port}",
        "TARGI_CA": str(files.cert),
        "TARGI_CERT": str(files.other_cert),
        "TARGI_KEY": str(files.other_key),
        "TARGI_HOME": str(tmp_path / "home"),
    }


def test_bots_and_administrators_do_everything_over_mutual_tls(files: Files, tmp_path: Path) -> None:
    flags = ("--tls-cert", str(files.cert), "--tls-key", str(files.key), "--init")
    with arena(tmp_path / "data", *flags, "--tls-client-ca", str(files.other_cert)) as server:
        env = commands(server, files, tmp_path)
        bot = ("--register", "--games", "2", "--in-process")
        first = asyncio.run(both(bot, env))
        assert first == [0, 0]
        log = server.log_path.read_text()
        token = next(word for word in log.split() if word.startswith("targi_admin_"))
        done = targi("admin", "pause", "base", env={**env, "TARGI_TOKEN": token})
        assert (done.returncode, done.stdout.strip()) == (0, "pairing of base is paused")
        wait_for("both in the table", lambda: targi("standings", env=env).stdout.count("random") >= 2)


async def both(arguments: tuple[str, ...], env: dict[str, str]) -> list[int | None]:
    """Exit codes of two bots of two owners that play each other."""
    bots = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "targi_sdk.cli", "bot", "run", "random"),
            *("--name", f"random-{name}", "--owner", name, "--ruleset", "base", *arguments),
            env={**os.environ, **env},
        )
        for name in ("ann", "bob")
    ]
    return list(await asyncio.gather(*(bot.wait() for bot in bots)))
