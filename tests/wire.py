"""What widgets say to a front end: kept by a recorder in the place of a comm, and answered as a front end would."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import comm
import ipywidgets  # type: ignore[import-untyped]
import pytest
from comm.base_comm import BaseComm
from ipykernel.comm import Comm

from combatkit.widgets._base import ViewWidget


class Recorder(BaseComm):
    """A comm that keeps what is sent."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.sent: list[tuple[str, Any]] = []
        super().__init__(*args, **kwargs)

    def publish_msg(self, msg_type: str, data: Any = None, *args: Any, **keys: Any) -> None:
        self.sent.append((msg_type, deepcopy(data)))


class KernelRecorder(Comm):
    """The same for widgets of ipywidgets 7, which take only a kernel's own comm, and send only where a kernel runs."""

    kernel = object()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.sent: list[tuple[str, Any]] = []
        super().__init__(*args, **{**kwargs, "show_warning": False})  # type: ignore[no-untyped-call]

    publish_msg = Recorder.publish_msg


def recording(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every widget of a test speak to a recorder, and close them all after it."""
    monkeypatch.setattr(comm, "create_comm", Recorder)
    if ipywidgets.__version__.startswith("7."):
        monkeypatch.setattr("ipywidgets.widgets.widget.Comm", KernelRecorder)
    monkeypatch.setattr(ViewWidget, "_shown", True)  # as if each were shown at once
    yield
    ViewWidget.close_all()


def sent(widget: Any) -> list[Any]:
    """Give what a widget has said since the last time: one custom message after another, never a whole state."""
    said = [data for kind, data in widget.comm.sent if kind == "comm_msg"]
    widget.comm.sent.clear()
    assert all(data["method"] == "custom" for data in said)
    return [data["content"] for data in said]


def hear(widget: Any, content: Any) -> list[Any]:
    """Let a message come from the front end, and give what goes back to the same widget."""
    sent(widget)
    widget._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
    return sent(widget)
