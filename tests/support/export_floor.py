"""Matches that are over on a floor, and their export to its archive directory."""

from __future__ import annotations

from pathlib import Path

from lobby_floor import Floor
from targi_server.match.model import Kind

__all__ = ["DAY", "TTL_S", "export", "figure", "files", "over", "pending"]

TTL_S = 600
DAY = "2027-01-15"
"""Of the clock that the tests set."""


async def over(here: Floor, count: int = 1, *, plies: int = 0) -> list[str]:
    """Matches that were resigned and are filed."""
    ended = []
    for _ in range(count):
        claims = await here.arrive("alba", ladder=False), await here.arrive("bora", ladder=False)
        offer = await here.agree(*claims, kind=Kind.SINGLE)
        await here.play(offer.offer_id, plies=plies)
        await here.end(offer.offer_id, "1-0")
        await here.ladder.filing.file_all()
        ended.append(offer.offer_id)
    return ended


async def export(here: Floor, *, leads: bool = True) -> None:
    assert here.ladder.export is not None
    await here.ladder.export.run(lambda: leads)


def figure(here: Floor, name: str, **labels: str) -> float:
    return here.metrics.registry.get_sample_value(f"targi_{name}", labels) or 0.0


def pending(here: Floor) -> float:
    return figure(here, "export_pending", worker="0")


def files(archive: Path) -> list[str]:
    return sorted(str(path.relative_to(archive)) for path in archive.rglob("*") if path.is_file())
