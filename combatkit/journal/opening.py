"""Beginning a journal, going on with one, branching in one, saving a copy and reading it."""

from __future__ import annotations

import re
from base64 import b64encode
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import TypeVar

from combatkit.core.plain import check_bool, free, short
from combatkit.core.timeline import Timeline
from combatkit.errors import DamagedJournal, InvalidInput, JournalError, UnknownName, clipped, warn
from combatkit.fight.fight import Encounter
from combatkit.fight.lock import HOLDING, guarded
from combatkit.fight.pictures import hand_over, kept, laid
from combatkit.fight.view import View
from combatkit.files.paths import as_path, is_journal, whole_file
from combatkit.journal.book import Book, shared
from combatkit.journal.lines import LONGEST, Fight, Line, Senseless, Settings, dated, head, line_of, marked
from combatkit.journal.mending import mended, read
from combatkit.journal.store import Store, keep_beside
from combatkit.registry import ruleset
from combatkit.rules.ruleset import Ruleset

E = TypeVar("E", bound=Encounter)

_SPARE = 12
"""How much longer the name is of what a damaged journal is kept as."""

_PAGES = (".htm", ".html")
"""How the names of files end that a browser opens."""

_CONFLICT = re.compile("conflict|konflikt", re.IGNORECASE)
"""What stands in the name that a sync client gives a second history."""


def journal_path(path: object, what: str = "a journal", spare: int = _SPARE) -> Path:
    """Check a journal's path, and return it with all links resolved."""
    return as_path(path, what, spare).resolve()


def lines_of(encounter: Encounter, number: int, *, private: bool = True) -> Iterator[Line]:
    """Yield the lines that tell of a fight, its whole past included; `private` settings are those of its own file.

    A file of its own has its pictures beside it, any other has them within, made small.
    """
    line = encounter._line
    known = {name: value for name, value in line.settings.items() if name != "pictures" and (private or name != "room")}
    pictures = hand_over(line)[1] if private else _small(encounter)
    if pictures:
        known["pictures"] = pictures
    settings = Settings(**known) if known else None
    for step in line.now.passed():
        told = line_of(number, step)
        if step.first == 1:
            told.id, told.system, told.begun = encounter.id, encounter.ruleset.id, dated(line.begun)
            told.parent, told.set = encounter.parent, settings
        yield told


def _small(encounter: Encounter) -> dict[str, str]:
    """Return a fight's pictures as a copy holds them, the newest first, as far as there is room."""
    found, room = dict[str, str](), LONGEST // 2
    for _, look in reversed(laid(encounter._line)):
        if look is not None and look.sha not in found:
            with suppress(InvalidInput):  # its file may be gone
                content = b64encode(encounter._picture(look)).decode()
                if (room := room - len(content)) > 0:
                    found[look.sha] = content
    return found


# ── beginning ──


@guarded(HOLDING)
def keep(encounter: Encounter, path: object, batch: object = False) -> None:
    """Keep a fight in a journal, and its branches with it: everything so far, and each call from now on.

    Raises
    ------
    JournalError
        If it is kept already, the file holds a fight with such an id, or it cannot be written.
    """
    file, waits = journal_path(path), check_bool(batch, "batch")
    if isinstance(encounter._timeline.journal, Store):
        raise JournalError(f"{encounter.id!r} is kept in {encounter._timeline.journal.path.name} already")
    fights = list(_family(encounter))
    with closing(shared(file) or Book(file, make=True)) as book:
        if not book.past.fights and book.lost:
            raise _nothing_of(book)
        if not book.open:
            book.tell()
        try:
            book.claim()
            ids = book.past.ids()
            for each in fights:
                if each.id in ids:
                    raise JournalError(
                        f"{file.name} holds {each.id!r} already: name another file, or give another id, such as "
                        f"id={free(each.id, ids)!r}. To go on with it: ck.Encounter.open({file.name!r}, {each.id!r})"
                    )
            _roll_as_before(encounter, book)
            for look, content in chain.from_iterable([hand_over(each._timeline)[0] for each in fights]):
                keep_beside(file, look.file, content)
            numbers = range(len(ids) + 1, len(ids) + len(fights) + 1)
            lines = [line for each, number in zip(fights, numbers, strict=True) for line in lines_of(each, number)]
            book.write(lines, sync=True)
            for each, number in zip(fights, numbers, strict=True):
                store = Store(book, number, batch=waits)
                each._timeline.journal = store
                store.in_step()
                book.writing.add(number)
                book.encounters[number] = each
        finally:
            book.let_go()


def _roll_as_before(encounter: Encounter, book: Book) -> None:
    """Let a fight that has not begun ask for the table's dice, if the last one of its journal did: it is one table."""
    line, past = encounter._timeline, book.past.fights
    is_new = "table_dice" not in line.settings and encounter._state.stage == "setup"
    if is_new and past and past[max(past)].settings.get("table_dice"):
        line.settle(table_dice=True)


def _family(encounter: Encounter) -> Iterator[Encounter]:
    yield encounter
    for each in encounter.branches:
        yield from _family(each)


def held_ids(path: object) -> frozenset[str]:
    """Return the ids of the encounters a file holds; none if the file does not exist yet."""
    file = journal_path(path)
    if not file.is_file():
        return frozenset()
    with closing(shared(file) or Book(file)) as book:
        return frozenset(book.past.ids())


def store_of(encounter: Encounter) -> Store:
    """Return where an encounter is kept."""
    store = encounter._timeline.journal
    assert isinstance(store, Store)
    return store


# ── opening ──


@guarded(HOLDING)
def open_encounter(kind: type[E], path: object, id: object, *, batch: bool) -> E:
    """Reopen an encounter of a journal; see `Encounter.open`."""
    if id is not None and not isinstance(id, str):
        raise InvalidInput(f"id is {short(id)}; give an encounter's id")
    check_bool(batch, "batch")
    file, *others = journal_paths(path)
    with closing(_book(file, others)) as book:
        number = _find(book, id)
        line = book.timeline(number) if number not in book.encounters else None
        number = _find(book, id)  # to read it may have left out what tells of nothing
        if id is None and (meant := _meant(book, number, line)) != number:
            number, line = meant, None
        known = book.encounters.get(number)
        if isinstance(known, kind) and store_of(known).is_open:
            store_of(known).batch = batch
            if changed := book.changed():
                warn(DamagedJournal(changed))
            return known
        line = book.timeline(number) if line is None else line
        encounter = _made(kind, file, book.past.fights[number], line)
        if not book.open:
            book.tell()
            book.tell_apart()
            if not others:
                _tell_beside(file)
        encounter._timeline.journal = Store(book, number, batch=batch)
        book.encounters[number] = encounter
        try:
            if (look := encounter._look()) is not None:
                kept(encounter._timeline, look)
        except InvalidInput as error:
            warn(f"{file.name}: {error}: the map is shown without it")
        return encounter


def journal_paths(path: object, what: str = "a journal", spare: int = _SPARE) -> list[Path]:
    """Check the path of a journal, or those of several that hold histories of one."""
    given = [*path] if isinstance(path, (list, tuple)) else [path]
    if not given:
        raise InvalidInput(f"{what}: [] names none; give a path, or a list of some")
    return list(dict.fromkeys(journal_path(each, what, spare) for each in given))


def _book(file: Path, others: Sequence[Path]) -> Book:
    book = shared(file)
    if book is not None and {*others} - {*book.others}:
        raise JournalError(f"{file.name} is open here: close its fights, and open it together with {others[0].name}")
    return book or Book(file, others=others)


def _tell_beside(file: Path) -> None:
    """Say which conflicted copies, as sync clients leave them beside a journal, hold what isn't in it."""
    with suppress(OSError):
        beside = [path for path in sorted(file.parent.glob(f"*{file.suffix}")) if _CONFLICT.search(path.name)]
        for copy in (path for path in beside if path != file and path.stem.startswith(file.stem) and path.is_file()):
            ours, theirs = (file.name, file.read_bytes()), (copy.name, copy.read_bytes())
            with suppress(JournalError):
                if mended(ours, theirs).content != mended(ours).content:
                    both = repr([file.name, copy.name])
                    warn(f"{copy.name} holds what isn't in {file.name}: ck.Encounter.open({both}) reads both")


def _find(book: Book, id: str | None) -> int:
    past, name = book.past, book.path.name
    if not past.fights and book.said:
        raise _nothing_of(book)
    if not past.fights:
        raise JournalError(f"{name} holds no encounter yet; ck.Encounter(..., journal={name!r}) begins one")
    ids = past.ids()
    if id is not None and id not in ids:
        raise UnknownName.of("encounter", id, ids, owner=name)
    return past.last if id is None else ids[id]


def _nothing_of(book: Book) -> JournalError:
    return JournalError(f"{book.path.name}: nothing of it can be read: {book.said}. It stays as it is")


def _meant(book: Book, last: int, line: Timeline | None) -> int:
    """Return the fight that is gone on with: the last one, unless it has not begun and one before it has.

    If another one was begun as well, it says so.
    """
    name, fights = book.path.name, book.past.fights
    files = repr([name, *(other.name for other in book.others)] if book.others else name)  # what is in those alone
    held, taken = book.encounters.get(last), fights[last]
    now = line or (held._timeline if held is not None else book.timeline(last))
    if taken.parent is None and now.now.state.stage == "setup":
        begun = _begun(book, [fight for fight in fights.values() if fight.number < last])
        if begun is None:
            return last
        warn(
            f"{name}: this is {begun!r}, which has begun; {taken.id!r}, added after it, has not: "
            f"ck.Encounter.open({files}, {taken.id!r}) opens that"
        )
        return book.past.ids()[begun]
    root = taken
    while root.past is not None:
        root = fights[root.past]
    begun = _begun(book, [fight for fight in fights.values() if fight is not root])
    if root is not taken and taken.number not in book.open and book.stage(root.number) == "running":
        warn(
            f"{name}: this is {taken.id!r}, a branch that was played last: ck.Encounter.open({files}, {root.id!r}) "
            "opens what it is a branch of"
        )
    if begun is not None:
        warn(
            f"{name}: this is {taken.id!r}, which was played last; {begun!r} has begun too, and is not over: "
            f"ck.Encounter.open({files}, {begun!r}) opens that"
        )
    return book.past.ids()[taken.id]  # to read others may have put the file in order


def _begun(book: Book, fights: Sequence[Fight]) -> str | None:
    """Return the id of the newest of some fights that was begun, branches aside; None, if it is over."""
    for id in [fight.id for fight in reversed(fights) if fight.parent is None]:
        number = book.past.ids().get(id)
        if number is not None and (stage := book.stage(number)) != "setup":
            return id if stage == "running" else None
    return None


def say_begun(encounter: Encounter) -> None:
    """Warn that a new fight stands beside one of its kind that was begun: whoever runs a cell again means that one."""
    store, system = store_of(encounter), encounter.ruleset.id
    fights = store.book.past.fights.values()
    id = _begun(store.book, [each for each in fights if each.number < store.number and each.system == system])
    if id is not None:
        name = store.book.path.name
        warn(
            f"{name}: {encounter.id!r} is a new fight, beside {id!r}, which has begun: "
            f"ck.Encounter.open({name!r}, {id!r}) goes on with that; a new one has an id, such as id={encounter.id!r}"
        )


def _made(kind: type[E], file: Path, fight: Fight, line: Timeline) -> E:
    """Return a fight that was read, if it can be looked at: a stranger may write what no system leads to."""
    encounter = kind._of(fight.id, known_ruleset(file, fight), line, fight.parent)
    now = line.now

    def wrong(index: int) -> str:
        view = View(encounter.id, encounter.ruleset, now.tape.stands[index].call.state, now.log)
        try:
            _look(view)
        except Exception as error:  # noqa: BLE001 - whatever facts that no fight made may cause
            return clipped(f"{type(error).__name__}: {error}")
        return ""

    last = now.steps - 1
    if why := wrong(last):
        first = now.tape.stands[bisect_left(range(last), True, key=lambda index: bool(wrong(index)))].step.first
        raise JournalError(
            f"{file.name}: event {first} and what follows tells of nothing that a fight comes to ({why}). The file "
            "stays as it is: it opens once the lines from there on are taken out"
        )
    return encounter


def _look(view: View) -> list[object]:
    """Return what is shown of a fight first."""
    state, shows = view._state, view.ruleset.presentation
    people = [(view[name], view.budget(name)) for name in view.names]
    rungs = [shows.rung_extras(state, place) for place in state.agenda]
    return [view.order, view.clock, view.pending, people, rungs, shows.now(state), view.active and view.options()]


def known_ruleset(file: Path, fight: Fight) -> Ruleset:
    """Return the ruleset a fight is played by."""
    try:
        return ruleset(fight.system)
    except UnknownName:
        raise JournalError(
            f"{file.name}: {fight.id!r} is played by the ruleset {short(fight.system)}, which is not known here: "
            "install it, or make it known with ck.add_ruleset(folder), and open the file again"
        ) from None


# ── branches ──


def branch(encounter: E, seq: int) -> E:
    """Return a branch of an encounter from event `seq` on, kept in the same file, where it shares the past."""
    store = store_of(encounter)
    book = store.book
    line = encounter._timeline.cut(seq)
    try:
        book.claim()
        ids = book.past.ids()
        id = free(f"{encounter.id}@{seq}", ids)
        number = len(ids) + 1
        settings = Settings(**line.settings) if line.settings else None
        system, begun, parent = encounter.ruleset.id, datetime.now(UTC), (encounter.id, seq)
        told = Line(number, id, system, begun=begun, parent=parent, past=store.number, set=settings)
        book.write([told], sync=False)
    finally:
        book.let_go()
    other = type(encounter)._of(id, encounter.ruleset, line, parent)
    line.journal = Store(book, number, batch=store.batch)
    book.encounters[number] = other
    return other


def branches(encounter: E) -> list[E]:
    """Return the encounters of the same file that were branched from this one, oldest first."""
    store = store_of(encounter)
    store.book.look()
    known = {each.id: each for each in encounter._branches}
    ids = [each.id for each in store.book.past.fights.values() if each.parent and each.parent[0] == encounter.id]
    return [known.get(id) or open_encounter(type(encounter), store.path, id, batch=store.batch) for id in ids]


def root_of(encounter: E) -> E:
    """Return the fight of the same file that this one branches from in the end: itself, if it is no branch of one."""
    while encounter.parent is not None and isinstance(encounter._timeline.journal, Store):
        store, id = store_of(encounter), encounter.parent[0]
        if id not in held_ids(store.path):
            break
        encounter = open_encounter(type(encounter), store.path, id, batch=store.batch)
    return encounter


def turn_to(encounter: Encounter) -> None:
    """Note that a fight is gone on with: its file, opened again without an id, gives it."""
    store = encounter._timeline.journal
    if isinstance(store, Store) and store.book.past.last != store.number:
        store.settle({})


# ── copies ──


def save_encounter(encounter: Encounter, path: object) -> None:
    """Save a copy; see `Encounter.save`."""
    file = as_path(path, "a saved copy").resolve()
    if file.suffix.lower() in _PAGES:
        right = f"to_html({file.name!r}) writes a page, save({file.stem + '.combat'!r}) a copy"
        raise JournalError(f"{file} would be a journal, which no browser shows: {right}")
    try:
        if file.exists() and (shared(file) or not (file.is_file() and _may_be_replaced(file))):
            raise JournalError(f"{file} already exists and is not a saved copy: name another file")
        with whole_file(file) as out:
            out.writelines(copy_lines(encounter))
    except OSError as error:
        raise JournalError(f"{file} cannot be written: {error.strerror or error}") from error


def _may_be_replaced(file: Path) -> bool:
    """Check whether a file is empty, or a saved copy that nobody has gone on with."""
    if not file.stat().st_size:
        return True
    if not is_journal(file):
        return False
    with closing(Book(file)) as book:
        return book.past.copy == book.past.count


def copy_lines(encounter: Encounter) -> Iterator[bytes]:
    """Return the lines of a copy, of the fight as it stands now."""
    lines = list(lines_of(encounter, 1, private=False))
    return chain([head(len(lines) + 1)], (raw for raw, _ in marked(lines)))


def load(path: str | Path | Sequence[str | Path]) -> Encounter:
    """Read a saved copy back, or a journal, without going on in it.

    Parameters
    ----------
    path : str, Path or list of them
        What `Encounter.save` wrote; of several, such as conflicted copies, what they hold together.

    Returns
    -------
    Encounter
        The fight as it stood, with undo and redo; without a journal. Of several, the one played last.

    Raises
    ------
    InvalidInput
        If `path` can't be a path.
    JournalError
        If there is no such file, or it is no journal.

    Warns
    -----
    DamagedJournal
        If it is not as it was saved: what fits is read. The file stays as it is.

    Examples
    --------
    >>> import combatkit as ck, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "ambush.combat")
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4)
    >>> enc.save(path)
    >>> ck.load(path).digest == enc.digest
    True
    >>> folder.cleanup()
    """
    file, *others = journal_paths(path, "a saved copy", 0)  # nothing is put beside it
    for each in (file, *others):
        if not each.exists():
            raise JournalError(f"{each} is not there; it belongs beside the notebook, or give the path to where it is")
    with closing(Book(file, others=others)) as book:  # as it is now, whatever is open here
        line = book.timeline(_find(book, None))
        book.tell()
        return _made(Encounter, file, book.past.fights[_find(book, None)], line)


def load_content(name: str, content: bytes) -> Encounter:
    """Read a saved copy that is given by its content; unlike `load`, one that is damaged is refused."""
    past, found = read(name, content)
    if found is not None and (found.said or found.lost):
        raise JournalError(f"{name}: {found.said}: save the copy again")
    if not past.fights:
        raise JournalError(f"{name} holds no encounter")
    content, number = content if found is None else found.content, past.last
    try:
        return _made(Encounter, Path(name), past.fights[number], past.timeline(number, content))
    except Senseless as error:
        raise JournalError(f"{name}: {error}") from error
