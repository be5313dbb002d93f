"""Which of a test's parameters `make test` tries, where one of them shows the same fault as another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_long(values: Iterable[Any], kept: Any) -> list[Any]:
    """Give parameters: `make test` tries the one kept, `make test-all` every one."""
    found = [value if value == kept else pytest.param(value, marks=pytest.mark.long) for value in values]
    assert kept in found, f"{kept!r} is none of the parameters"
    return found
