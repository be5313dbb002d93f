"""What a fight gives to take away: its log to read, a summary, its roster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatkit.session import Session

if TYPE_CHECKING:
    from combatkit.chronicle import Document


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
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels"), enc.start(rolls=[17]), enc.do("Mara", "move", note="up the ladder")
        >>> print(enc.log(rules=False))
        # saga-7
        <BLANKLINE>
        Star Wars Saga Edition, seed 7.
        <BLANKLINE>
        - ● **rebels**: Mara
        <BLANKLINE>
        Dice in double brackets were thrown at the table.
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

        return Document(self, undone=undone, rules=rules, view=view)
