"""Actions that users add."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from combatkit.core.plain import check_whole
from combatkit.errors import InvalidInput
from combatkit.rules.catalogue import Action
from combatkit.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from combatkit.systems.phases.ruleset import Phases

_OF_ROWS = {"attack": "phases.tab.attack", "full_phase": "phases.full.entire", "free": "phases.act.free"}
"""The rule behind an action that a user adds, by its cost."""


def action_of_row(rules: Phases, row: Mapping[str, object]) -> Action:
    """Make an action from a user's row, which may also say whether it provokes and how far it reaches."""
    own = {k: row[k] for k in ("provokes", "range") if k in row}
    if own.get("provokes", "no") not in ("no", "yes", "skill", "varies"):
        wrong = own["provokes"]
        raise InvalidInput(f"action {row.get('id')!r}: provokes is {wrong!r}; give no, yes, skill or varies")
    check_whole(own.get("range", 0), f"action {row.get('id')!r}: range", 0)
    made = Ruleset.action_of_row(rules, {k: v for k, v in row.items() if k not in own})
    made = replace(made, rule=_OF_ROWS.get(made.cost, "phases.act.four"))
    facts = {k: v for k, v in own.items() if v != "no"}
    if "attack" in made.tags:
        return replace(made, does="attack", facts=facts)
    if "movement" in made.tags:
        return replace(made, does="travel", facts={"distance": "any", **facts})
    return replace(made, facts=facts)
