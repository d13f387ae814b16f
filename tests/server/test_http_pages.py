"""The HTTP port: liveness, readiness, scrape and the page."""

import asyncio
import contextlib
import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator

from targi_server.health import Health
from targi_server.http.application import application
from targi_server.http.serving import serving
from targi_server.metrics import SupervisorMetrics, exposition
from targi_server.ports import bound


@contextlib.asynccontextmanager
async def served(health: Health, metrics: SupervisorMetrics) -> AsyncIterator[str]:
    """URL of the application."""
    with bound("127.0.0.1", 0) as listener:
        app = application(health, lambda: exposition(None, metrics.registry), 7400)
        async with serving(app, listener):
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"


async def get(url: str) -> tuple[int, str, str]:
    """Status, type and body of a page."""
    return await asyncio.to_thread(fetch, url)


def fetch(url: str) -> tuple[int, str, str]:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.headers["content-type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["content-type"], error.read().decode()


async def test_it_is_alive_before_it_is_ready() -> None:
    metrics = SupervisorMetrics()
    async with served(Health(metrics, "redis", "worker"), metrics) as url:
        assert (await get(f"{url}/healthz"))[0] == 200
        status, _, body = await get(f"{url}/readyz")
        assert status == 503
        assert json.loads(body) == {"ready": False, "missing": ["starting", "redis", "worker"]}


async def test_it_is_ready_when_all_kinds_are_and_not_when_it_stops() -> None:
    metrics = SupervisorMetrics()
    health = Health(metrics, "worker")
    health.came("worker")
    health.go()
    async with served(health, metrics) as url:
        assert (await get(f"{url}/readyz"))[0] == 200
        health.stop()
        status, _, body = await get(f"{url}/readyz")
        assert (status, json.loads(body)["missing"]) == (503, ["stopping"])


async def test_it_is_ready_as_long_as_one_worker_does_not_drain() -> None:
    health = Health(SupervisorMetrics(), "worker")
    health.came("worker")
    health.came("worker")
    health.go()
    health.drains(0, True)
    assert health.missing() == []
    health.drains(1, True)
    assert health.missing() == ["a worker that does not drain"]
    health.drains(0, False)  # it was started again
    assert health.missing() == []


async def test_a_scrape_has_the_type_that_prometheus_expects() -> None:
    metrics = SupervisorMetrics()
    async with served(Health(metrics, "worker"), metrics) as url:
        status, kind, body = await get(f"{url}/metrics")
    assert status == 200
    assert kind.startswith("text/plain; version=")
    assert 'targi_children{child="worker"} 0.0' in body


async def test_the_page_links_what_there_is() -> None:
    metrics = SupervisorMetrics()
    async with served(Health(metrics, "worker"), metrics) as url:
        status, kind, body = await get(f"{url}/")
        assert status == 200
        assert kind.startswith("text/html")
        assert "port 7400" in body
        for path in ("/metrics", "/healthz"):
            assert f'href="{path}"' in body
            assert (await get(url + path))[0] == 200
        assert (await get(f"{url}/nothing"))[0] == 404
