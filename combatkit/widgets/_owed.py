"""How much a hit takes that says nothing of it: asked of whoever plays the attacker, until somebody has said it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatkit.core.model import Event
from combatkit.errors import InvalidInput
from combatkit.fight.owed import takes
from combatkit.widgets._message import Message
from combatkit.widgets._table import table_of
from combatkit.widgets.shapes import Owed

if TYPE_CHECKING:
    from combatkit.widgets._vantage import Vantage


class LeaveOpen(Message, frozen=True, tag="leave_open"):
    """Leave it to the GM how much the first hit takes that is asked about."""

    name: str
    attacker: str

    def carry(self, vantage: Vantage) -> None:
        """Note it, for all to see."""
        for blow in unsaid(vantage):
            owed = _told(vantage, blow)
            if (owed["name"], owed["attacker"]) == (self.name, self.attacker):
                table = table_of(vantage.encounter)
                table.left_open = table.left_open | {blow.seq}
                table.look_again()
                return
        raise InvalidInput("Nobody is asked that any more.")


def unsaid(vantage: Vantage) -> list[Event]:
    """Return the hits of those who are played at seats for which one is still asked there; at a seat, its own."""
    fight = vantage.encounter
    table = table_of(fight)
    if vantage.past is not None or fight._state.stage != "running" or not (table.throws and table.plays):
        return []
    own = vantage.plays if vantage.seat else [name for plays in table.plays.values() for name in plays]
    blows = [blow for blow in table.unsaid.read(fight) if blow.actor in own and blow.seq not in table.left_open]
    return [blow for blow in blows if takes(fight, blow) and _is_seen(vantage, blow)]


def owed_at(vantage: Vantage) -> Owed | None:
    """Return what is asked first at a seat: who is hit, and by whom."""
    return next((_told(vantage, blow) for blow in unsaid(vantage)), None)


def _is_seen(vantage: Vantage, blow: Event) -> bool:
    """Check whether who is hit is there to be seen, and whoever looks was told of the hit."""
    if not vantage.players:
        return True
    owed, shown, log_lines = _told(vantage, blow), vantage.now._state.fighters, vantage.log_lines
    if owed["name"] not in shown or owed["attacker"] not in shown:
        return False
    deed = vantage.exchange_at(blow.seq)[0]
    return blow.seq in log_lines.told_in(log_lines.span(deed[0].seq, blow.seq)[0].values())


def _told(vantage: Vantage, blow: Event) -> Owed:
    instead = vantage.guises.instead
    return {"name": instead(str(blow.target)), "attacker": instead(str(blow.actor))}
