"""The one object you hold: a fight, from the first combatant added to the last word."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from combatkit.core.curtain import PUBLIC
from combatkit.core.fold import as_added
from combatkit.core.limits import NAME
from combatkit.core.plain import bare, counted, own, short
from combatkit.core.timeline import Timeline
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.acting import Acting
from combatkit.fight.bookkeeping import Bookkeeping
from combatkit.fight.lock import HOLDING, guarded
from combatkit.fight.saving import Saving
from combatkit.fight.session import check_note
from combatkit.fight.travel import Travel
from combatkit.registry import ruleset as find_ruleset
from combatkit.rules.checks import check_known, check_map, check_words
from combatkit.rules.draft import Draft
from combatkit.rules.ruleset import Ruleset
from combatkit.text import ENGLISH, PLAIN, Title, code_of, languages, say, spoken

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from combatkit.history import History
    from combatkit.history.summary import Summary
    from combatkit.report import Document
    from combatkit.share import Room


class Encounter(Acting, Bookkeeping, Travel, Saving):
    """A fight played by one ruleset.

    Parameters
    ----------
    ruleset : str or Ruleset
        The system, by id.
    id : str, optional
        A name for the fight; if none is given, the ruleset's id, with a number where a fight in this process or in the
        journal has it already (``"saga"``, ``"saga-2"``).
    seed : int, optional
        Where seeded dice come from; if none is given, 64 bits are drawn, and logged for the GM alone. Anyone who knows
        it can work out every die to come, and a small number given by hand can be guessed from a few dice: leave it out
        if players should not.
    options : mapping, optional
        Readings that differ from the ruleset's defaults; see ``ruleset.options``.
    journal : str or Path, optional
        A text file that every accepted call is written to before it is shown, so that the fight outlasts the kernel;
        see `open`. One file holds a campaign: any number of encounters.
    batch : bool
        Whether the disk is waited for only at the end of each turn: every call is written at once either way, so a
        kernel that is killed loses nothing; a power cut may lose the current turn.
    map : iterable of pairs, optional
        Zones that touch, for systems with zones.
    tables : mapping, optional
        What a source leaves out, by table id; see `add_table`.
    language : str
        What people read: log, tracker, forms, refusals and pages. The code of a language there is a file for, such as
        ``"de"``, also spelled ``"de-AT"`` or ``"de_DE"``; see `combatkit.languages`.
    title : str
        What the fight is called, such as ``"The warehouse"``; see `title`.
    public : iterable of str
        What players are told of the GM's own words, which are otherwise for the GM: ``"conditions"``, those that no
        rule names, and ``"groups"``, what groups are called.

    Raises
    ------
    UnknownName
        For a ruleset, option or language that is not known.
    InvalidInput
        For a value that an option does not allow, or a word in `public` that is neither.
    JournalError
        If the journal holds an encounter with this id, or cannot be written.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4, level=6)
    >>> _ = enc.add("Guard", side="empire", count=2, npc=True, dex=1, level=2)
    >>> _ = enc.start(rolls={"Mara": 17, "Guard 1": 9, "Guard 2": 4})
    >>> [(rung.combatant, rung.initiative) for rung in enc.order]
    [('Mara', 24), ('Guard 1', 11), ('Guard 2', 6)]
    >>> enc.do("Mara", "attack", target="Guard 1")[0].text
    'attacks Guard 1'
    >>> enc.can("Mara", "full_attack", target="Guard 1").rule
    'saga.full.symmetric'
    """

    def __init__(
        self,
        ruleset: str | Ruleset,
        *,
        id: str | None = None,
        seed: int | None = None,
        options: Mapping[str, object] | None = None,
        journal: str | Path | None = None,
        batch: bool = False,
        map: Iterable[object] | None = None,
        tables: Mapping[str, object] | None = None,
        language: str = ENGLISH,
        title: str = "",
        public: Iterable[str] = (),
    ) -> None:
        rules = ruleset if isinstance(ruleset, Ruleset) else find_ruleset(ruleset)
        id, seed, options, map = own(id), own(seed), own(options), own(map)
        if seed is not None and not (type(seed) is int and 0 <= seed < 1 << 64):
            raise InvalidInput(f"seed is {short(seed)}; give a whole number from 0 to 2**64 - 1")
        if id is not None:
            id = check_words(id, "id")
        for what, given in (("options", options), ("tables", tables)):
            if given is not None and not isinstance(given, Mapping):
                raise InvalidInput(f"{what} is {short(given)}; give a mapping")
        if (code := code_of(language)) != ENGLISH and code not in (known := languages(rules.folder)):
            raise UnknownName.of("language", language, known)
        language = code
        told = (public,) if isinstance(public, str) else tuple(public) if isinstance(public, Collection) else None
        if told is None or not all(each in PUBLIC for each in told):
            raise InvalidInput(f"public is {short(public)}; give what players may read, of {PUBLIC}")
        seed = int.from_bytes(os.urandom(8)) if seed is None else seed
        id, number = (id, 0) if id else self._new_id(rules, journal)
        super().__init__(id, rules, Timeline())
        draft = Draft(rules, replace(self._state, language=language), 1)
        data: dict[str, Any] = {"id": self.id, "system": rules.id, "seed": seed, "options": rules.settle(options)}
        if language != ENGLISH:
            data["language"] = language
        if told:
            data["public"] = [each for each in PUBLIC if each in told]
        if map is not None:
            data["map"] = check_map(map)
            rules.board.check_map(data["map"])
        draft.emit("encounter", text=say(PLAIN, text=Title(rules.title)), data=data)
        for table, source in (tables or {}).items():
            self._add_table(draft, table, source)
        self._timeline.settle(**({"title": bare(check_note(title, NAME, "title"))} if title else {}))
        self._accept(draft, "Make the fight")
        if journal is not None:
            from combatkit.journal.opening import keep, say_begun

            keep(self, journal, batch)
            if number > 1:  # nobody gave it an id of its own
                say_begun(self)
        self._go_by(number)
        if "IPython" in sys.modules:  # a shell may have begun after the import that offers it all
            from combatkit.notebook import offer

            offer()

    @property
    def history(self) -> History:
        """The fight as polars frames: events, rolls, turns, rounds, budgets."""
        if self._history is None:
            from combatkit.history import History

            self._history = History(self)
        return self._history

    def log(self, *, undone: bool = False, rules: bool = True, view: str = "gm") -> Document:
        """Return the log as a document: rounds in prose, with dice, notes, and the rules cited at the end.

        Parameters
        ----------
        undone : bool
            Whether to include what was undone, struck through.
        rules : bool
            Whether to mark rules and give their text.
        view : str
            ``"gm"``, or ``"players"`` for one that leaves out NPC vitals and the GM's notes.

        Returns
        -------
        Document
            The log as it stands: `str` gives Markdown, a notebook shows it as HTML, ``write(path)`` writes either.

        Raises
        ------
        InvalidInput
            If `view` is another word.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", id="docks", seed=7)
        >>> _ = enc.add("Mara", side="rebels"), enc.start(rolls=[17]), enc.do("Mara", "move", note="up the ladder")
        >>> print(enc.log(rules=False))
        # docks
        <BLANKLINE>
        Star Wars Saga Edition, seed 7.
        <BLANKLINE>
        - ● **rebels**: Mara
        <BLANKLINE>
        Dice in double brackets were rolled at the table.
        <BLANKLINE>
        ## Before the fight
        <BLANKLINE>
        The fight begins. Mara rolls 17 for initiative: 1d20 ⟦17⟧.
        <BLANKLINE>
        ## Round 1 · 0:00
        <BLANKLINE>
        ● **Mara** moves, *“up the ladder”*.
        <BLANKLINE>
        """
        from combatkit.report import Document

        return Document(self._whole(), undone=undone, rules=rules, view=view, title=self.title)

    def summary(self) -> Summary:
        """Return the fight at a glance: a table with one row per round.

        It tells who acted, how many attacks were decided and hit, what each side dealt, who fell, and how much of the
        budgets was used.

        Returns
        -------
        Summary
            A `great_tables.GT`, to be styled and saved like any other; a notebook keeps it with a style of a few lines.

        Raises
        ------
        MissingExtra
            Without great_tables, which comes with the extra ``report``.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", id="docks", seed=7)
        >>> _ = enc.add("Mara", side="rebels"), enc.start()
        >>> enc.summary()
        <Summary of docks: Round 1>
        """
        from combatkit.frames import PLAIN

        if PLAIN:
            from combatkit.history.overview import overview

            return overview(self)  # type: ignore[return-value]
        from combatkit.history.summary import summary

        return summary(self)

    def roster(self, path: str | Path | None = None) -> pl.DataFrame:
        """Return everybody as they were added, as a roster that `add_roster` turns into the same combatants.

        Parameters
        ----------
        path : str or Path, optional
            A file to write it to as well, replacing any that exists; it ends in ``.csv``, ``.json``, ``.toml`` or
            ``.parquet``. Columns that say nothing are left out there.

        Returns
        -------
        polars.DataFrame
            A row for each combatant in the order they were added; lists and mappings are text, as they are in CSV.

        Raises
        ------
        InvalidInput
            For a file with another ending, or a place that cannot be written to.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", id="docks", seed=7)
        >>> _ = enc.add("Mara", side="rebels", dex=4, feats=["Quick Draw"], hp=38)
        >>> again = ck.Encounter("saga", id="docks", seed=7)
        >>> _ = again.add_roster(enc.roster())
        >>> again["Mara"] == enc["Mara"]
        True
        """
        from combatkit.files.rosters import roster_frame, write_roster

        now = self._whole()
        added = {name: event._data for name, event in as_added(now._events).items()}
        rows = [
            {
                "name": fighter.name,
                "side": fighter.side,
                "npc": fighter.npc,
                "group": fighter.group,
                "at": added[fighter.name]["position"],
                "conditions": tuple(added[fighter.name].get("conditions", ())),
                **fighter.stats,
            }
            for fighter in now._state.fighters.values()
        ]
        if path is not None:
            write_roster(self.ruleset, rows, path)
        return roster_frame(self.ruleset, rows)

    def __repr__(self) -> str:
        """Say which fight it is and how it stands."""
        now = self._whole()
        who = f", {now.active}'s turn" if now.active else ""
        return f"<Encounter {self.id}: {now.clock.label}{who}, {counted(len(now.names), 'combatant')}>"

    def _repr_mimebundle_(self, **kwargs: object) -> Any:
        from combatkit.widgets import tracker_of

        return tracker_of(self)._repr_mimebundle_(**kwargs)

    @guarded(HOLDING)
    def to_html(self, path: str | os.PathLike[str], *, view: str = "gm", title: str | None = None) -> Path:
        """Write the fight as one file in which a reader steps through all of it, without a kernel or a network.

        Parameters
        ----------
        path : str or path
            The file; one that exists is replaced.
        view : str
            ``"gm"``, or ``"players"``: then nothing in the file tells what players may not know.
        title : str, optional
            The page's title; the fight's own, or its id, if none is given.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InvalidInput
            If `view` is another word, or `title` no text.
        """
        from combatkit.widgets.page import write_page

        return write_page(self, path, view, title)

    def share(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        url: str | None = None,
        origins: Iterable[str] = (),
        dice: str = "seats",
        ask: bool = False,
    ) -> Room:
        """Serve the fight to everybody at the table, each on a screen of their own; needs the extra ``share``.

        Parameters
        ----------
        host, port : str, int
            Where to listen: only this machine hears, unless an address is named; port 0 is any that is free.
        url, origins : str, iterable of str
            What a proxy makes of it.
        dice, ask : str, bool
            Who throws for a seat, "seats" or "gm"; whether the GM confirms each call.

        Returns
        -------
        Room
            ``room.seat(name, plays=...)`` gives somebody a link. Of a fight that is shared from here it is that room:
            what is said anew holds from then on, except another place to listen.
        """
        from combatkit.share import share

        return share(self, host, port, url=url, origins=origins, dice=dice, ask=ask)

    def restart(
        self,
        seed: int | None = None,
        *,
        id: str | None = None,
        journal: str | Path | None = None,
        names: Iterable[str] | None = None,
        options: Mapping[str, object] | None = None,
    ) -> Encounter:
        """Return a new encounter with the same combatants, options and tables.

        Parameters
        ----------
        seed : int, optional
            Its seed; drawn if none is given.
        id : str, optional
            Its name; made up if none is given.
        journal : str or Path, optional
            A file it is kept in.
        names : iterable of str, optional
            Only these combatants; if not given, all of them.
        options : mapping, optional
            Readings that differ from those of this fight; see ``ruleset.options``.

        Returns
        -------
        Encounter
            Not yet begun.

        Raises
        ------
        UnknownName
            For a name that nobody has.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels"), enc.add("Guard", side="empire", npc=True), enc.start()
        >>> enc.restart(names=["Mara"]).names
        ('Mara',)
        """
        now = self._whole()
        state = now._state
        id, number = (id, 0) if id else self._new_id(self.ruleset, journal)
        other = Encounter(
            self.ruleset,
            id=id,
            seed=seed,
            options=self.ruleset.changed(state.options, options),
            map=state.map,
            tables=state.tables,
            language=spoken(state.language, self.ruleset.folder),
            public=state.public,
            journal=journal,
        )
        other._go_by(number)
        other._settle_as(self)
        added = as_added(now._events)
        who = state.fighters if names is None else check_known(state, names)
        other._bring_all((name, added[name]._data) for name in who)
        return other
