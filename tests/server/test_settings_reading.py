"""Settings: flags over environment over defaults, and words for what cannot work."""

import argparse
from dataclasses import replace
from pathlib import Path

import pytest
from targi_server.commands.flags import add_settings, settings_of
from targi_server.options import environment_key
from targi_server.parameters import Choice, Kind, Networks, Number, Switch, Whole
from targi_server.settings import Settings, flag, settable
from targi_server.start_errors import BadSetting


def parsed(*arguments: str, **environment: str) -> Settings:
    parser = argparse.ArgumentParser()
    add_settings(parser)
    return settings_of(parser.parse_args(arguments), environment)


def test_without_anything_the_defaults_hold_and_only_this_machine_gets_in() -> None:
    settings = parsed()
    assert (settings.host, settings.port) == ("127.0.0.1", 7400)
    assert (settings.http_host, settings.http_port) == ("127.0.0.1", 7401)
    assert settings.redis_url is None
    assert settings.durability == "always"
    assert not settings.open_registration


def test_the_environment_sets_a_field() -> None:
    settings = parsed(TARGI_BASE_MS="2000", TARGI_OPEN_REGISTRATION="yes", TARGI_REDIS_URL="redis://there")
    assert settings.base_ms == 2000
    assert settings.open_registration
    assert settings.redis_url == "redis://there"


def test_a_flag_beats_the_environment() -> None:
    assert parsed("--port", "9000", TARGI_PORT="8000").port == 9000
    assert not parsed("--no-open-registration", TARGI_OPEN_REGISTRATION="true").open_registration


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "x"), "--port=x: a whole number from 0 to 65535"),
        (("--port", "70000"), "--port=70000: a whole number"),
        (("--workers", "0"), "--workers=0: a whole number from 1 to 64"),
        (("--durability", "never"), "--durability=never: one of always, everysec"),
        (("--disconnect-budget-ms", "0"), "--disconnect-budget-ms=0: a whole number from 1 to 86400000"),
        (("--grace-s", "soon"), "--grace-s=soon: a number from 0.1"),
        (("--grace-s", "nan"), "--grace-s=nan: a number from 0.1"),
        (("--redis", " "), "--redis= : it must not be empty"),
        (("--port", "7401"), "--http-port=7401: it is the gRPC port"),
        (("--replicas-ack", "1"), "--replicas-ack=1: an embedded Redis has no replicas"),
        (("--tls-cert", "a.pem"), "--tls-cert=a.pem: --tls-cert and --tls-key belong together"),
        (("--tls-key", "a.pem"), "--tls-key=a.pem: --tls-cert and --tls-key belong together"),
        (("--tls-client-ca", "a.pem"), "--tls-client-ca=a.pem: it needs --tls-cert"),
        (("--trusted-proxy", "10.0.0.1,there"), "--trusted-proxy=10.0.0.1,there: 'there' does not appear"),
    ],
)
def test_a_value_that_cannot_work_is_named_with_its_key(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(BadSetting) as caught:
        parsed(*arguments)
    assert str(caught.value).startswith(words)


def test_a_bad_variable_is_named_as_it_was_written() -> None:
    with pytest.raises(BadSetting, match=r"^TARGI_PAIRING=perhaps: one of 1, true"):
        parsed(TARGI_PAIRING="perhaps")


def test_an_outside_redis_may_have_replicas() -> None:
    assert parsed("--redis", "redis://there", "--replicas-ack", "2").replicas_ack == 2


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ((), Path("targi-data/archive")),
        (("--data-dir", "d"), Path("d/archive")),
        (("--archive-dir", "a"), Path("a")),
        (("--redis", "redis://there"), None),
        (("--redis", "redis://there", "--archive-dir", "a"), Path("a")),
        (("--no-archive", "--archive-dir", "a"), None),
    ],
)
def test_records_go_to_the_data_directory_or_where_they_are_sent(
    arguments: tuple[str, ...], path: Path | None
) -> None:
    settings = parsed(*arguments)
    assert settings.archive_path == path
    assert Settings.decode(settings.encode()).archive_path == path


NEEDS = {
    "replicas_ack": ("--redis", "redis://elsewhere"),
    "tls_cert": ("--tls-key", "key.pem"),
    "tls_key": ("--tls-cert", "cert.pem"),
    "tls_client_ca": ("--tls-key", "key.pem", "--tls-cert", "cert.pem"),
}
"""What a setting cannot do without."""


def another(kind: Kind, default: object) -> str:
    """A text that sets something else than the default."""
    match kind:
        case Switch():
            return "false" if default else "true"
        case Choice():
            return next(word for word in kind.words if word != default)
        case Whole():
            return str(kind.high if kind.high != default else kind.low)
        case Number():
            return "7"
        case Networks():
            return "10.0.0.0/8"
        case _:
            return "there"


@pytest.mark.parametrize("name", settable())
def test_every_setting_is_set_by_its_flag_and_by_its_variable(name: str) -> None:
    spec = settable()[name]
    kind = spec.metadata["kind"]
    text = another(kind, spec.default)
    flags = [flag(name)] if isinstance(kind, Switch) else [flag(name), text]
    if flags == [flag(name)] and spec.default:
        flags = [flag(name).replace("--", "--no-", 1)]
    outside = NEEDS.get(name, ())
    by_flag = parsed(*outside, *flags)
    by_variable = parsed(*outside, **{environment_key(name): text})
    assert getattr(by_flag, name) == getattr(by_variable, name) != spec.default


def test_the_help_names_each_flag_with_default_and_variable() -> None:
    parser = argparse.ArgumentParser()
    add_settings(parser)
    text = " ".join(parser.format_help().split())
    for name in settable():
        assert flag(name) in text
        assert f"[{environment_key(name)}]" in text
    assert "(default: 7400)" in text
    assert "acknowledged (default: 0)" in text
    assert "make rated pairs (default: on)" in text


def test_a_worker_reads_back_what_the_supervisor_wrote(tmp_path: Path) -> None:
    settings = Settings(
        data_dir=tmp_path,
        redis_url="unix:///x.sock",
        trusted_proxy=("10.0.0.0/24", "::1/128"),
        tls_cert=tmp_path / "cert.pem",
        tls_key=tmp_path / "key.pem",
        tls_client_ca=tmp_path / "ca.pem",
        worker=3,
    )
    line = settings.encode()
    assert "\n" not in line
    assert Settings.decode(line) == settings


def test_each_process_has_a_replica_name_of_its_own() -> None:
    assert Settings().replica != Settings().replica


def test_the_password_of_the_redis_url_is_not_shown() -> None:
    settings = replace(Settings(), redis_url="redis://:hush@there")
    assert "hush" not in repr(settings)
