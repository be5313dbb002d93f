"""What a combatant has in the action-point system."""

from combatkit.rules.catalogue import Stat
from combatkit.rules.weapons import MELEE, weapons_stat

STATS = (
    Stat(
        "initiative_rating",
        range=(-50, 100),
        default=0,
        short="Initiative",
        title="Initiative Rating",
        example=9,
        once=True,
    ),
    Stat(
        "luck_bonus",
        range=(-50, 100),
        title="Luck bonus",
        text="Breaks ties. A player's character without one has 0; an NPC without one ranks below every player's.",
        once=True,
    ),
    Stat(
        "ap",
        range=(0, 100),
        default=3,
        title="Action Points",
        text="The most they have a round. The source gives no number; 3 is from the published quick reference.",
    ),
    Stat(
        "reach",
        range=(0, 20),
        default=1,
        title="Reach",
        text="How many metres away they can strike hand to hand. Used by the list of actions 'book'.",
    ),
    Stat(
        "style_advantages",
        "list",
        default=(),
        actions=True,
        title="Special Advantages of the Combat Style",
        text="The Special Actions, by id or title, that may be taken through Advantage.",
    ),
    Stat("hp", range=(0, 100_000), vital=True, short="hp", title="Hit points", example=24),
    Stat("attack_bonus", range=(-50, 100), short="attack", title="Attack bonus", example=6),
    Stat("defense", range=(-50, 200), title="Defense", example=15),
    weapons_stat(
        Stat("attack", range=(-50, 100), title="Attack bonus"),
        Stat("range", "int|text", range=(0, 1000), words=(MELEE,), title="Range in metres"),
        example=(
            {"name": "spear", "damage": "1d8+1", "attack": 6, "range": MELEE},
            {"name": "short bow", "damage": "1d6", "attack": 4, "range": 60},
        ),
    ),
)
