"""How a table plays, from a tracker: readings and seed before the start, a timer, the file a fight is kept in."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from combatkit.core.curtain import VITAL_WORDS, VITALS
from combatkit.core.limits import ANSWER
from combatkit.core.plain import short
from combatkit.errors import InvalidInput
from combatkit.fight.fight import Encounter
from combatkit.files.paths import is_journal
from combatkit.registry import rulesets
from combatkit.report.words import setting_words
from combatkit.rules.catalogue import Setting
from combatkit.widgets._fit import TEXT, cut, first
from combatkit.widgets._message import Answer, Message
from combatkit.widgets._vantage import Vantage

_PLAIN = re.compile(r"[^\W_](?:[\w.() -]{0,80}[\w()])?\.combat")
"""A file's name that is plain on any machine."""

_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")

_FIGHTS = 21
"""Fewer than this are listed of the other fights of a journal."""


# ── readings, seed, timer ──

_ANYWHERE = {
    VITAL_WORDS: Setting(
        default=VITALS[0],
        values=VITALS,
        title="What players read of foes",
        text="How hurt those are whom you play: nothing, words (hurt, bloodied), or numbers.",
    )
}
"""The options that a fight has whatever its rules, by id."""


class AskSettings(Message, frozen=True, tag="settings"):
    """Ask for the options with their readings, the seed, the timer and the journal."""

    def carry(self, vantage: Vantage) -> Answer:
        """Return them; `unbegun` says whether readings and seed can still be chosen."""
        fight = vantage.encounter
        now = {VITAL_WORDS: VITALS[0], **fight._state.options}
        told = (reading(id, setting, now.get(id)) for id, setting in {**_ANYWHERE, **fight.ruleset.options}.items())
        return {
            "kind": "settings",
            "unbegun": fight._state.stage == "setup",
            "title": fight.ruleset.title,
            "called": fight.title,
            "options": first(told, ANSWER * 3 // 4),
            "seed": str(fight.seed),
            "timer": fight._stopwatch.runs,
            "journal": "" if vantage.journal is None else vantage.journal.name,
            "fight": fight.id,
            "given": vantage.elsewhere,
            "fights": [] if vantage.journal is None else _others(fight),
        }


def _others(fight: Encounter) -> list[Answer]:
    """Return the other fights of its journal, the last begun first: which is which, and what it is called."""
    from combatkit.journal.opening import store_of

    store = store_of(fight)
    others = [each for number, each in store.book.past.fights.items() if number != store.number and not each.parent]
    known = {each.id: each.title for each in rulesets()}
    return [
        {
            "fight": each.id,
            "title": cut(str(each.settings.get("title") or each.id), TEXT),
            "about": f"{known.get(each.system, each.system)}, {each.begun.astimezone():%Y-%m-%d %H:%M}",
        }
        for each in others[:-_FIGHTS:-1]
    ]


class TurnTo(Message, frozen=True, tag="fight"):
    """Turn to another fight that the same journal keeps."""

    fight: str

    def carry(self, vantage: Vantage) -> None:
        """Open it; this one stays in the file as it is."""
        if vantage.journal is None:
            raise InvalidInput("This fight isn't kept in a file, so there is no other beside it.")
        vantage.adopt(Encounter.open(vantage.journal, self.fight))


class Entitle(Message, frozen=True, tag="title"):
    """Say what the fight is called."""

    title: str

    def carry(self, vantage: Vantage) -> None:
        """Keep it with the fight."""
        vantage.encounter.title = self.title


class Anew(Message, frozen=True, tag="anew"):
    """Set up a fight that has not begun again, with other readings or another seed; null keeps the seed it has."""

    options: dict[str, Any] = msgspec.field(default_factory=dict)
    seed: int | str | None = None

    def carry(self, vantage: Vantage) -> None:
        """Turn to the new one, with everybody in it."""
        fight = vantage.encounter
        if fight._state.stage != "setup":
            raise InvalidInput("house rules and seed are chosen before the start; run the fight again to change them")
        seed = fight.seed if self.seed is None else read_seed(self.seed)
        vantage.adopt(fight._anew(seed, options=self.options, journal=vantage.journal, caught=True))


class TurnTimer(Message, frozen=True, tag="timer"):
    """Say whether turns are timed."""

    on: bool

    def carry(self, vantage: Vantage) -> None:
        """Start timing them, or stop."""
        vantage.encounter.timer(self.on)
        vantage.refresh()


def read_seed(given: int | str) -> int:
    """Return a seed from a number or its digits: the largest seeds don't fit a browser's numbers."""
    if isinstance(given, str) and re.fullmatch(r"[0-9]{1,20}", given.strip()):
        return int(given)
    if isinstance(given, int):
        return given
    raise InvalidInput(f"seed is {short(given)}; give a whole number from 0 to 2**64 - 1")


def reading(id: str, setting: Setting, value: object) -> Answer:
    """Return an option as a form shows it."""
    kinds = {type(each) for each in (*setting.values, value)}
    plain = [each for each in setting.values if isinstance(each, (str, int, float)) or each is None]
    return {
        "id": id,
        "title": setting.title or id.replace("_", " ").capitalize(),
        "text": cut(setting.text, TEXT),
        "rules": list(setting.rules[:4]),
        "type": "switch" if kinds == {bool} else "number" if setting.open == "int" else "one" if plain else "text",
        "value": value if value in plain or isinstance(value, (str, int, float)) else _word(value),
        "word": _word(value),
        "values": [[each, _word(each)] for each in plain],
    }


def _word(value: object) -> str:
    return cut(setting_words(value, "no limit"), TEXT)


# ── the journal ──


class KeepIn(Message, frozen=True, tag="journal"):
    """Keep the fight in a file in the notebook's folder from now on, or open the one that is there.

    A fight that is kept nowhere is left for another only if `leave` says so.
    """

    name: str
    leave: bool = False

    def carry(self, vantage: Vantage) -> Answer:
        """Say what has been done."""
        from combatkit.journal.opening import held_ids, keep

        file, fight = journal_file(self.name), vantage.encounter
        here = "" if vantage.journal is None else vantage.journal.name
        if vantage.journal == file:
            raise InvalidInput(f"This fight is already kept in {here}.")
        if file.exists() and not is_journal(file):
            raise InvalidInput(f"{file.name} exists and isn't a journal; give another name.")
        if file.exists() and held_ids(file):
            if not here and fight.names and not self.leave:
                raise InvalidInput(
                    f"{file.name} exists, and this fight isn't kept in a file. Save a copy first, or press "
                    "again to leave it."
                )
            other = Encounter.open(file)
            vantage.adopt(other)
            words = f"This is {other.id}, from {file.name}; the fight you had open is closed."
        elif here:
            raise InvalidInput(f"This fight is kept in {here}. To open another fight, name a journal that exists.")
        else:
            keep(fight, file)
            vantage.refresh()
            words = f"From now on {fight.id} is kept in {file.name}, with everything so far."
        return {"kind": "journal", "name": file.name, "text": f"{words} In the notebook it is tracker.encounter."}


def journal_file(name: str) -> Path:
    """Return a file in the notebook's folder, and nowhere else, by its bare name.

    Raises
    ------
    InvalidInput
        If the name is not plain, or leads out of the folder.
    """
    bare = name if name.endswith(".combat") else f"{name}.combat"
    if not _PLAIN.fullmatch(bare) or ".." in bare or _RESERVED.fullmatch(bare):
        raise InvalidInput(
            f"{short(name)} isn't a plain file name. Use letters, digits, spaces and - _ . ( ), such as friday.combat."
        )
    folder = Path.cwd().resolve()
    file = folder / bare
    if file.is_symlink() and file.resolve().parent != folder:
        raise InvalidInput(f"{bare} leads out of the notebook's folder; give another name.")
    return file.resolve()
