"""Routes of the HTTP port."""

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from targi_server.health import Health
from targi_server.metrics import CONTENT_TYPE

__all__ = ["application"]

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Targi arena</title>
<h1>Targi arena</h1>
<p>Bots connect over gRPC on port {port}.</p>
<ul>
<li><a href="/metrics">metrics</a></li>
<li><a href="/readyz">readiness</a></li>
<li><a href="/healthz">health</a></li>
</ul>
"""


def application(health: Health, metrics: Callable[[], bytes], grpc_port: int) -> Starlette:
    """The application; `metrics` makes the text of a scrape and may block."""

    def page(_: Request) -> Response:
        return HTMLResponse(PAGE.format(port=grpc_port))

    def scrape(_: Request) -> Response:
        return Response(metrics(), media_type=CONTENT_TYPE)

    async def healthz(_: Request) -> Response:
        return JSONResponse({"status": "alive"})

    async def readyz(_: Request) -> Response:
        missing = health.missing()
        return JSONResponse({"ready": not missing, "missing": missing}, 503 if missing else 200)

    return Starlette(
        routes=[
            Route("/", page),
            Route("/metrics", scrape),
            Route("/healthz", healthz),
            Route("/readyz", readyz),
        ]
    )
