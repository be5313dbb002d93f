"""The Tracker without a notebook: its messages come from a page and go to it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
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
PARTS = ("ladder", "budget", "log")
shown: dict[str, Any] = {}


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
    shown.update(tracker=tracker, **{part: getattr(tracker, part) for part in PARTS})
    LAST.write_text(tracker.encounter.id, encoding="utf-8")
    views = {part: widget.view for part, widget in shown.items()}
    page.post(json.dumps({"views": views, "fights": list(kept(tracker.encounter.id))}))


def last() -> ck.Encounter | None:
    """Open the fight that was shown last; None if the journal has none such."""
    id = LAST.read_text(encoding="utf-8") if LAST.exists() else ""
    return ck.Encounter.open(JOURNAL, id) if any(fight.id == id for fight in ck.campaign(JOURNAL)) else None


def is_played(fight: Any) -> bool:
    """Check whether somebody has done something in a fight, beyond beginning it: a scene's begins with three calls."""
    return bool(fight.calls > (1 if fight.stage == "setup" else 3))


def kept(now: str) -> Iterator[dict[str, Any]]:
    """Yield the fights of the journal that were played, and the one that is shown, the newest first."""
    titles = {rules.id: rules.title for rules in ck.rulesets()}
    for fight in reversed(ck.campaign(JOURNAL)):
        if fight.id == now or is_played(fight):
            title, system = fight.title or "Your own fight", titles[fight.system]
            more = {"begun": fight.begun.isoformat(), "now": fight.id == now}
            yield {"id": fight.id, "title": title, "system": system, **more}


def leave() -> None:
    """Close the fight that is shown; one without a title is called after those who are in it."""
    if shown:
        fight = shown["tracker"].encounter
        if not fight.title and fight.names:
            fight.title = " and ".join([*fight.names[:2], *(["others"] if len(fight.names) > 2 else ())])
        fight.close()


def begin(system: str, scene: str) -> None:
    """Begin a fight, of a scene or at an empty table; the one that is shown is left once there is another."""
    told = ck.scene(scene) if scene else None
    fight = told.encounter(system, journal=JOURNAL) if told else ck.Encounter(system, journal=JOURNAL)
    leave()
    if told:
        fight.title = told.name
    show(fight)


def doubt() -> str:
    """Return what the fight that is shown is called, if somebody has played it."""
    if not shown:
        return ""
    fight = shown["tracker"].encounter
    listed = next((each for each in ck.campaign(JOURNAL) if each.id == fight.id), None)
    return fight.title or "Your own fight" if listed is not None and is_played(listed) else ""


def hear(text: str) -> None:
    """Carry out what the page asks for."""
    asked = json.loads(text)
    try:
        if "part" in asked:
            said = {"method": "custom", "content": asked["content"]}
            shown[asked["part"]]._handle_msg({"content": {"data": said}, "buffers": []})
        elif "open" in asked:
            leave()
            show(ck.Encounter.open(JOURNAL, asked["open"]))
        elif "copy" in asked:
            page.post(json.dumps({"copy": JOURNAL.read_text(encoding="utf-8"), "name": JOURNAL.name}))
        elif asked["begin"] and not asked.get("sure") and (title := doubt()):
            page.post(json.dumps({"unsure": title, "begin": asked["begin"]}))
        elif asked["begin"]:
            begin(**asked["begin"])
        elif JOURNAL.exists():
            show(last())
        else:
            begin("saga", "catwalk")
    except ck.CombatkitError as error:
        page.post(json.dumps({"said": str(error)}))
