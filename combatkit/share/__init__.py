"""A fight at one table: a page for every seat, served from here, that shows and sends what its players may."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from combatkit.core.plain import short
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.share.addresses import Addresses
from combatkit.share.room import Room, room_before, room_of
from combatkit.share.seats import Seat

if TYPE_CHECKING:
    from combatkit.fight.fight import Encounter

__all__ = ["Room", "Seat", "share"]

_NEEDED = ("starlette", "uvicorn", "websockets", "segno", "psutil")


def share(
    encounter: Encounter,
    host: str | None,
    port: int,
    *,
    url: str | None,
    origins: Iterable[str] | None,
    dice: str | None,
    ask: bool | None,
) -> Room:
    """Serve a fight, as described in `Encounter.share`.

    Raises
    ------
    CombatkitError
        In a browser's Python, or without the extra ``share``.
    """
    if sys.platform == "emscripten":
        raise CombatkitError("share: Python in a browser can serve nobody; run the notebook in JupyterLab")
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise CombatkitError(f"share needs {', '.join(missing)}: pip install 'combatkit[share]'")
    if dice not in (None, "seats", "gm"):
        raise InvalidInput(f"dice is {short(dice)}; it is 'seats' or 'gm'")
    chosen: dict[str, bool] = {}
    if dice is not None:
        chosen["throws"] = dice == "seats"
    if ask is not None:
        chosen["asks"] = bool(ask)
    addresses = Addresses(host, port, url, origins)
    room = room_of(encounter)
    if room is None:
        if (ended := room_before(encounter)) is not None:
            ended.close()
            addresses = addresses.next_to(ended._addresses)
        return Room(encounter, addresses, chosen)
    room.go_on(addresses, chosen)
    return room
