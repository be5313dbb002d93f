"""What a message from a front end is, besides the calls of a fight."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

Answer = dict[str, Any]


class Message(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """What a front end may send."""

    looks: ClassVar[bool] = False
    """Whether it only looks, and so is answered in the players' view and in the past as well."""

    def carry(self, vantage: Any) -> Answer | None:
        """Do what is asked; return the answer if there is one."""
        raise NotImplementedError
