"""What is on a shelf: combatants by name, from the kit, from rosters and from other tools' files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import to_builtins

from combatkit.errors import CombatkitError
from combatkit.files.creatures import creatures_of
from combatkit.files.foreign import Foreign
from combatkit.files.rosters import RosterRow, read_roster
from combatkit.files.rosters.read import ENDINGS, OWN
from combatkit.registry import ruleset, rulesets
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.typed import sheet_line
from combatkit.shelf.reading import foreign

KIT = "kit"
"""Where the kit's own creatures are from."""

FOREIGN = (".hdc", ".xml", ".json", ".yml", ".yaml", ".db", ".csv", ".tsv", ".txt", ".xlsx")
"""The endings of other tools' files that are looked into."""


class Item(NamedTuple):
    """One combatant on a shelf.

    Parameters
    ----------
    name : str
        What it is called.
    source : str
        The file it is from, or `KIT`.
    npc : bool
        Whether the GM plays them.
    systems : tuple of str
        The rulesets it has stats for, by id; empty if it can be read for any.
    row : RosterRow or None
        What its roster says.
    foreign : Foreign or None
        The other tool's file it is in.
    """

    name: str
    source: str
    npc: bool
    systems: tuple[str, ...]
    row: RosterRow | None = None
    foreign: Foreign | None = None

    @property
    def says(self) -> str:
        """Its sheet in one line."""
        return "" if self.row is None else sheet_line(ruleset(self.systems[0]), self.row.stats)

    def stats(self, rules: Ruleset) -> dict[str, object]:
        """Return its stats in a ruleset, as far as they are given."""
        if self.row is not None:
            stats: dict[str, object] = to_builtins(self.row.stats)  # whoever takes it may change them
            return {**stats, **({"conditions": self.row.conditions} if self.row.conditions else {})}
        assert self.foreign is not None
        read = {row.name: row for row in read_roster(rules, self.foreign.for_ruleset(rules).roster)}
        return read[self.name].stats if self.name in read else {}


def row_of(row: RosterRow) -> dict[str, object]:
    """Return a row as a roster has it, by column."""
    return {**{column.name: getattr(row, column.name) for column in OWN}, **row.stats}


def kits_own() -> Iterator[Item]:
    """Yield the creatures of every ruleset's folder."""
    for rules in rulesets():
        for row in creatures_of(rules):
            yield Item(row.name, KIT, row.npc, (rules.id,), row)


def items_of(path: Path) -> Sequence[Item]:
    """Return the combatants of a file: a roster, or what another tool saved.

    Raises
    ------
    CombatkitError
        If it is neither; the message goes by what it most looks like.
    """
    ending, meant = path.suffix.casefold(), system_of(path.stem)
    refused: CombatkitError | None = None
    if ending in ENDINGS:
        fitting: dict[str, Sequence[RosterRow]] = {}
        for rules in rulesets() if meant is None else [meant]:
            try:
                fitting[rules.id] = read_roster(rules, path)
            except CombatkitError as error:
                refused = refused or error
        if fitting:
            rows = next(iter(fitting.values()))
            apart = zip(_told_apart([row.name for row in rows]), rows, strict=True)
            return [Item(name, path.name, row.npc, tuple(fitting), row) for name, row in apart]
    if ending in FOREIGN and meant is None:
        try:
            read = foreign(path)
        except CombatkitError as error:
            raise refused or error from None
        systems = () if read.system is None else (read.system,)
        names = read.roster.select("name", "npc").iter_rows()
        return [Item(name, path.name, npc, systems, foreign=read) for name, npc in names]
    assert refused is not None
    raise refused


def _told_apart(names: Sequence[str]) -> list[str]:
    """Return names of which none is another's: a second Kobold is Kobold 2."""
    numbers = dict.fromkeys(names, 0)
    told = []
    for name in names:
        numbers[name] += 1
        told.append(name if numbers[name] == 1 else f"{name} {numbers[name]}")
    return told


def system_of(stem: str) -> Ruleset | None:
    """Return the ruleset that the name of a roster's file says it is for, as in ``"party.saga.toml"``."""
    return next((rules for rules in rulesets() if stem.endswith(f".{rules.id}")), None)
