"""The stats of a combatant in one-minute rounds."""

from combatkit.rules.catalogue import Stat

STATS = (
    Stat(
        "aac0",
        "int|text",
        range=(-20, 40),
        short="AAC0",
        title="Attack AC 0",
        headed=("thac0", "thaco"),
        text='The roll needed against AC 0: a number or "20*".',
        example=17,
    ),
    Stat(
        "ac",
        range=(-10, 10),
        default=10,
        short="AC",
        title="Armor class",
        headed=("armour class",),
        text="From \N{MINUS SIGN}10 (best) to 10 (worst).",
        example=4,
    ),
    Stat(
        "hit_dice",
        "text|int",
        range=(0, 100),
        short="HD",
        title="Hit dice",
        headed=("hd",),
        text='"4", "4+4", "1-1", "½", "1d4 hp".',
    ),
    Stat("hp", range=(0, 100_000), vital=True, short="hp", title="Hit points", example=38),
    Stat(
        "class_level",
        range=(0, 100),
        default=0,
        short="level",
        title="Class level",
        text="0 for those without a class.",
        example=4,
    ),
    Stat("routines", range=(1, 20), default=1, title="Attack routines a round", text="More than 1 is multi-attack."),
    Stat("dex_adjustment", range=(-10, 10), default=0, title="Dexterity reaction adjustment"),
    Stat(
        "weapons",
        "list",
        default=(),
        title="Weapons",
        text="Main hand first: name, speed, space in feet, modes, missile, range in feet, delaying, damage.",
        example=(
            {"name": "long sword", "damage": "1d8", "speed": 5, "space": 3},
            {"name": "dart", "damage": "1d3", "speed": 2, "range": 45},
        ),
    ),
    Stat(
        "movement",
        "int|mapping",
        range=(0, 10_000),
        short="moves",
        title="Movement a round in feet, or by mode",
        example=120,
    ),
    Stat(
        "attacks",
        "list|text",
        default=(),
        title="Attack lines",
        text='As in "MELEE: 2 claws (1d8/1d8) and bite (2d6)".',
    ),
)
