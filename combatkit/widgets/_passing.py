"""What is asked in a window is let go, one by one: by whoever plays somebody, until nobody is left who could answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from combatkit.core.model import open_bids
from combatkit.errors import InvalidInput
from combatkit.widgets._ask import call_asks
from combatkit.widgets._message import Message
from combatkit.widgets._table import passed_in, still_asked, table_of

if TYPE_CHECKING:
    from combatkit.fight.fight import Encounter
    from combatkit.widgets._vantage import Vantage


class Pass(Message, frozen=True, tag="pass"):
    """Let go what somebody is asked; without a name, what all are asked whom nobody plays at a seat."""

    name: str = ""

    def carry(self, vantage: Vantage) -> None:
        """Note it; the last one closes the window."""
        if self.name:
            vantage.encounter._fighter(self.name)
        let_go(vantage, (self.name,) if self.name else still_asked(vantage.encounter)[1])


def let_go(vantage: Vantage, names: Iterable[str]) -> None:
    """Let go what some are asked in the window on top, for all to see; once nobody is left in it, play carries on.

    Where dice are typed and what goes on rolls some, it waits for the GM, who types them.
    """
    fight = vantage.encounter
    table, window = table_of(fight), fight._state.window
    if window is None:
        raise InvalidInput("Nobody is waiting for your answer.")
    bids = open_bids(window.bids)
    for name in names:
        if name not in bids:
            raise InvalidInput(f"{name} isn't asked here.")
        if any(bid.must for bid in bids[name]):
            raise InvalidInput(f"{name} must answer ({window.about}).")
    table.let_go(window, names, len(fight._timeline.events), vantage.seat)
    vantage.selected = None
    if not settle(vantage):
        table.look_again()


def last_passed(fight: Encounter) -> str:
    """Return for whom the GM has let the window on top go since the last call: that is what they take back first.

    What a player let go is that player's to take back: their page may do it by itself, and would do it again.
    """
    window, table = fight._state.window, table_of(fight)
    if window is None:
        return ""
    passed = {name: table.passed[window.seq, name] for name in passed_in(fight, window)}
    own = [name for name, (_, at, seat) in passed.items() if not seat and at >= len(fight._timeline.events)]
    return own[-1] if own else ""


def settle(vantage: Vantage) -> bool:
    """Carry on if all who could still answer the window on top have let it go; say whether that was so."""
    fight, window = vantage.encounter, vantage.encounter._state.window
    if window is None or window.question:
        return False
    asked, passed = open_bids(window.bids).keys(), passed_in(fight, window)
    if not passed or not asked <= {*passed} or _waits_for_dice(vantage):
        return False
    fight.resolve()
    return True


def _waits_for_dice(vantage: Vantage) -> bool:
    return vantage.encounter.table_dice and bool(call_asks(vantage, "resolve", {}, {}))
