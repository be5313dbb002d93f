"""What a fight gives to take away: its log to read, a summary, its roster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatkit.engine.evolve import as_added
from combatkit.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from combatkit.chronicle import Document
    from combatkit.history.summary import Summary


class Report(Session):
    """The part of an encounter that is read afterwards."""

    def log(self, *, undone: bool = False, rules: bool = True, view: str = "gm") -> Document:
        """Give the log as a document: rounds in prose, with dice, notes, and the rules cited at the end.

        Parameters
        ----------
        undone : bool
            Whether what was taken back is told too, struck.
        rules : bool
            Whether rules are marked and told.
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
        The fight begins. Mara rolls 1d20 ⟦17⟧ for initiative.
        <BLANKLINE>
        ## Round 1 · 0:00
        <BLANKLINE>
        ● **Mara** moves, *“up the ladder”*.
        <BLANKLINE>
        """
        from combatkit.chronicle import Document

        return Document(self._whole(), undone=undone, rules=rules, view=view)

    def summary(self) -> Summary:
        """Give the fight at a glance: a table with a row a round.

        It tells who acted, how many attacks were decided and hit, what each side dealt, who fell, and how much of what
        budgets held was used.

        Returns
        -------
        Summary
            A `great_tables.GT`, to be styled and saved as any; a notebook keeps it with a style of a few lines.

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
        from combatkit.history.summary import summary

        return summary(self)  # type: ignore[arg-type]  # it is part of an encounter

    def roster(self, path: str | Path | None = None) -> pl.DataFrame:
        """Give everybody as they were added, as a roster that `add_roster` takes back as the same.

        Parameters
        ----------
        path : str or Path, optional
            A file to write it to as well, over one that is there; it ends in ``.csv``, ``.json``, ``.toml`` or
            ``.parquet``. Columns that say nothing are left out there.

        Returns
        -------
        polars.DataFrame
            A row for each combatant in the order of adding; lists and mappings are text, as they are in CSV.

        Raises
        ------
        InvalidInput
            For a file of another ending, or a place that cannot be written to.

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
        from combatkit.rosters import roster_frame, write_roster

        now = self._whole()
        added = {name: event.data for name, event in as_added(now._events).items()}
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
