"""What comes out of a foreign file: a roster, what was left out and why, and what only people can know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from itertools import chain, islice
from typing import Any, NamedTuple

import msgspec

from combatkit.core.limits import ADDED, NAME
from combatkit.core.plain import is_number, short
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.files.foreign.finding import Place, find, told_path
from combatkit.files.foreign.mapping import Format, Shape, as_field, formats_of, gathered, general_formats, unknowing
from combatkit.files.foreign.record import Asked, Left, Reading, stat_or_why, told, unused
from combatkit.files.foreign.source import Source
from combatkit.files.foreign.trees import tree_of
from combatkit.files.rosters import roster_frame
from combatkit.frames import pl
from combatkit.rules.checks import check_name
from combatkit.rules.ruleset import Ruleset

_SIDES = ("party", "foes")
"""The sides of players' characters and of everybody else if a file doesn't say."""

_RECORDS = 5_000
_LOOKED = 1_000
"""One of this many records must be recognised, or the file is from another tool."""

_MOST_LEFT = 50_000
"""How much of what is left out is listed; no file we looked at comes close."""


class Found(NamedTuple):
    """A recognised file: its mapping, and its records with their places."""

    source: Source
    made: Format
    tree: object
    records: list[tuple[Place, dict[str, object]]]


class Foreign(msgspec.Struct, frozen=True, eq=False):
    """Another tool's file, read.

    Parameters
    ----------
    format : str
        Which tool it is from, such as ``"hero-designer"``.
    system : str or None
        The ruleset whose stats the roster has; None if the tool knows none and no system was named.
    roster : polars.DataFrame
        What the file says, as `Encounter.add_roster` takes it.
    left_out : polars.DataFrame
        Whatever else it says: name, field, value, why.
    asks : polars.DataFrame
        What it cannot know: name, stat, why, proposed.
    found : Found
        The recognised file, so that it can be read for a ruleset later.
    unread : frozenset
        What of `left_out` was wanted but could not be read, by name and field.

    Examples
    --------
    >>> import combatkit as ck
    >>> rat = '{"Name": "Dock rat", "HP": {"Value": 3}, "AC": {"Value": 12}, "Abilities": {"Dex": 15}}'
    >>> read = ck.foreign(rat, system="saga")
    >>> read.format, read.roster.select("name", "npc", "dex", "hp").rows()
    ('improved-initiative', [('Dock rat', True, 2, 3)])
    """

    format: str
    system: str | None
    roster: pl.DataFrame
    left_out: pl.DataFrame
    asks: pl.DataFrame
    found: Found
    unread: frozenset[tuple[str, str]] = frozenset()

    def for_ruleset(self, rules: Ruleset) -> Foreign:
        """Return the same file read for a ruleset, if it was not read for one before.

        Raises
        ------
        InvalidInput
            If it was read for another.
        """
        if self.system is None:
            return review(self.found, rules)
        if self.system != rules.id:
            raise InvalidInput(
                f"{self.found.source.file} was read for {self.system}, and this fight is {rules.id}; "
                f"read it with foreign(..., system={rules.id!r})"
            )
        return self

    def __repr__(self) -> str:
        """Say what it is and how much of it there is."""
        whose = f" for {self.system}" if self.system else ""
        counts = f"{self.roster.height} in the roster, {self.left_out.height} left out, {self.asks.height} asked"
        return f"<Foreign {self.format}{whose}: {counts}>"

    def _repr_html_(self) -> str:
        """Show the three frames, one beneath the other."""
        frames = {"Roster": self.roster, "Left out": self.left_out, "Asked": self.asks}
        shown = (f"<p><b>{title}</b></p>{frame._repr_html_()}" for title, frame in frames.items() if frame.height)
        return f"<p>{escape(repr(self))}</p>{''.join(shown)}"


def find_format(source: Source, added: Iterable[Format], rulesets: Sequence[Ruleset]) -> Found:
    """Return the mapping that recognises a file: added ones are tried first, then rulesets', then the general ones.

    Raises
    ------
    InvalidInput
        If it is broken, or no mapping recognises it.
    """
    tree = tree_of(source)
    formats = [*added, *(made for rules in rulesets for made in formats_of(rules)), *general_formats()]
    as_written = ((made, tree) for made in formats)
    as_meant = ((made, _spelled(tree, made)) for made in formats)
    for made, each in chain(as_written, as_meant):
        if records := _records(source, made, each):
            return Found(source, made, each, records)
    for made in formats:
        for record in [tree, *(tree if isinstance(tree, list) else ())][: _LOOKED + 1]:
            if other := made.other_of(record):
                raise InvalidInput(f"{source.file} holds no combatant: it is {other} ({made.title})")
    titles = ", ".join(dict.fromkeys(made.title for made in formats))
    begins = f"has {_keys(tree)}"
    raise InvalidInput(f"{source.file} comes from no tool known here: it {begins}; it can be read from {titles}")


def _spelled(tree: object, made: Format) -> object:
    """Return a table with its headings in the case that a mapping has them in; anything else as nothing."""
    if not isinstance(tree, list):
        return None
    paths = {path for shape in made.shapes for path in shape.has}
    for shape in made.shapes:
        paths.update(path for field in gathered(made, shape).fields.values() for path in as_field(field).paths)
    meant = {path.casefold(): path for path in paths}
    return [
        {meant.get(key.casefold(), key): cell for key, cell in row.items()} for row in tree if isinstance(row, dict)
    ]


def review(found: Found, rules: Ruleset | None) -> Foreign:
    """Return what a file comes to in a ruleset's stats, or in those that every system has."""
    review = _Review(found, rules)
    for place, record in found.records:
        review.take(place, record)
    review.name_all()
    review.leave_rest()
    if rules is None:
        own = {"name": pl.String(), "side": pl.String(), "count": pl.Int64(), "npc": pl.Boolean()}
        roster = pl.DataFrame(review.rows, schema=own | dict.fromkeys(found.made.bare, pl.Int64()))
    else:
        roster = roster_frame(rules, review.rows)
        used = [column for column in roster.columns if any(row.get(column) is not None for row in review.rows)]
        roster = roster.select(used)
    return Foreign(
        found.made.format,
        None if rules is None else rules.id,
        roster,
        _texts([each[:-1] for each in review.left], ("name", "field", "value", "why")),
        _texts(review.asked, Asked._fields),
        found,
        frozenset((each.name, each.field) for each in review.left if each.unread),
    )


class _Draft(NamedTuple):
    """One row without a name yet: what the file calls it, the row, what is asked, what is left out."""

    own: object
    row: dict[str, Any]
    asks: list[Asked]
    left: list[Left]


class _Review:
    """Gathers what comes out of a file's records."""

    def __init__(self, found: Found, rules: Ruleset | None) -> None:
        self.found = found
        self.rules = rules
        self.rows: list[dict[str, object]] = []
        self.left: list[Left] = []
        self.asked: list[Asked] = []
        self.drafts: list[_Draft] = []
        self.room = _MOST_LEFT
        self.same: dict[str, tuple[tuple[object, ...], dict[str, object]]] = {}
        self.names: set[str] = set()
        self.numbers: dict[str, int] = {}

    def take(self, place: Place, record: dict[str, object]) -> None:
        """Take one record."""
        shape = self.found.made.shape_of(record)
        if shape is None:
            what = told(record, self.found.made.tell)
            other = self.found.made.other_of(record)
            why = f"it is {other}" if other else "it isn't a combatant"
            self.left.append(Left("", told_path(place) or "file", what, why))
            return
        reading = Reading(self.found.made, gathered(self.found.made, shape), record)
        row, asks = self._row(reading)
        stats, wrong = self._stats(reading, shape)
        asks = [*asks, *self._asks(reading, stats, wrong)]
        own = reading.formula(reading.tables.own.get("name"))
        again = self.same.get(str(own))
        alike = (stats, row["side"], row["npc"])
        if self.found.made.bestiary and again is not None and again[0] == alike:
            self.left.append(Left(str(own), told_path(place), str(own), "it is listed twice, the same each time"))
            return
        if again is not None and own and again[0] == alike and again[1]["count"] + row["count"] <= ADDED:
            again[1]["count"] += row["count"]
            return
        whole = {**row, **stats}
        self.same[str(own)] = (alike, whole)
        reason = "no system was named" if self.rules is None else "these rules don't use it"
        left = list(islice(chain(wrong.values(), reading.left_out(reason)), self.room))
        self.room -= len(left)
        self.drafts.append(_Draft(own, whole, asks, left))

    def name_all(self) -> None:
        """Give everybody a name of their own, once it is known how many are alike."""
        for draft in self.drafts:
            name, why = self._name(draft.own, draft.row["count"])
            if why:
                self.asked.append(Asked(name, "name", why, name))
            self.rows.append({"name": name, **draft.row})
            self.asked += [ask._replace(name=name) for ask in draft.asks]
            self.left += [each._replace(name=name) for each in draft.left]

    def leave_rest(self) -> None:
        """List what the file holds besides its records."""
        places = {place for place, _ in self.found.records}
        if () not in places and not isinstance(self.found.tree, list):
            above = {place[:end] for place in places for end in range(len(place))}
            for place, value in unused(self.found.tree, (), (places, above), self.found.made, 2):
                path = told_path(place)
                why = self.found.made.why.get(path, "it isn't a combatant")
                self.left.append(Left("", path, told(value, self.found.made.tell), why))

    def _name(self, own: object, count: int) -> tuple[str, str]:
        """Return an unused name, numbered as needed, and why it isn't the file's."""
        stem = self.found.source.stem[:NAME]
        name, why = "Unnamed", "the file does not say"
        for given, said in ((own, ""), (stem, f"{short(own)} can't be a name here" if own else why)):
            with suppress(CombatkitError):
                name, why = check_name(given), said
                break
        first, number = name, self.numbers.get(name, 1)
        while not self.names.isdisjoint(borne := _borne(name, count)):
            why = why or f"several in the file are called {first}"
            number += 1
            name = f"{first[: NAME - 6]} {number}"
        self.numbers[first] = number
        self.names.update(borne)
        return name, why

    def _row(self, reading: Reading) -> tuple[dict[str, Any], list[Asked]]:
        """Return side, count and whether the GM plays them, and which of these to ask about."""
        own, asks = reading.tables.own, []
        npc = reading.formula(own.get("npc"))
        if npc is None:
            asks.append(Asked("", "npc", "the file does not say whether the GM plays them", "true"))
        side = reading.formula(own.get("side"))
        if not isinstance(side, str) or not side.strip():
            side = _SIDES[npc is None or bool(npc)]
            asks.append(Asked("", "side", "the file does not say whose side they are on", side))
        count = reading.formula(own.get("count"))
        if type(count) is not int or not 1 <= count <= ADDED:
            if count is not None:
                asks.append(Asked("", "count", f"the file says {count}; a row of a roster has 1 to {ADDED}", "1"))
            count = 1
        for stat, ask in reading.tables.asks.items():
            if stat in own:
                asks.append(Asked("", stat, ask.why, _proposal(reading.formula(ask.propose or None))))
        return {"side": side[:NAME], "count": count, "npc": npc is None or bool(npc)}, asks

    def _stats(self, reading: Reading, shape: Shape) -> tuple[dict[str, object], dict[str, Left]]:
        """Return the stats a record gives, and the wrong ones."""
        rules = self.rules
        stats: dict[str, object] = {}
        wrong: dict[str, Left] = {}
        if rules is None:
            bare = {field: reading.formula(field) for field in self.found.made.bare}
            return {field: value for field, value in bare.items() if is_number(value)}, wrong
        ours = self.found.made.system == rules.id
        formulas = reading.tables.stats if ours else unknowing(rules).stats
        values = {stat: reading.formula(given, stats) for stat, given in formulas.items()}
        if ours:
            for each in reading.tables.lists:
                values[each.stat] = reading.entries(each) or None
        for stat, value in values.items():
            held, refused = _held(rules, stat, value)
            for entry, why in refused:
                wrong[f"{stat}: {short(entry)}"] = Left("", stat, told(entry, ("name",)), why, unread=True)
            if held is not None:
                read, why = stat_or_why(rules, shape.id, stat, held)
                if why:
                    wrong[stat] = Left("", stat, _listed(held, self.found.made), why, unread=True)
                else:
                    stats[stat] = read
        return stats, wrong

    def _asks(self, reading: Reading, stats: Mapping[str, Any], wrong: Mapping[str, Left]) -> Iterator[Asked]:
        """Yield what is asked about a record: what its mapping asks, what its lists lack, what the system needs."""
        if self.rules is None:
            return
        ours = self.found.made.system == self.rules.id
        own = reading.tables.asks if ours else {}
        lacking = {**unknowing(self.rules).asks, **{stat: ask for stat, ask in own.items() if not ask.always}}
        given = {stat: ask for stat, ask in own.items() if ask.always}
        for asks, there in ((lacking, False), (given, True)):
            for stat, ask in asks.items():
                if stat in self.rules.stats and (stats.get(stat) is not None) == there:
                    proposed = reading.formula(ask.propose or None, stats)
                    if proposed is not None and stat_or_why(self.rules, "", stat, proposed)[1]:
                        proposed = None  # what the stat can't be is no proposal
                    if proposed is not None or not there:
                        yield Asked("", stat, wrong[stat].why if stat in wrong else ask.why, _proposal(proposed))
        for each in reading.tables.lists if ours else ():
            for entry in stats.get(each.stat) or ():
                for key, why in each.asks.items():
                    if key not in entry:
                        yield Asked("", each.stat, f"{entry['name']}: {why}", None)


def _borne(name: str, count: int) -> list[str]:
    """Return the names of so many alike, and the one they have in common."""
    return [name, *(f"{name} {number}" for number in range(1, count + 1))] if count > 1 else [name]


def _held(rules: Ruleset, stat: str, value: object) -> tuple[object, list[tuple[object, str]]]:
    """Return a value without its impossible entries, and those entries with the reason."""
    if not isinstance(value, list) or stat not in rules.stats:
        return value, []
    whys = [(entry, stat_or_why(rules, "", stat, [entry])[1]) for entry in value]
    return [entry for entry, why in whys if not why] or None, [(entry, why) for entry, why in whys if why]


def _proposal(value: object) -> str | None:
    return None if value is None else str(value)


def _listed(value: object, made: Format) -> str:
    if isinstance(value, list):
        return "; ".join(told(each, made.tell) for each in value)
    return told(value, made.tell)


def _records(source: Source, made: Format, tree: object) -> list[tuple[Place, dict[str, object]]]:
    """Return a file's records if it is from this tool: where the first path that fits finds them."""
    for path in made.rows:
        there = ((place, record) for place, record in find(tree, path) if isinstance(record, dict))
        records = list(islice(there, _RECORDS + 1))
        if path == "." and isinstance(tree, dict) and made.unfold:
            records = [*_unfolded(source, made, tree), *records]
        if any(made.shape_of(record) for _, record in records[:_LOOKED]):
            if len(records) > _RECORDS:
                raise InvalidInput(f"{source.file} has more than {_RECORDS:,} records; divide it into several files")
            fitting = [each for each in records if made.shape_of(each[1])]
            return fitting if path == "." else records
    return []


def _unfolded(source: Source, made: Format, tree: Mapping[str, object]) -> Iterator[tuple[Place, dict[str, object]]]:
    """Yield the records kept as JSON text under keys that begin as a mapping says."""
    for key, value in tree.items():
        if key.startswith(tuple(made.unfold)) and isinstance(value, str):
            try:
                record = msgspec.json.decode(value)
            except (msgspec.DecodeError, RecursionError, ValueError) as error:
                why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
                raise InvalidInput(f"{source.file}: the text under {short(key)} is broken JSON ({why})") from None
            if isinstance(record, dict):
                yield (key,), record


def _keys(tree: object) -> str:
    if isinstance(tree, dict):
        return f"the keys {', '.join(short(key) for key in list(tree)[:6])}"
    if isinstance(tree, list) and tree and isinstance(tree[0], dict):
        return f"rows with {', '.join(short(key) for key in list(tree[0])[:6])}"
    return f"only {short(tree)}"


def _texts(rows: Sequence[tuple[object, ...]], columns: Sequence[str]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String()), orient="row")
