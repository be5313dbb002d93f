"""The stats of a combatant in phases."""

from combatkit.rules.catalogue import Stat
from combatkit.rules.weapons import weapons_stat

STATS = (
    Stat(
        "combat_value",
        range=(-50, 100),
        default=0,
        short="CV",
        title="Combat Value",
        headed=("cv",),
        example=8,
        once=("ocv", "dcv"),
    ),
    Stat("lightning_reflexes", range=(-50, 100), default=0, title="Lightning Reflexes", once=True),
    Stat("ocv", range=(-50, 100), short="OCV", title="Offensive Combat Value; the Combat Value if not given"),
    Stat("dcv", range=(-50, 100), short="DCV", title="Defensive Combat Value; the Combat Value if not given"),
    Stat("reach", range=(0, 100), default=1, title="Reach in hexes; more with Growth or Stretching"),
    Stat("movement", range=(0, 1000), default=6, short="moves", title="Combat movement in hexes"),
    Stat("combat_reflexes", "bool", default=False, title="Combat Reflexes"),
    Stat("auto_recovery", "bool", default=True, title="Recovers automatically in the Post-Turn"),
    Stat("recovery", range=(0, 1000), default=0, example=6, title="Recovery: stun and endurance regained"),
    Stat("stun", range=(0, 100_000), vital=True, title="Stun", example=35),
    Stat("body", range=(0, 100_000), vital=True, title="Body", example=12),
    Stat("end", range=(0, 100_000), vital=True, short="End", title="Endurance", example=30),
    weapons_stat(
        Stat("ocv", range=(-50, 50), title="OCV modifier"),
        Stat("reach", range=(0, 100), title="Reach in hexes; the owner's if not given"),
        Stat("range", range=(0, 1000), title="Range in hexes"),
        example=(
            {"name": "polearm", "damage": "2d6", "ocv": -1, "reach": 2},
            {"name": "crossbow", "damage": "1d6+2", "range": 20},
        ),
    ),
)
