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
    """Give what a widget has said since the last time: one custom message after another, never a whole state.

    That a tracker has a map from now on is told by the one trait that leads to it.
    """
    said = [data for kind, data in widget.comm.sent if kind == "comm_msg"]
    widget.comm.sent.clear()
    said = [data for data in said if data["method"] != "update" or {*data["state"]} != {"map"}]
    assert all(data["method"] == "custom" for data in said)
    return [data["content"] for data in said]


def hear(widget: Any, content: Any) -> list[Any]:
    """Let a message come from the front end, and give what goes back to the same widget."""
    sent(widget)
    widget._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
    return [spelled(message) if message.get("kind") == "choices" else message for message in sent(widget)]


def spelled(answer: Any) -> Any:
    """Give an answer to a question as its form has it, every value with its label: see ``js/form/spelled.js``."""
    return {**answer, "params": [_spelled(param) for param in answer["params"]]}


def _spelled(param: dict[str, Any]) -> dict[str, Any]:
    if "values" not in param:
        return param
    titled, first = param.pop("titled", False), param.pop("side", None)
    barred = [(each, no["why"]) for no in param.pop("no", ()) for each in no["values"]]
    values = []
    for each, why in [*((each, None) for each in param["values"]), *barred]:
        choice = dict(each) if isinstance(each, dict) else {"value": each}
        value = choice["value"]
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value).replace("_", " ")
        label: list[Any] = [words[:1].upper() + words[1:] if titled else words]
        if (side := choice.pop("side", first)) is not None:
            label = [{"side": side}, value]
        values.append({"label": label, "allowed": why is None, **choice, **({"why": why} if why is not None else {})})
    return {**param, "values": values}
