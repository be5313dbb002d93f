"""The Tracker without a notebook: its messages come from a page and go to it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import comm
import page  # the worker's, see worker.js
from comm.base_comm import BaseComm

import combatkit as ck

os.chdir("/table")  # the disk that is kept from visit to visit

JOURNAL = Path("table.combat")
LAST = Path("last")
"""Holds the id of the fight that was shown last: a visit goes on with it."""
STOOD = Path("stood.json")
"""Holds how fights stood when they were seen last, by their ids: who is against whom, and how it ended."""
GONE = Path("gone.json")
"""Holds the ids of the fights that were taken off the list."""
TOUCHED = Path("touched.json")
"""Holds the ids of the fights in which somebody has taken something back: they stay listed, whatever is left."""
PARTS = ("ladder", "budget", "log", "map")
"""What a tracker is made of; a map where somebody has a place."""
shown: dict[str, Any] = {}
told: dict[str, Any] = {}
"""What the page was told of the fight that is shown: what it is called, which sides are in it, in what language."""
table: list[ck.Encounter] = []
"""The fight that is shown, once the page knows of it."""


class Nothing(ModuleType):
    """IPython, which widgets import and only a notebook needs: it would take longer to load than all the rest."""

    __path__ = ()

    def __getattr__(self, name: str) -> Any:
        """Return what does nothing."""
        return type(name, (), {}) if name[0].isupper() else lambda *_, **__: None


class Wire(BaseComm):
    """What widgets speak to in the place of a kernel."""

    def publish_msg(self, msg_type: str, data: Any = None, *_: object, **__: object) -> None:
        """Send the page what a widget says."""
        part = next((part for part, widget in shown.items() if widget.comm is self), None)
        if part and data.get("method") == "custom":
            page.post(json.dumps({"part": part, "content": data["content"]}))


sys.modules |= {name: Nothing(name) for name in ("IPython", "IPython.core", "IPython.core.interactiveshell")}
sys.modules["IPython.display"] = Nothing("IPython.display")
comm.create_comm = Wire


def show(fight: ck.Encounter | None) -> None:
    """Show a fight on the page; the one that the journal goes on with, if none is given."""
    from combatkit.widgets._base import ViewWidget

    ViewWidget._shown = True
    tracker = ck.Tracker(fight) if fight is not None else ck.Tracker(journal=JOURNAL)
    shown.clear()
    shown["tracker"] = tracker
    compose()
    told.clear()
    table.clear()
    tell()


def compose() -> None:
    """Show the tracker with all its parts."""
    shown.update({part: widget for part in PARTS if (widget := getattr(shown["tracker"], part)) is not None})
    page.post(json.dumps({"views": {part: widget.view for part, widget in shown.items()}}))


def tell() -> None:
    """Tell the page which fight is shown, and who is against whom; once, until that changes."""
    fight, before = shown["tracker"].encounter, dict(told)
    told.update(title=called(fight), sides=list(dict.fromkeys(fight[name].side for name in fight.names)))
    told.update(lang=shown["tracker"].language.id)
    if shown["tracker"].view.get("card"):
        stood()
    if told != before:
        page.post(json.dumps({"about": told}))
    if [fight] != table:
        turn(fight)


def turn(fight: ck.Encounter) -> None:
    """List a fight that is new here, and let the next visit go on with it; the tracker turns to one by itself, too.

    It does when a fight is run again. One that was still being set up is then left for good, unless it comes back.
    """
    for left in table:
        put_by(left)
        drafts = [left.id] if left.clock.round is None and left.id not in listed(TOUCHED) else []
        GONE.write_text(json.dumps([*(id for id in listed(GONE) if id != fight.id), *drafts]), encoding="utf-8")
    table[:] = [fight]
    LAST.write_text(fight.id, encoding="utf-8")
    page.post(json.dumps({"fights": list(kept())}))


def called(fight: ck.Encounter) -> str:
    """Return what a fight is called: by its title, or by those in it, groups as one; nothing at an empty table."""
    word = shown["tracker"].language.word
    those = kinds(fight, fight.names)
    more = [word("others")] if len(those) > 2 else []
    return fight.title or word(" and ").join([*those[:2], *more])


def kinds(fight: ck.Encounter, names: Iterable[str]) -> list[str]:
    """Return who is meant by names, groups as one."""
    return list(dict.fromkeys(fight[name].group or name.rstrip(" 0123456789") or name for name in names))


def last() -> ck.Encounter | None:
    """Open the fight that was shown last; None if the journal has none such."""
    id = LAST.read_text(encoding="utf-8") if LAST.exists() else ""
    return ck.Encounter.open(JOURNAL, id) if any(fight.id == id for fight in ck.campaign(JOURNAL)) else None


def is_played(fight: Any) -> bool:
    """Check whether somebody has done something in a fight, beyond beginning it: a scene's begins with three calls."""
    return bool(fight.calls > (1 if fight.stage == "setup" else 3))


def kept() -> Iterator[dict[str, Any]]:
    """Yield the fights of the journal that were played, and the one that is shown, the newest first."""
    now, seen, away, touched = shown["tracker"].encounter, stood(), listed(GONE), listed(TOUCHED)
    for fight in reversed(ck.campaign(JOURNAL)):
        if fight.id == now.id or ((is_played(fight) or fight.id in touched) and fight.id not in away):
            stands = {"stage": fight.stage, "rounds": fight.rounds, "who": [], "ended": ""} | seen.get(fight.id, {})
            title = called(now) if fight.id == now.id else fight.title
            more = {"begun": fight.begun.isoformat(), "now": fight.id == now.id, **stands}
            yield {"id": fight.id, "title": title, "system": fight.system, **more}


def listed(file: Path) -> list[str]:
    """Return the ids of fights that a file holds."""
    found: list[str] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    return found


def stood() -> dict[str, dict[str, Any]]:
    """Return how fights stood when they were seen last, the one that is shown now: no other is played again for it."""
    found: dict[str, dict[str, Any]] = json.loads(STOOD.read_text(encoding="utf-8")) if STOOD.exists() else {}
    fight, card = shown["tracker"].encounter, shown["tracker"].view.get("card")
    sides: dict[str, list[str]] = {}
    for name in fight.names:
        sides.setdefault(fight[name].side, []).append(name)
    who = [kinds(fight, names) for names in sides.values()]
    found[fight.id] = {"who": who, "ended": card["title"] if card else ""}
    STOOD.write_text(json.dumps(found), encoding="utf-8")
    return found


def leave() -> None:
    """Close the fight that is shown."""
    if shown:
        stood()
        fight = shown["tracker"].encounter
        put_by(fight)
        fight.close()


def put_by(fight: ck.Encounter) -> None:
    """Call a fight that is left after those in it, if it has no title; where something was taken back, note that."""
    if not fight.title and fight.names:
        fight.title = called(fight)
    if any(event.kind in ("undo", "redo") for event in fight._events):
        TOUCHED.write_text(json.dumps([*dict.fromkeys([*listed(TOUCHED), fight.id])]), encoding="utf-8")


def begin(system: str, scene: str, language: str) -> None:
    """Begin a fight, of a scene or at an empty table; the one that is shown is left once there is another."""
    chosen = ck.scene(scene) if scene else None
    more: dict[str, Any] = {"journal": JOURNAL, "language": language}
    fight = chosen.encounter(system, localized=True, **more) if chosen else ck.Encounter(system, **more)
    leave()
    if chosen:
        fight.title = fight.ruleset.languages[language].word(chosen.name)
    show(fight)


def is_under_way() -> bool:
    """Check whether somebody has played the fight that is shown, and it isn't over."""
    if not shown:
        return False
    id = shown["tracker"].encounter.id
    return any(fight.id == id and fight.stage != "over" and is_played(fight) for fight in ck.campaign(JOURNAL))


def hear(text: str) -> None:
    """Carry out what the page asks for."""
    asked = json.loads(text)
    try:
        if "part" in asked:
            said = {"method": "custom", "content": asked["content"]}
            shown[asked["part"]]._handle_msg({"content": {"data": said}, "buffers": []})
            if "map" not in shown and shown["tracker"].map is not None:  # somebody has a place from here on
                compose()
            tell()
        elif "open" in asked:
            leave()
            show(ck.Encounter.open(JOURNAL, asked["open"]))
        elif "drop" in asked:
            GONE.write_text(json.dumps([*listed(GONE), asked["drop"]]), encoding="utf-8")
            page.post(json.dumps({"fights": list(kept())}))
        elif "list" in asked:
            page.post(json.dumps({"fights": list(kept())}))
        elif "copy" in asked:
            page.post(json.dumps({"copy": JOURNAL.read_text(encoding="utf-8"), "name": JOURNAL.name}))
        elif asked["begin"] and not asked.get("sure") and is_under_way():
            page.post(json.dumps({"unsure": called(shown["tracker"].encounter), "begin": asked["begin"]}))
        elif asked["begin"]:
            begin(**asked["begin"], language=asked["language"])
        elif JOURNAL.exists():
            show(last())
        else:
            begin("saga", "catwalk", asked["language"])
    except ck.CombatkitError as error:
        page.post(json.dumps({"said": str(error)}))
