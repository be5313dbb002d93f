"""A shelf: creatures and parties to fill a fight from, found by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from combatkit.core.limits import ADDED, NAME
from combatkit.core.model import Condition
from combatkit.core.plain import bare, check_whole, is_text, short
from combatkit.errors import CombatkitError, InvalidInput, UnknownName
from combatkit.files.paths import as_path
from combatkit.files.rosters import RosterRow, read_roster, roster_frame, write_roster
from combatkit.files.rosters.read import ENDINGS
from combatkit.registry import ruleset
from combatkit.rules.sheet import in_full
from combatkit.shelf.conditions import checked, conditions_in, keep_in
from combatkit.shelf.items import FOREIGN, KIT, Item, items_of, kits_own, row_of, system_of
from combatkit.study.scenes import Scene, scene, scenes_of_kit

if TYPE_CHECKING:
    import polars as pl

    from combatkit.fight.fight import Encounter
    from combatkit.rules.ruleset import Ruleset

_FILES = 500
"""How many files in a folder are looked into, in order of name."""

_NAME = 80
_NOT_IN_NAMES = '\\/:*?"<>|'


class Shelf:
    """The kit's creatures and scenes, and the rosters and other tools' files in your own folders.

    Folders are looked at again whenever something is asked, their files only when they change.

    Parameters
    ----------
    *folders : str or Path
        Where your rosters and other tools' files are; what you keep goes into the first.

    Examples
    --------
    >>> import combatkit as ck
    >>> shelf = ck.Shelf()
    >>> shelf.search("nexu", system="saga").select("name", "says").rows()
    [('Nexu', '45 hp · Dex 4 · level 5')]
    >>> enc = ck.Encounter("saga", seed=1)
    >>> _ = enc.add(**shelf.take("Nexu", count=2), side="wild")
    >>> enc.names
    ('Nexu 1', 'Nexu 2')
    """

    def __init__(self, *folders: str | PathLike[str]) -> None:
        self._folders = tuple(_folder(each) for each in folders)
        self._read: dict[Path, tuple[tuple[int, int], list[Item], str]] = {}

    def search(self, text: str = "", system: str | None = None) -> pl.DataFrame:
        """Find combatants by name.

        Parameters
        ----------
        text : str
            Words of the name, or their beginnings, in any order; everything if it is empty.
        system : str, optional
            Only those that have stats for this ruleset, or that can be read for any.

        Returns
        -------
        polars.DataFrame
            Columns ``name``, ``system`` (null for what more than one can use), ``source`` (a file, or "kit"), ``npc``
            and ``says``, the stats in short; names that begin with the text come first.

        Raises
        ------
        UnknownName
            For an unknown ruleset.

        Examples
        --------
        >>> import combatkit as ck
        >>> ck.Shelf().search("watch", system="d6")["name"].to_list()
        ['Watch sergeant', 'Harbour watch']
        """
        from combatkit.frames import pl

        if not isinstance(text, str):
            raise InvalidInput(f"search: text is {short(text)}; give words of a name")
        found = self._named(text, system)
        rows = [(each.name, _only(each.systems), each.source, each.npc, each.says) for each in found]
        schema = {"name": pl.String, "system": pl.String, "source": pl.String, "npc": pl.Boolean, "says": pl.String}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def _named(self, text: str, system: str | None, word: Callable[[str], str] = str) -> list[Item]:
        """Return those whose name has these words, as it is or as `word` says it; the nearest first."""
        words = text.casefold().split()
        found = [(each, f"{each.name} {word(each.name)}".casefold()) for each in self._for(system)]
        named = [each for each, names in found if all(part in names for part in words)]
        return sorted(named, key=lambda each: _nearness(each, words))

    def parties(self, text: str = "", system: str | None = None) -> pl.DataFrame:
        """Find whole rosters of your own, such as a party you kept.

        Parameters
        ----------
        text : str
            Words of the file's name, or of a name in it; everything if it is empty.
        system : str, optional
            Only those that a ruleset can use, by id.

        Returns
        -------
        polars.DataFrame
            Columns ``name``, ``source`` (the file) and ``names`` (who is in it); `party` takes them all.

        Raises
        ------
        UnknownName
            For an unknown ruleset.

        Examples
        --------
        >>> import combatkit as ck, tempfile
        >>> enc = ck.Encounter("saga", seed=1)
        >>> _ = enc.add("Mara", side="rebels"), enc.add("Ossik", side="rebels")
        >>> shelf = ck.Shelf(tempfile.mkdtemp())
        >>> _ = shelf.keep("friday", enc, "rebels")
        >>> shelf.parties("fri").rows()
        [('friday', 'friday.saga.toml', ['Mara', 'Ossik'])]
        """
        from combatkit.frames import pl

        words = text.casefold().split()
        files = {source: [each.name for each in items] for source, items in self._rosters(system).items()}
        rows = [
            (_title(source), source, names)
            for source, names in files.items()
            if all(word in f"{source} {' '.join(names)}".casefold() for word in words)
        ]
        schema: Mapping[str, pl.DataType] = {"name": pl.String(), "source": pl.String(), "names": pl.List(pl.String())}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def party(self, source: str, system: str | None = None) -> pl.DataFrame:
        """Return everybody in a roster of your own, as `Encounter.add_roster` takes them.

        Parameters
        ----------
        source : str
            The file, as `parties` names it.
        system : str, optional
            The ruleset whose stats are wanted, where several could be.

        Returns
        -------
        polars.DataFrame
            A row for each.

        Raises
        ------
        UnknownName
            If there is no such roster; it suggests the nearest.
        InvalidInput
            If several systems could be meant.

        Examples
        --------
        >>> import combatkit as ck, tempfile
        >>> enc = ck.Encounter("saga", seed=1)
        >>> _ = enc.add("Mara", side="rebels", dex=4)
        >>> shelf = ck.Shelf(tempfile.mkdtemp())
        >>> again = ck.Encounter("saga", seed=1)
        >>> _ = again.add_roster(shelf.party(shelf.keep("friday", enc, "rebels").name))
        >>> again["Mara"].stats["dex"]
        4
        """
        rosters = self._rosters(system)
        if source not in list(rosters):
            raise UnknownName.of("roster on the shelf", source, rosters)
        systems = rosters[source][0].systems if system is None else (system,)
        if len(systems) > 1:
            raise InvalidInput(
                f"{source} could be for {', '.join(systems)}; say which with party({source!r}, system=...)"
            )
        return roster_frame(ruleset(systems[0]), [row_of(each.row) for each in rosters[source] if each.row is not None])

    def take(
        self, name: str, count: int = 1, system: str | None = None, *, source: str | None = None
    ) -> dict[str, Any]:
        """Return a combatant as `Encounter.add` takes it: ``enc.add(**shelf.take("Nexu"), side="wild")``.

        Parameters
        ----------
        name : str
            Their name, as `search` gives it.
        count : int
            How many.
        system : str, optional
            The ruleset whose stats are wanted, where several could be.
        source : str, optional
            The source, as `search` gives it, if several have the name; your own come first.

        Returns
        -------
        dict
            Name, count, whether the GM plays them, and their stats; no side.

        Raises
        ------
        UnknownName
            If nobody has that name; it suggests the nearest.
        InvalidInput
            If several systems could be meant, or for a bad count.
        """
        count = check_whole(count, "take: count", 1, ADDED)
        fitting = [each for each in self._for(system) if source in (None, each.source)]
        called = bare(name).casefold() if is_text(name, NAME) else None
        named = [each for each in fitting if each.name.casefold() == called]
        if not named:
            raise UnknownName.of("creature on the shelf", name, dict.fromkeys(each.name for each in fitting))
        item = named[0]
        systems = {system} if system else {id for each in named for id in each.systems or ("any",)}
        if len(systems) > 1 or systems == {"any"}:
            meant = ", ".join(sorted(systems - {"any"})) or "any system"
            raise InvalidInput(f"{item.name} could be for {meant}; say which with take({name!r}, system=...)")
        return {"name": item.name, "count": count, "npc": item.npc, **item.stats(ruleset(systems.pop()))}

    def keep(self, name: str, encounter: Encounter, side: str) -> Path:
        """Store a party as a roster in the shelf's first folder, replacing any of the same name.

        Parameters
        ----------
        name : str
            What to call it: the name of a file, without an ending.
        encounter : Encounter
            The fight they are in.
        side : str
            Whose side they are on. The dead are left out; those who have left the fight come along. Their sheets are
            kept as they are now, not what vitals have lost.

        Returns
        -------
        Path
            The roster, as `Encounter.add_roster` takes it.

        Raises
        ------
        UnknownName
            For a side nobody is on.
        InvalidInput
            Without a folder, or for a name that no file can have.

        Examples
        --------
        >>> import combatkit as ck, tempfile
        >>> enc = ck.Encounter("saga", seed=1)
        >>> _ = enc.add("Mara", side="rebels", dex=4, hp=38)
        >>> shelf = ck.Shelf(tempfile.mkdtemp())
        >>> shelf.keep("friday", enc, "rebels").name
        'friday.saga.toml'
        >>> shelf.take("Mara")
        {'name': 'Mara', 'count': 1, 'npc': False, 'dex': 4, 'hp': 38}
        """
        if not self._folders:
            raise InvalidInput("keep: this shelf has no folder; make one with Shelf(folder)")
        if not _is_file_name(name):
            raise InvalidInput(f"keep: {short(name)} can't be a file's name; give a word or two, without an ending")
        gone = {each for each in encounter.names if any(held.id == "dead" for held in encounter[each].conditions)}
        everybody = read_roster(encounter.ruleset, encounter.roster())
        if side not in (sides := dict.fromkeys(row.side for row in everybody)):
            raise UnknownName.of("side", side, sides)
        rows = [
            {
                "name": row.name,
                "side": side,
                "npc": row.npc,
                "group": row.group,
                **in_full(encounter.ruleset, row.stats),
            }
            for row in everybody
            if row.side == side and row.name not in gone
        ]
        if not rows:
            raise InvalidInput(f"keep: everybody on {side} is dead")
        return write_roster(encounter.ruleset, rows, self._folders[0] / f"{name.strip()}.{encounter.ruleset.id}.toml")

    def _keep_file(self, file: str, rules: Ruleset, rows: Iterable[RosterRow]) -> Path:
        """Store who was chosen from a file as a roster called after it, beside all there are."""
        called = Path(file).stem.removesuffix(f".{rules.id}")
        letters = (each if each.isprintable() and each not in f"{_NOT_IN_NAMES}." else " " for each in called)
        stem = " ".join("".join(letters)[:_NAME].split()) or "file"
        number, path = 1, self._folders[0] / f"{stem}.{rules.id}.toml"
        while path.exists():
            number += 1
            path = self._folders[0] / f"{stem} {number}.{rules.id}.toml"
        return write_roster(rules, [row_of(row) for row in rows], path)

    def keep_condition(
        self, id: str, *, modifiers: Mapping[str, int] | None = None, until: str | None = None
    ) -> Condition:
        """Keep a condition of your own in the shelf's first folder, replacing any of the same name.

        A tracker with this shelf offers it where a condition is set, with its numbers and its time.

        Parameters
        ----------
        id : str
            What it is called.
        modifiers : mapping of str to int, optional
            What it adds to numbers while it lasts, as `Encounter.condition` takes it.
        until : str, optional
            How long it lasts, as `Encounter.condition` takes it, but nobody's name.

        Returns
        -------
        Condition
            What is kept.

        Raises
        ------
        InvalidInput
            Without a folder, or for anything that no condition can have.

        Examples
        --------
        >>> import combatkit as ck, tempfile
        >>> shelf = ck.Shelf(tempfile.mkdtemp())
        >>> _ = shelf.keep_condition("Blessed", modifiers={"attack_bonus": 1}, until="end of turn")
        >>> shelf.conditions
        (Condition(id='Blessed', modifiers={'attack_bonus': 1}, until='end of turn'),)
        """
        if not self._folders:
            raise InvalidInput("keep_condition: this shelf has no folder; make one with Shelf(folder)")
        kept = checked(id, modifiers, until)
        keep_in(self._folders[0], kept)
        return kept

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions kept in its folders; of two with one name, that of the folder named first."""
        found: dict[str, Condition] = {}
        for folder in self._folders:
            found = {**conditions_in(folder), **found}
        return tuple(found.values())

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The scenes that come with the kit.

        Examples
        --------
        >>> import combatkit as ck
        >>> [(each.id, each.system) for each in ck.Shelf().scenes][2:5]
        [('bridge', None), ('cantina-cages', 'saga'), ('warehouse-raid', 'd6')]
        """
        return tuple(scene(id) for id in scenes_of_kit())

    @property
    def folders(self) -> tuple[Path, ...]:
        """Its folders; what is kept goes into the first."""
        return self._folders

    @property
    def unread(self) -> dict[str, str]:
        """The files in its folders that could not be read, each with what is wrong."""
        self._items()
        return {path.name: why for path, (_, _, why) in self._read.items() if why}

    def __repr__(self) -> str:
        """Say how many combatants it has."""
        items = self._items()
        own = sum(each.source != KIT for each in items)
        return f"<Shelf: {len(items) - own} of the kit, {own} of your own>"

    def _items(self) -> list[Item]:
        """Return everybody on it: your own first, folder by folder."""
        found: list[Item] = []
        seen: dict[Path, tuple[tuple[int, int], list[Item], str]] = {}
        for folder in self._folders:
            for path in _files(folder):
                try:
                    stamp = (path.stat().st_mtime_ns, path.stat().st_size)
                except OSError:
                    continue
                kept = self._read.get(path)
                seen[path] = kept if kept is not None and kept[0] == stamp else (stamp, *_looked_into(path))
                found += seen[path][1]
        self._read = seen
        return [*found, *kits_own()]

    def _for(self, system: str | None) -> list[Item]:
        """Return everybody on it whom a ruleset can use; without one, everybody."""
        wanted = None if system is None else ruleset(system).id
        return [each for each in self._items() if wanted is None or not each.systems or wanted in each.systems]

    def _rosters(self, system: str | None) -> dict[str, list[Item]]:
        """Return everybody in rosters of your own, by the file."""
        files: dict[str, list[Item]] = {}
        for each in self._for(system):
            if each.row is not None and each.source != KIT:
                files.setdefault(each.source, []).append(each)
        return files


def _looked_into(path: Path) -> tuple[list[Item], str]:
    try:
        return list(items_of(path)), ""
    except CombatkitError as error:
        return [], str(error)


def _files(folder: Path) -> list[Path]:
    endings = {*ENDINGS, *FOREIGN}
    try:
        found = sorted(each for each in folder.iterdir() if each.suffix.casefold() in endings and each.is_file())
    except OSError:
        return []
    return found[:_FILES]


def _folder(given: object) -> Path:
    path = as_path(given, "a shelf's folder")
    if not path.is_dir():
        raise InvalidInput(f"there is no folder {short(str(path))}; make it first, or give one that exists")
    return path.resolve()


def _nearness(item: Item, words: list[str]) -> tuple[bool, bool, bool, bool, bool, str]:
    """Return what sorts those found.

    Names that begin with the text come first, then those that begin with any of the words, then those with a word that
    does; then your own, and letters before numbers. Where nothing is looked for, the kit's own stand as in their files.
    """
    name = item.name.casefold()
    begins = any(part.startswith(tuple(words)) for part in name.split()) if words else True
    whole = name.startswith(" ".join(words))
    first = name.startswith(tuple(words) or "")
    in_order = name if words or item.source != KIT else ""
    return not whole, not first, not begins, item.source == KIT, not name[:1].isalpha(), in_order


def _only(systems: tuple[str, ...]) -> str | None:
    return systems[0] if len(systems) == 1 else None


def _title(source: str) -> str:
    """Return what a roster is called: its file's name without ending and ruleset."""
    stem = source.rpartition(".")[0]
    rules = system_of(stem)
    return stem if rules is None else stem.removesuffix(f".{rules.id}")


def _is_file_name(name: object) -> bool:
    """Check whether text can be a file's name on any system: no path, no ending, nothing hidden."""
    if not is_text(name, _NAME) or not name.strip() or not name.isprintable():
        return False
    return not set(name) & set(_NOT_IN_NAMES) and "." not in name
