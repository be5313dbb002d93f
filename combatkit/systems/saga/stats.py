"""What a combatant has in Saga Edition."""

from combatkit.rules.catalogue import Stat
from combatkit.rules.weapons import MELEE, weapons_stat

FEATS = ("Quick Draw", "Combat Reflexes")
"""The feats that a rule here reads."""

STATS = (
    Stat("dex", range=(-20, 40), default=0, short="Dex", title="Dexterity modifier", example=4),
    Stat("level", range=(0, 100), default=1, short="level", title="Character level", example=6, once=True),
    Stat(
        "initiative_misc",
        range=(-50, 50),
        default=0,
        short="initiative bonus",
        title="Other initiative bonus: feats, talents, vehicle size",
        once=True,
    ),
    Stat("feats", "list", default=(), title="Feats", words=FEATS, example=("Quick Draw", "Combat Reflexes")),
    Stat("extra_opportunities", range=(0, 50), title="Extra attacks of opportunity"),
    Stat("speed", range=(0, 100), default=6, short="speed", title="Speed in squares"),
    Stat("hp", range=(0, 100_000), vital=True, short="hp", title="Hit points", example=38),
    Stat("attack_bonus", range=(-50, 100), short="attack", title="Attack bonus", example=9),
    Stat("defense", range=(-50, 200), title="Defense", example=18),
    Stat("threshold", range=(1, 1000), title="Damage threshold, with the book's actions"),
    weapons_stat(
        Stat("attack", range=(-50, 100), title="Attack bonus"),
        Stat("range", "int|text", range=(0, 1000), words=(MELEE,), title="Range in squares"),
        example=(
            {"name": "blaster pistol", "damage": "3d6+3", "attack": 9, "range": 12},
            {"name": "vibroblade", "damage": "2d6+5", "attack": 7, "range": MELEE},
        ),
    ),
)
