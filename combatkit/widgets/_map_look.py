"""Messages about the picture below the map: the file it comes from, how it lies, and its parts for whoever sees it."""

from __future__ import annotations

from base64 import b64encode

from combatkit.core.limits import ANSWER, PICTURE
from combatkit.core.plain import short
from combatkit.errors import InvalidInput
from combatkit.fight.pictures import kind_of
from combatkit.widgets._map_view import look_of
from combatkit.widgets._message import Answer, Message
from combatkit.widgets._vantage import Vantage

_PART = ANSWER * 2 // 3
"""How many bytes a part has; as text, a third more. A multiple of 3, so that the texts of all parts make one."""


class MapLook(Message, frozen=True, tag="map_look"):
    """Lay the picture below the map otherwise, or take it `off`; what is left out stays as it is."""

    square: float | None = None
    at: tuple[float, float] | None = None
    shown: bool | None = None
    off: bool = False

    def carry(self, vantage: Vantage) -> None:
        """Lay it so."""
        if self.off:
            vantage.encounter.map_look(None)
        else:
            vantage.encounter.map_look(square=self.square, at=self.at, shown=self.shown)


class MapFile(Message, frozen=True, tag="map_file"):
    """Send a piece of a picture's file as base64, from byte `at` on: whole, it lies below the map."""

    name: str
    size: int
    at: int
    data: str

    def carry(self, vantage: Vantage) -> Answer:
        """Return how much has arrived."""
        whole = vantage.drop.take(self.name, self.size, self.at, self.data, PICTURE)
        if whole is not None:
            vantage.encounter.map_look(whole, name=self.name)
        return {"kind": "map_file", "at": self.size if whole is not None else vantage.drop.come}


class AskPicture(Message, frozen=True, tag="picture"):
    """Ask for a part of the picture below the map, by its id; players may see only one that is shown to them."""

    picture: str
    part: int = 0

    def carry(self, vantage: Vantage) -> Answer:
        """Return the part."""
        look = look_of(vantage)
        if look is None or look.sha[:16] != self.picture:
            raise InvalidInput("There is another picture below the map now, or none.")
        try:
            content = vantage.encounter._picture(look)
        except InvalidInput:
            if not vantage.players:
                raise
            raise InvalidInput("The picture below the map can't be shown: ask your GM.") from None
        start = self.part * _PART
        if not 0 <= start < len(content):
            raise InvalidInput(f"part {short(self.part)} of the picture isn't there; it begins with part 0")
        told = {"picture": self.picture, "part": self.part, "type": f"image/{kind_of(content)}"}
        data = b64encode(content[start : start + _PART]).decode("ascii")
        return {"kind": "picture", **told, "data": data, "last": start + _PART >= len(content)}
