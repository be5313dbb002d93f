"""What all widgets share: a view that travels as deltas, messages that are checked, a picture that needs no kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import anywidget
import traitlets

from combatkit.core.limits import ANSWER
from combatkit.errors import CombatkitError
from combatkit.fight.fight import Encounter
from combatkit.fight.lock import HEARING, HOLDING, SHOWING, guarded
from combatkit.text import Language
from combatkit.widgets._delta import changes
from combatkit.widgets._fit import cut
from combatkit.widgets._intents import hear
from combatkit.widgets._message import Message, numbered
from combatkit.widgets._seat import SeatVantage
from combatkit.widgets._seat_rights import hear_seat
from combatkit.widgets._static import text_of
from combatkit.widgets._tongue import in_words, language_at, names_in, people_in, with_tongue
from combatkit.widgets._vantage import Vantage

_STATIC_TEXT = ANSWER // 4
"""How many characters a picture in words may have; each may take four bytes."""

Project = Callable[[Vantage], Mapping[str, object]]
"""Makes a view of what a vantage looks at."""

_STATIC = Path(__file__).parents[1] / "static"


def bundle(name: str) -> str:
    """Return the text of a built front end.

    As text, because a file that anywidget watches keeps alive every widget ever made from it.

    Raises
    ------
    FileNotFoundError
        In a checkout where none has been built.
    """
    path = _STATIC / name
    if not path.is_file():
        raise FileNotFoundError(f"combatkit/static/{name} is not built: run 'make build' in the checkout")
    return path.read_text(encoding="utf-8")


class _View(traitlets.Dict):
    """A view that is worked out when it is read, for as long as its widget rests."""

    def get(self, obj: Any, cls: type[Any] | None = None) -> dict[str, Any] | None:
        if obj.gone:
            obj._catch_up()
        return super().get(obj, cls)


class ViewWidget(anywidget.AnyWidget):
    """A widget that shows a view made by Python.

    Parameters
    ----------
    project : callable
        Makes its view, plain data.
    **traits
        Traits of a subclass.

    Attributes
    ----------
    view : dict
        What is shown, with a `revision`; saved with the widget, and sent as deltas once it is open.
    gone : bool
        Whether it has no view, not yet or its last one has gone: nothing is worked out or sent until one comes.
    """

    view: Any = _View().tag(sync=True)
    gone = traitlets.Bool(False).tag(sync=True)

    _shown = False
    """Whether it is taken as shown from the beginning."""

    _parts: Mapping[str, EncounterWidget] = MappingProxyType({})
    """Widgets that it shows inside itself."""

    _alone = True
    """Whether it sends what changes in it, since a front end shows it by itself."""

    _kinds: ClassVar[Mapping[str, type[Message]]]
    """Messages it hears, where it is not about a fight."""

    @guarded(HOLDING)
    def __init__(self, project: Callable[[], Mapping[str, object]], **traits: object) -> None:
        self._project = project
        super().__init__(view={"revision": 0, **self._spoken()}, gone=not self._shown, **traits)
        self.on_msg(self._hear)

    @property
    def language(self) -> Language | None:
        """What it is shown in, if not English."""
        return None

    @property
    def _names(self) -> list[str]:
        """What people have named in what is shown."""
        return []

    @property
    def _people(self) -> list[str]:
        """With whose names sentences may begin in what is shown."""
        return []

    def _word(self, text: str) -> str:
        """Return words of ours in its language."""
        return self.language.several(text) if self.language else text

    def _spoken(self) -> Mapping[str, object]:
        """Return the view in its language, with the front ends' words if no other widget brings them."""
        names = self._names
        said = in_words(self._project(), self.language, names, self._people)
        return with_tongue(said, self.language, names) if self._alone else said

    @guarded(SHOWING)
    def refresh(self) -> None:
        """Look again, and send the front end what has changed."""
        self.look_again()

    def look_again(self) -> None:
        """Look again, and send what has changed, here and in the parts, while nothing changes and nobody else looks."""
        found = self._look()
        inside = {} if self.gone else {name: part for name, part in self._parts.items() if not part._alone}
        news = {name: delta for name, part in inside.items() if (delta := part._look())}
        for part in self._parts.values():
            if part._alone:
                part.look_again()
        if self.comm is not None and (found or news):
            now = self.view["revision"]
            message = found or {"kind": "delta", "base": now, "revision": now, "set": []}
            self.send(message | {"parts": news} if news else message)

    @guarded(HOLDING)
    def _catch_up(self) -> None:
        """Look again, and let the parts do so, though nobody is shown them."""
        self.gone = False
        try:
            self._look()
        finally:
            self.gone = True
        for part in self._parts.values():
            part._look()

    def _look(self) -> dict[str, object] | None:
        """Look again, and give what has changed since the last time as a message."""
        if self.comm is None or self.gone:
            return None
        base = self.view["revision"]
        view = {"revision": base, **self._spoken()}
        found = changes(self.view, view)
        if not found:
            return None
        self.view = view | {"revision": base + 1}
        return {"kind": "delta", "base": base, "revision": base + 1, "set": found}

    def set_state(self, sync_data: dict[str, object]) -> None:
        """Accept only its layout from a front end: what is shown is up to Python."""
        super().set_state({key: value for key, value in sync_data.items() if key == "layout"})

    def _should_send_property(self, key: str, value: object) -> bool:
        return key not in ("view", "gone") and bool(super()._should_send_property(key, value))

    def _handle_msg(self, msg: dict[str, Any]) -> None:
        """Carry out a message from the front end, in whatever thread it comes: one at a time, each as a whole."""
        try:
            self._carry_out(msg)
        except CombatkitError as error:  # it could not begin
            answer = {"kind": "refused", "reason": str(error), "rule": ""}
            self.send(numbered(answer, msg["content"]["data"].get("content")))

    @guarded(HEARING)
    def _carry_out(self, msg: dict[str, object]) -> None:
        super()._handle_msg(msg)

    def _hear(self, _: object, content: object, buffers: object) -> None:
        answer = self._about_itself(content)
        if answer is None:
            if self.gone:
                self._wake()
            answer = self._answer(content)
        if answer is not None:
            self.send(answer)

    def _about_itself(self, content: object) -> dict[str, object] | None:
        """Answer what only this widget can: its whole view, and its picture in words."""
        kind = content.get("kind") if isinstance(content, dict) and content.keys() <= {"kind", "id"} else None
        if kind == "alone":
            self._alone = True
            self._look()  # what it is part of may have rested
        if kind in ("full", "alone"):
            more = self._wake() if self.gone else {}
            return numbered({"kind": "full", "view": self.view, **more}, content)
        if kind == "static":
            return numbered({"kind": "static", "text": cut(text_of(self._static()), _STATIC_TEXT)}, content)
        if kind == "gone":
            self._go()
            return numbered({"kind": "gone"}, content)  # for every page: one that still has a view says so
        return None

    def _go(self) -> None:
        """Rest: the last view has gone."""
        self.gone = True

    def _wake(self) -> dict[str, object]:
        """Go on from the present, since a view has come; give the parts, whole: what was read of them was not sent."""
        self.gone = False
        self._look()
        inside = {name: part for name, part in self._parts.items() if not part._alone}
        for part in inside.values():
            part._wake()
        return {"parts": {name: {"kind": "full", "view": part.view} for name, part in inside.items()}} if inside else {}

    def _answer(self, content: object) -> dict[str, object] | None:
        """Do what a message asks, and give what goes back."""
        return self._in_words(hear(self, content, self._kinds))

    def _in_words(self, answer: dict[str, object] | None) -> dict[str, object] | None:
        """Return what goes back in its language."""
        return answer and in_words(answer, self.language, self._names, self._people)

    def __repr__(self) -> str:
        """Say what is shown."""
        return f"<{type(self).__name__}: {self._about()}>"

    def _about(self) -> str:
        raise NotImplementedError

    @guarded(HOLDING)
    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, object]] | None:
        """Return what a notebook shows, with a picture for places where no widget can run.

        It goes on resting until a front end asks for it: a cell that is run again may take it away before that.
        """
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, "text/html": self._static()}, metadata

    def _static(self) -> str:
        """Return the present state as HTML without scripts."""
        raise NotImplementedError


class EncounterWidget(ViewWidget):
    """A widget that shows a fight from a vantage.

    Parameters
    ----------
    vantage : Vantage
        Where it looks from, shared by the parts of one tracker.
    project : callable
        Makes its view, plain data, of what the vantage looks at.
    parts : mapping of str to EncounterWidget, optional
        Widgets in the same vantage that it shows inside itself, by the trait that refers to each: their changes travel
        in its message, because every message costs a front end time.
    **traits
        Traits of a subclass.

    Attributes
    ----------
    within : bool
        Whether it is part of another widget; its changes then travel in that widget's messages until a front end shows
        it alone.
    """

    within = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        vantage: Vantage,
        project: Project,
        *,
        parts: Mapping[str, EncounterWidget] = MappingProxyType({}),
        **traits: object,
    ) -> None:
        self._vantage = vantage
        self._parts = parts
        self._alone = not traits.get("within", False)
        super().__init__(partial(project, vantage), **parts, **traits)
        if self._alone:
            vantage.add(self)

    @property
    def language(self) -> Language:
        """The fight's language."""
        return language_at(self._vantage)

    @property
    def _names(self) -> list[str]:
        return names_in(self._vantage)

    @property
    def _people(self) -> list[str]:
        return people_in(self._vantage)

    @property
    def encounter(self) -> Encounter:
        """The fight that is shown."""
        return self._vantage.encounter

    def close(self) -> None:
        """Close the widget: its views go, and it stops following the fight."""
        if self.comm is not None:
            self._vantage.remove(self)
        super().close()

    def _go(self) -> None:
        """Rest, or be a part again: the last view that showed this alone has gone."""
        if self.within:
            self._alone = False
        else:
            super()._go()

    def _answer(self, content: object) -> dict[str, object] | None:
        vantage = self._vantage
        return self._in_words(
            hear_seat(vantage, content) if isinstance(vantage, SeatVantage) else hear(vantage, content)
        )

    def _about(self) -> str:
        now = self._vantage.now
        players = self._word(", players' view") if self._vantage.players else ""
        return f"{now.id}, {now._stands}{players}"
