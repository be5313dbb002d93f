"""The map where no widget can run: a picture that needs nothing around it, and a table of who stands where."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from contextlib import suppress
from html import escape
from math import sqrt
from typing import Any

from combatkit.core.model import Distance
from combatkit.errors import InvalidInput
from combatkit.fight.pictures import SENT, kind_of, shrunk
from combatkit.fight.view import View
from combatkit.report.table import html_table
from combatkit.report.words import SIDE_MARKS, said_length
from combatkit.text import Language, neutral
from combatkit.widgets._map_view import look_of
from combatkit.widgets._tongue import language_at
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import MapPicture, MapToken, MapView

_NO_XML = re.compile("[^\\t\\n\\r -\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
"""What no picture may hold: one such sign, in the name of a zone, and it isn't shown."""

_SIZE = 36
"""How wide a cell is, in px."""

_MOST = (22, 14)
"""So many columns and rows are drawn at most, around whoever acts."""

_MARGIN = 2

_ROW = sqrt(3) / 2
_UP = _ROW / 3
_HEX = [(0.0, -2 * _UP), (0.5, -_UP), (0.5, _UP), (0.0, 2 * _UP), (-0.5, _UP), (-0.5, -_UP)]
_SQUARE = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
_BESIDE_HEX = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]
_BESIDE_SQUARE = [(0, -1), (1, 0), (0, 1), (-1, 0)]
"""The corners around a cell's centre, and the cell beyond the side that begins at each."""

_SHAPES = ("M0-13a13 13 0 1 0 .1 0z", "M0-13L13 0 0 13-13 0z", "M0-12.5L13.3 11.5H-13.3z", "M-12-12H12V12H-12z")
"""The shape of each side."""

_LIGHT = {"p": "#fff", "i": "#1a1c1f", "q": "#5a5c60", "g": "#e1e1e2", "n": "#b0430a"}
_DARK = {"p": "#111214", "i": "#e9eaec", "q": "#aeb0b3", "g": "#2d2e31", "n": "#ff9d57"}
_SIDES = (("#2b5f8f", "#8a3459", "#4b682d", "#6a5832"), ("#82b5e4", "#e297b8", "#abc784", "#d0b981"))
_RULES = (
    "text{font:600 11px system-ui,sans-serif;text-anchor:middle;fill:var(--i)}.z{text-anchor:start}"
    ".p{fill:var(--p)}.g{fill:none;stroke:var(--g)}.e{fill:none;stroke:var(--i);stroke-width:1.75}"
    ".d{stroke-dasharray:2 4}.t{fill:none;stroke:var(--s);stroke-dasharray:5 2}"
    ".n{fill:none;stroke:var(--n);stroke-width:2.5}.k{fill:var(--p);stroke:var(--s);stroke-width:1.75}"
    ".w{font-weight:500;paint-order:stroke;stroke:var(--p);stroke-width:3}.o{opacity:.5}"
    ".b{fill:var(--p);stroke:var(--q)}.q{font-weight:400;fill:var(--q)}"
    ".i{opacity:.6}@media(prefers-color-scheme:dark){.i{opacity:.5}}"
)


def map_picture(view: MapView, vantage: Vantage) -> str:
    """Return the map as a picture and as a table; nothing where there is none."""
    if not view["board"]:
        return ""
    language = language_at(vantage)
    table = _table(view, vantage.now, language)
    if view["board"] == "zones":
        width, height, drawn = _zones(view)
    elif "picture" in view or any(isinstance(each.get("at"), list) for each in view["tokens"].values()):
        width, height, drawn = _cells(view, _content(vantage))
    else:
        return table
    light, dark = _colours(_LIGHT, _SIDES[0]), _colours(_DARK, _SIDES[1])
    style = f"svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><style>{style}{_RULES}</style>'
        f'<rect class="p" width="100%" height="100%"/>{drawn}</svg>'
    )
    data = b64encode(_NO_XML.sub("", svg).encode()).decode()
    alt = escape(language.word("Map"))
    return f'<p><img alt="{alt}" width="{width}" height="{height}" src="data:image/svg+xml;base64,{data}"></p>{table}'


def _colours(inks: Mapping[str, str], sides: Iterable[str]) -> str:
    return "".join([f"--{name}:{ink};" for name, ink in (*inks.items(), *zip("0123", sides, strict=True))])


def _table(view: MapView, now: View, language: Language) -> str:
    """Return who stands where, and how far from whoever acts."""
    word, acting = language.word, now.active
    rows = []
    for each in view["tokens"].values():
        side, name = view["sides"][each["side"]], each["name"]
        apart = None if acting in (None, name) else now.distance(str(acting), name)
        rows.append(
            [
                escape(neutral(name)),
                f"{SIDE_MARKS[side['mark']]}&nbsp;{escape(neutral(side['name']))}",
                escape(_at(each.get("at")) or word("not on the map")),
                escape(word(_far(apart))),
            ]
        )
    heads = [*map(word, ("Combatant", "Side", "Place"))]
    heads.append(word(f"From {acting}") if acting else "")
    return html_table(word("Who stands where"), heads, rows)


def _at(at: Any) -> str:
    if isinstance(at, list):
        return f"({at[0]}, {at[1]})".replace("-", "\N{MINUS SIGN}")
    return neutral(at or "")


def _far(apart: Distance | None) -> str:
    if apart is None:
        return ""
    return apart.band.capitalize() if apart.band else said_length(apart.length or 0, apart.unit)


def _here(view: MapView) -> Any:
    """Return where whoever acts stands."""
    return None if view["current"] is None else view["tokens"][view["current"]].get("at")


# ── squares and hexes ──


def _content(vantage: Vantage) -> bytes:
    """Return the picture below the map with as many px as it is drawn; nothing, if there is none or it is gone."""
    look, content = look_of(vantage), b""
    with suppress(InvalidInput):
        if look is not None:
            content = vantage.encounter._picture(look)
            side = round(max(look.size) * _SIZE / look.square)
            content = shrunk(content, look.name, max(1, min(SENT, side)))
    return content


def _below(picture: MapPicture, content: bytes) -> str:
    """Return a picture as it lies below the map."""
    x, y, width, height = _frame(picture)
    data = f"data:image/{kind_of(content)};base64,{b64encode(content).decode()}"
    where = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<image class="i" {where} preserveAspectRatio="none" href="{data}"/>'


def _frame(picture: MapPicture) -> tuple[float, float, float, float]:
    """Return where a picture begins, from the middle of the place (0, 0), and how wide and high it is."""
    (left, top), (width, height), scale = picture["at"], picture["size"], _SIZE / picture["square"]
    return -left * scale, -top * scale, width * scale, height * scale


def _cells(view: MapView, content: bytes) -> tuple[int, int, str]:
    is_hex = view["board"] == "hexes"
    row, corners, beside = (_ROW, _HEX, _BESIDE_HEX) if is_hex else (1.0, _SQUARE, _BESIDE_SQUARE)

    def centre(x: int, y: int) -> tuple[float, float]:
        return (x + y / 2 if is_hex else x) * _SIZE, y * row * _SIZE

    spots = [centre(*each["at"]) for each in view["tokens"].values() if isinstance(each.get("at"), list)]
    if not spots:
        x, y, wide, high = _frame(view["picture"])
        spots = [(x, y), (x + wide, y + high)]
    here = _here(view)
    middle = centre(*here) if isinstance(here, list) else spots[0]
    left, width = _window([x for x, _ in spots], middle[0], _MOST[0])
    top, height = _window([y for _, y in spots], middle[1], _MOST[1])

    def corner(x: int, y: int, number: int) -> str:
        (cx, cy), (dx, dy) = centre(x, y), corners[number % len(corners)]
        return f"{cx + dx * _SIZE:.1f} {cy + dy * _SIZE:.1f}"

    def edge(cells: set[tuple[int, int]]) -> str:
        around = [(x, y, side, (x + dx, y + dy)) for x, y in sorted(cells) for side, (dx, dy) in enumerate(beside)]
        sides = [(x, y, side) for x, y, side, beyond in around if beyond not in cells]
        return "".join([f"M{corner(x, y, side)}L{corner(x, y, side + 1)}" for x, y, side in sides])

    drawn = [_below(view["picture"], content) if content and "picture" in view else "", _grid(is_hex, left, top)]
    for threat in view["threat"]:
        mark = view["sides"][threat["side"]]["mark"] % 4
        drawn.append(f'<path class="t" style="--s:var(--{mark})" d="{edge(_set(threat["cells"]))}"/>')
    reached: set[tuple[int, int]] = set()
    for number, reach in enumerate(view["reach"]):
        reached |= _set(reach.get("cells", []))
        drawn.append(f'<path class="e{" d" if number else ""}" d="{edge(reached)}"/>')
    if isinstance(here, list):
        drawn.append(f'<path class="n" d="{edge({(here[0], here[1])})}"/>')
    placed = [(each, at) for each in view["tokens"].values() if isinstance(at := each.get("at"), list)]
    drawn += [_token(view, each, *centre(*at)) for each, at in placed]
    return round(width), round(height), f'<g transform="translate({-left:.1f} {-top:.1f})">{"".join(drawn)}</g>'


def _window(spots: list[float], middle: float, most: int) -> tuple[float, float]:
    """Return where the picture begins and how long it is: all of them, or as much as there is room for."""
    low, high = min(spots) - _MARGIN * _SIZE, max(spots) + _MARGIN * _SIZE
    room = most * _SIZE
    return (low, high - low) if high - low <= room else (middle - room / 2, room)


def _grid(is_hex: bool, left: float, top: float) -> str:
    """Return the grid, as a pattern that repeats: of hexes a row and the next, which stands half a hex to the right."""
    high, third = _SIZE * (2 * _ROW if is_hex else 1), _SIZE * _UP
    if is_hex:
        x, y = _SIZE / 2, 2 * third
        hexagon = [(x + dx * _SIZE, y + dy * _SIZE) for dx, dy in _HEX]
        lines = [[*hexagon, hexagon[0]], [(x, 4 * third), (x, high)]]
    else:
        x, y = _SIZE / 2, _SIZE / 2
        lines = [[(0, _SIZE), (0, 0), (_SIZE, 0)]]
    path = "".join(["M" + "L".join([f"{a:.2f} {b:.2f}" for a, b in line]) for line in lines])
    return (
        f'<pattern id="c" width="{_SIZE}" height="{high:.3f}" x="{-x}" y="{-y:.3f}" patternUnits="userSpaceOnUse">'
        f'<path class="g" d="{path}"/></pattern>'
        f'<rect x="{left:.1f}" y="{top:.1f}" width="100%" height="100%" fill="url(#c)"/>'
    )


def _set(runs: Iterable[list[int]]) -> set[tuple[int, int]]:
    return {(x, row) for row, first, last in runs for x in range(first, last + 1)}


def _token(view: MapView, each: MapToken, x: float, y: float) -> str:
    mark = view["sides"][each["side"]]["mark"] % 4
    low = 7 if mark == 2 else 4
    out = ' class="o"' if each["status"] == "out" else ""
    initials, name = escape(neutral(each["initials"])), escape(neutral(each["name"]))
    return (
        f'<g{out} style="--s:var(--{mark})" transform="translate({x:.1f} {y:.1f})">'
        f'<path class="k" d="{_SHAPES[mark]}"/>'
        f'<text y="{low}">{initials}</text><text class="w" y="26">{name}</text></g>'
    )


# ── zones ──

_ZONE, _GAP, _STEP = (190, 130), 14, 60


def _zones(view: MapView) -> tuple[int, int, str]:
    wide, high = _ZONE[0] + _GAP, _ZONE[1] + _GAP
    spots = [(_GAP + zone["at"][0] * wide, _GAP + zone["at"][1] * high) for zone in view["zones"]]
    drawn = []
    for (x, y), zone in zip(spots, view["zones"], strict=True):
        for ox, oy in [spots[other] for other in zone["beside"]]:
            line = f"M{x + wide // 2} {y + high // 2}L{ox + wide // 2} {oy + high // 2}"
            drawn.append(f'<path class="g" stroke-width="8" d="{line}"/>')
    here = _here(view)
    for (x, y), zone in zip(spots, view["zones"], strict=True):
        said = " · ".join(filter(None, (zone.get("word"), zone.get("note"))))
        name = zone["name"]
        kind = "b n" if name == here else "b"
        drawn.append(
            f'<rect class="{kind}" x="{x}" y="{y}" width="{_ZONE[0]}" height="{_ZONE[1]}" rx="6"/>'
            f'<text class="z" x="{x + 10}" y="{y + 19}">{escape(neutral(name))}</text>'
            f'<text class="z q" x="{x + 10}" y="{y + 34}">{escape(neutral(said))}</text>'
        )
        there = [each for each in view["tokens"].values() if each.get("at") == name]
        for number, each in enumerate(there[:3]):
            drawn.append(_token(view, each, x + 34 + number * _STEP, y + 70))
        if len(there) > 3:
            drawn.append(f'<text x="{x + _ZONE[0] - 16}" y="{y + 19}">+{len(there) - 3}</text>')
    columns, rows = (max(spot[n] for spot in [zone["at"] for zone in view["zones"]]) + 1 for n in (0, 1))
    return _GAP + columns * wide, _GAP + rows * high, "".join(drawn)
