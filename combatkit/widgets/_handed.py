"""Widgets of a lesson: what was done in them stands beneath as an output of its own, for whoever gathers it."""

from __future__ import annotations

import sys
from typing import Any

from combatkit.study.quiz.gathering import MIME
from combatkit.widgets._base import ViewWidget


class LessonWidget(ViewWidget):
    """A widget whose answers the notebook holds as data."""

    def _record(self) -> dict[str, object]:
        """Return what is handed in."""
        raise NotImplementedError

    def _handed_in(self) -> str:
        """Return the same in words."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, object]] | None:
        """Return what a notebook shows; the answers stand beneath, as an output of their own."""
        self._hand_in(first=True)
        return super()._repr_mimebundle_(**kwargs)

    def _hand_in(self, first: bool = False) -> None:
        """Let the notebook hold the answers, where there is a notebook."""
        shell = sys.modules.get("IPython")
        if shell is None or shell.get_ipython() is None:
            return
        from IPython.display import display

        data = {MIME: self._record(), "text/plain": self._handed_in()}
        display(data, raw=True, display_id=f"{self.model_id}-answers", update=not first)  # type: ignore[no-untyped-call]
