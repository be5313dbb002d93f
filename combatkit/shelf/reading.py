"""Reading another tool's file by the mappings of the kit, of all known rulesets, and those added by hand."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from combatkit.files.foreign import Foreign, Format, open_source, read_format
from combatkit.files.foreign.mapping import check_stats_named
from combatkit.files.foreign.review import find_format, review
from combatkit.registry import ruleset, rulesets

if TYPE_CHECKING:
    from pathlib import Path

_added: dict[str, Format] = {}


def foreign(source: str | Path | bytes, system: str | None = None, *, name: str | None = None) -> Foreign:
    """Read another tool's file; its content tells what it is.

    It takes what maps exactly to stats, lists what it leaves out and why, and asks what the file cannot know; it
    guesses nothing. Nothing in a file is run or fetched.

    Parameters
    ----------
    source : str, Path or bytes
        The path of a file; or its content, as bytes or text.
    system : str, optional
        The ruleset whose stats are wanted, by id; if not given, the one the tool was made for, if any.
    name : str, optional
        What the file is called, if its content is given: messages say it, and a combatant without a name takes its
        stem.

    Returns
    -------
    Foreign
        Its format, the roster, what was left out, what is asked.

    Raises
    ------
    UnknownName
        For an unknown ruleset.
    InvalidInput
        For a file that is broken, or comes from no known tool; it names the line or the key.

    Examples
    --------
    >>> import combatkit as ck
    >>> table = '''name,Move,Armour Class,Hit Dice,Attacks,Damage
    ... Cave toad,60-ft,7,1+1,1 bite,1d4
    ... '''
    >>> read = ck.foreign(table)
    >>> read
    <Foreign osric for segments: 1 in the roster, 0 left out, 2 asked>
    >>> read.roster.select("name", "ac", "hit_dice", "movement", "attacks").rows()
    [('Cave toad', 7, '1+1', '60', '["MELEE: bite (1d4)"]')]
    """
    wanted = None if system is None else ruleset(system)
    found = find_format(open_source(source, name), _added.values(), rulesets())
    if wanted is None and found.made.system is not None:
        wanted = ruleset(found.made.system)
    return review(found, wanted)


def add_mapping(path: str | PathLike[str]) -> Format:
    """Make one more tool's files known, with a table in TOML.

    Parameters
    ----------
    path : str or Path
        The TOML file; the guide on other tools' files says what goes in it. Mappings that were added are tried
        before those of the kit; one of the same `format` takes the place of one added before.

    Returns
    -------
    Format
        The mapping, as it was read.

    Raises
    ------
    UnknownName, InvalidInput
        If something in it is wrong; it names the entry. Nothing has changed then.

    Examples
    --------
    >>> import combatkit as ck
    >>> import pathlib, tempfile
    >>> mapping = pathlib.Path(tempfile.mkdtemp()) / "mine.toml"
    >>> _ = mapping.write_text('''
    ... format = "mine"
    ... title = "My lists"
    ... system = "saga"
    ... rows = ["*"]
    ... own = { name = "who" }
    ... fields = { who = { at = "Who", as = "text" }, dexterity = "Agility" }
    ... stats = { dex = "(dexterity - 10) // 2" }
    ... shapes = [{ id = "anybody", has = ["Who", "Agility"] }]
    ... ''')
    >>> ck.add_mapping(mapping).title
    'My lists'
    >>> ck.foreign('[{"Who": "Tarn", "Agility": 16}]').roster.select("name", "dex").rows()
    [('Tarn', 3)]
    """
    made = read_format(path)
    if made.system is not None:
        check_stats_named(made, ruleset(made.system), str(path))
    _added.pop(made.format, None)
    _added[made.format] = made
    return made
