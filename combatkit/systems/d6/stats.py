"""What a combatant has in the D6 zone system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatkit.errors import UnknownName
from combatkit.rules.catalogue import Stat
from combatkit.rules.weapons import MELEE
from combatkit.systems.d6.arms import BANDS

if TYPE_CHECKING:
    from combatkit.core.model import Fighter
    from combatkit.rules.ruleset import Ruleset

RANKS = ("agility", "athletics", "hide", "tactics", "search", "stamina", "control")
"""The skill ranks a combatant states; Help may add any of them."""

STATS = (
    Stat("initiative", range=(-20, 40), default=0, short="Initiative", title="Initiative rank", example=2, once=True),
    Stat("major", "bool", default=False, title="Major NPC opponent: rank + 6 for initiative", once=True),
    Stat("significant", "bool", default=False, title="Significant NPC: becomes Wounded at 0 Resolve"),
    Stat("resolve", range=(1, 10_000), vital=True, title="Resolve", example=15),
    Stat("defense", range=(0, 1_000), title="Defense", example=12),
    Stat(
        "armor",
        "int|mapping",
        range=(0, 1_000),
        default=0,
        title="Armor rating: one number, or one for each type of damage",
    ),
    *(Stat(rank, range=(0, 40), default=0, title=f"{rank.capitalize()} rank") for rank in RANKS),
    Stat(
        "attributes",
        "mapping",
        default={},
        title="Attributes: dice by name, such as 3D+1",
        example={"might": "3D", "wits": "3D+1"},
    ),
    Stat(
        "weapons",
        "list",
        default=(),
        title="Weapons",
        text="Name, attack, damage, type, range, piercing.",
        words=(MELEE, *BANDS),
        example=(
            {"name": "blaster", "attack": "4D", "damage": "4D", "type": "energy", "range": "medium"},
            {"name": "blade", "attack": "5D", "damage": "4D+2", "type": "physical", "range": "melee"},
        ),
    ),
    Stat(
        "free_actions",
        "int|list",
        range=(0, 20),
        default=0,
        title="Free Actions a turn: how many, or which (each once)",
    ),
    Stat(
        "never_the_same_used", range=(0, 2), default=0, title="How often they have chosen Never the Same in this life"
    ),
    Stat("force_points", range=(0, 1_000), vital=True, most="force_points_max", title="Force Points", example=2),
    Stat("force_points_max", range=(0, 1_000), sparse=True, title="Most Force Points", headed=("max force points",)),
)


def check_rank(rank: str) -> None:
    """Check the name of a rank.

    Raises
    ------
    UnknownName
        If it doesn't exist; it names the nearest.
    """
    if rank not in RANKS:
        raise UnknownName.of("rank", rank, RANKS)


def increase(rules: Ruleset, fighter: Fighter, rank: str) -> int:
    """Return by how much a rank increases something: one below 0 takes nothing off."""
    return max(0, rules.value(fighter, rank) or 0)
