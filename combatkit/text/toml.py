"""Reading one TOML file of a ruleset's folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from combatkit.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises
    ------
    InvalidInput
        If it is missing, or no TOML; it says where.
    """
    import tomllib

    where = f"{path.parent.name}/{path.name}"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InvalidInput(f"{path.parent.name} is not a ruleset: it lacks {path.name}") from None
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{where} cannot be read: {error}; it is TOML, in UTF-8") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        end = f"at the end, line {text.count(chr(10)) + 1}"
        raise InvalidInput(f"{where}: {str(error).replace('at end of document', end)}") from None
    except RecursionError:
        raise InvalidInput(f"{where} cannot be read: it is nested too deeply") from None
