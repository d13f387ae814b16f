"""The table as a player sees it: the ring of border cards round the centre, and both sides."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from targi_engine import Observation, PlayerView
from targi_engine.goods import KINDS
from targi_engine.meanings import counts_words

from targi_sdk.cards.sheet import cost_words
from targi_sdk.terminal.faces import Faces, faces_of

__all__ = ["MARKS", "STYLES", "board"]

RING = (
    (16, 1, 2, 3, 4),
    (15, None, None, None, 5),
    (14, None, None, None, 6),
    (13, None, None, None, 7),
    (12, 11, 10, 9, 8),
)
"""Border cards as they lie round the nine cells of the centre."""

STYLES = {"you": "bold green", "opponent": "bold red", "robber": "bold yellow", "targia": "bold magenta"}
MARKS = {"you": "YOU", "opponent": "OPP", "robber": "ROBBER", "targia": "TARGIA"}
"""What stands on a card: in capitals, so that it can be told without colours."""

MINIMUM_WIDTH = 12


def board(view: Observation, seat: int, width: int) -> RenderableType:
    """The position for the player on a seat, at most `width` characters wide."""
    return Group(_title(view, seat), _table(view, seat, width), *_sides(view, seat))


def _title(view: Observation, seat: int) -> Text:
    first = "you" if view.first == seat else "the opponent"
    points = view.scores()
    score = f"{points[seat]}-{points[1 - seat]}"
    return Text(f"Round {view.round}, {first} first. Score as it would count now: {score}", style="bold")


def _table(view: Observation, seat: int, width: int) -> Table:
    cell = max(MINIMUM_WIDTH, (width - 16) // 5)
    table = Table(show_header=False, show_lines=True, padding=(0, 1))
    for _ in RING[0]:
        table.add_column(width=min(cell, 26), overflow="fold")
    cells = iter(range(9))
    for row in RING:
        table.add_row(
            *(_border(view, seat, number) if number else _cell(view, seat, next(cells)) for number in row)
        )
    return table


def _border(view: Observation, seat: int, number: int) -> Text:
    text = Text(f"{number} {faces_of(view.ruleset).border(number)}", style="dim" if number % 4 == 0 else "")
    for side, player in _seats(view, seat):
        if number in player.targis:
            _stand(text, side)
    if number == view.robber:
        _stand(text, "robber")
    if number == view.targia:
        _stand(text, "targia")
    return text


def _cell(view: Observation, seat: int, cell: int) -> Text:
    faces, card = faces_of(view.ruleset), view.centre[cell]
    text = Text(f"c{cell} ")
    if card.deck is None:
        text.append("empty", style="dim")
    elif not card.face_up:
        text.append(f"face down, {card.deck}", style="dim")
    else:
        text.append(faces.mark(card.card or ""), style="bold")
        text.append(_face(faces, card.card or ""))
    for side, player in _seats(view, seat):
        if cell in player.markers:
            _stand(text, side)
    return text


def _face(faces: Faces, name: str) -> str:
    """What a tribe card in the centre shows, in the lines below its name."""
    face = faces.face(name)
    if face is None:
        return ""
    kind = "" if face["kind"] == "plain" else f", {face['kind']}"
    return f" {face['symbol'].replace('_', ' ')}\n{face['vp']} VP{kind}\n{cost_words(face)}"


def _stand(text: Text, who: str) -> None:
    text.append("\n")
    text.append(MARKS[who], style=STYLES[who])


def _seats(view: Observation, seat: int) -> Iterator[tuple[str, PlayerView]]:
    yield "you", view.players[seat]
    yield "opponent", view.players[1 - seat]


def _sides(view: Observation, seat: int) -> Iterator[Text]:
    faces = faces_of(view.ruleset)
    if view.targia is not None:
        yield _dunes(view, seat, faces)
    for side, player in _seats(view, seat):
        yield _stock(side, player)
        yield Text(f"  hand: {_listed(faces, player.hand)}   display: {_display(faces, player)}")
    if view.revealed:
        yield Text(f"turned up: {_listed(faces, view.revealed)}", style="bold")


def _dunes(view: Observation, seat: int, faces: Faces) -> Text:
    text = Text("dunes:")
    for slot, card in enumerate(view.dunes, 1):
        text.append(f"  d{slot} {faces.mark(card) if card else '-'}")
        for side, player in _seats(view, seat):
            if slot in player.dune_targis:
                text.append(f" {MARKS[side]}", style=STYLES[side])
    return text.append(f"   next tribe card: {faces.short(view.top) if view.top else 'unknown'}")


def _stock(side: str, player: PlayerView) -> Text:
    counts = {kind: count for kind in KINDS if (count := getattr(player, kind))}
    on_cards = f" + {player.stored_gold} gold on cards" if player.stored_gold else ""
    return Text(side, style=STYLES[side]).append(f": {counts_words(counts)}{on_cards}", style="none")


def _display(faces: Faces, player: PlayerView) -> str:
    rows = (_listed(faces, row) for row in player.display)
    tokens = f"   tokens: {_listed(faces, player.tokens)}" if player.tokens else ""
    return " / ".join(rows) + tokens


def _listed(faces: Faces, cards: tuple[str, ...]) -> str:
    return " ".join(map(faces.mark, cards)) or "-"
