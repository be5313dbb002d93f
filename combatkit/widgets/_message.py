"""What a message from a front end is, besides the calls of a fight."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

Answer = dict[str, Any]


class Message(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """What a front end may send."""

    def carry(self, vantage: Any) -> Answer | None:
        """Do what is asked; return the answer if there is one."""
        raise NotImplementedError


def tagged(*kinds: type[Message]) -> dict[str, type[Message]]:
    """Return kinds of messages by what each is called in a message."""
    return {str(each.__struct_config__.tag): each for each in kinds}


def numbered(answer: Answer, content: object) -> Answer:
    """Return an answer with the number that the front end gave what is answered, if it gave one."""
    number = content.get("id") if isinstance(content, dict) else None
    return {**answer, "id": number} if is_number(number) else answer


def is_number(value: object) -> bool:
    """Check whether a value is a number: true and false are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)
