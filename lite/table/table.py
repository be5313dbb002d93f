"""The Tracker without a notebook: its messages come from a page and go to it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import comm
import page  # the worker's, see worker.js
from comm.base_comm import BaseComm

import combatkit as ck

os.chdir("/table")  # the disk that is kept from visit to visit

JOURNAL = Path("table.combat")
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
    views = {part: widget.view for part, widget in shown.items()}
    page.post(json.dumps({"views": views, "system": tracker.encounter.ruleset.id}))


def begin(system: str, scene: str) -> None:
    """Begin a fight: of a scene, or at an empty table."""
    if shown:
        shown["tracker"].encounter.close()
    made = ck.scene(scene).encounter(system, journal=JOURNAL) if scene else ck.Encounter(system, journal=JOURNAL)
    show(made)


def hear(text: str) -> None:
    """Carry out what the page asks for."""
    asked = json.loads(text)
    try:
        if "part" in asked:
            said = {"method": "custom", "content": asked["content"]}
            shown[asked["part"]]._handle_msg({"content": {"data": said}, "buffers": []})
        elif asked["begin"]:
            begin(**asked["begin"])
        elif JOURNAL.exists():
            show(None)
        else:
            begin("saga", "catwalk")
    except ck.CombatkitError as error:
        page.post(json.dumps({"said": str(error)}))
