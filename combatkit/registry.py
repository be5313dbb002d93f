"""Finding rulesets: the five that come with the kit, installed plug-ins, and folders made known by hand."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from itertools import count
from types import ModuleType
from typing import TYPE_CHECKING, Any

from combatkit.core.plain import own
from combatkit.errors import CombatkitError, InvalidInput, UnknownName, warn
from combatkit.files.paths import as_path
from combatkit.rules.ruleset import Ruleset
from combatkit.text import ENGLISH
from combatkit.text.sources import all_words
from combatkit.text.words import add_language as read_in
from combatkit.text.words import languages as known_in

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from os import PathLike
    from pathlib import Path

_FILES = ("rules.toml", "actions.toml", "stats.py", "ruleset.py")
_known: dict[str, Ruleset] = {}
_numbers = count(1)
"""Each folder's modules are loaded under a package of their own: if it is refused, no others are touched."""


def add_language(path: str | PathLike[str]) -> str:
    """Add a language by its file; what it lacks is said in English.

    Parameters
    ----------
    path : path
        The file, in TOML, called by the two letters of its language: ``fr.toml``.

    Returns
    -------
    str
        Those two letters, as ``Encounter(..., language=)`` takes them.

    Raises
    ------
    InvalidInput
        If it is called otherwise, or cannot be read.
    """
    return read_in(as_path(path, "a language"))


def languages() -> dict[str, tuple[str, ...]]:
    """Return every language by its two letters, with what it has no words for, in English.

    Returns
    -------
    dict of str to tuple of str
        The titles, words and sentences that are said in English instead; a template of the log by its id.

    Examples
    --------
    >>> import combatkit as ck
    >>> ck.languages()["en"]
    ()
    """
    books = rulesets()
    codes = sorted({code for rules in books for code in known_in(rules.folder)})
    return {code: _lacking(code, books) for code in codes}


def _lacking(code: str, books: tuple[Ruleset, ...]) -> tuple[str, ...]:
    if code == ENGLISH:
        return ()
    said = [rules.languages[code] for rules in books]
    lacks = [text for text in all_words() if not any(language.has(text) for language in said)]
    return (*lacks, *sorted({id for language in said for id in language.missing}))


def rulesets() -> tuple[Ruleset, ...]:
    """Return every known ruleset, plug-ins included.

    Returns
    -------
    tuple of Ruleset
        In the order their rulebooks ask for: the kit's first, then installed plug-ins and added folders. An installed
        one that is broken is left out, with a warning.

    Examples
    --------
    >>> import combatkit as ck
    >>> [r.id for r in ck.rulesets()][:5]
    ['saga', 'd6', 'ap', 'segments', 'phases']
    """
    found = []
    for id in _ids():
        try:
            found.append(ruleset(id))
        except CombatkitError as error:  # a broken plug-in doesn't take the others with it
            if id in _built_in():
                raise
            warn(f"{error}; it is left out")
    return tuple(sorted(found, key=lambda rules: rules.order))


def ruleset(id: str) -> Ruleset:
    """Return one ruleset by its id.

    Parameters
    ----------
    id : str
        Such as ``"saga"``.

    Returns
    -------
    Ruleset
        Its rules, actions, options, stats, slots and tables.

    Raises
    ------
    UnknownName
        If no ruleset has this id; it suggests the nearest.
    InvalidInput
        If an installed one is broken.

    Examples
    --------
    >>> import combatkit as ck
    >>> ck.ruleset("saga").title
    'Star Wars Saga Edition'
    """
    id = own(id)
    if type(id) is not str or id not in _ids():
        raise UnknownName.of("ruleset", id, _ids())
    if id in _built_in() and id not in _known:
        _known[id] = importlib.import_module(f"combatkit.systems.{id}.ruleset").RULESET()
    elif id not in _known:
        _known[id] = _plug_in(id, _installed()[id])
    return _known[id]


def add_ruleset(folder: str | Path) -> Ruleset:
    """Make a ruleset known that is not installed, or known anew after its folder has changed.

    Its ``stats.py`` and ``ruleset.py`` are Python and are run, with all that you may do on this machine: add a folder
    only if you would run a script from whoever wrote it.

    Parameters
    ----------
    folder : str or Path
        A folder of the four files: ``rules.toml``, ``actions.toml``, ``stats.py`` and ``ruleset.py``, the last with a
        ``RULESET`` that names its subclass of `combatkit.rules.ruleset.Ruleset`.

    Returns
    -------
    Ruleset
        The ruleset, now among `rulesets()`. A fight made before a folder is added again keeps the rules it has.

    Raises
    ------
    InvalidInput, UnknownName
        If a file is missing or cannot be loaded, something in it is wrong, or the id is taken; they name the folder,
        the file and the entry, and what would be right. Nothing has changed then.
    """
    path, package = _folder(folder), f"_combatkit_added_{next(_numbers)}"
    unwritten, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    importlib.invalidate_caches()
    try:
        made = _make(_module(path, package), path.name)
        if made.id in _ids() and (made.id in _built_in() or ruleset(made.id).folder != made.folder):
            taken = f"{path.name}: the id {made.id!r} is taken by {ruleset(made.id).title}"
            raise InvalidInput(f"{taken}; give yours another one, in rules.toml")
    except BaseException as error:
        for name in [name for name in sys.modules if name.partition(".")[0] == package]:
            del sys.modules[name]
        if not isinstance(error, Exception) or (isinstance(error, CombatkitError) and str(error).startswith(path.name)):
            raise  # it has said where
        raise InvalidInput(f"{path.name}: {_where(error, path)}: {type(error).__name__}: {error}") from error
    finally:
        sys.dont_write_bytecode = unwritten
    _known[made.id] = made
    return made


def _folder(given: object) -> Path:
    """Return a folder that has the four files, by its whole path."""
    path = as_path(given, "a ruleset's folder").resolve()
    lacking = [name for name in _FILES if not (path / name).is_file()]
    if lacking:
        raise InvalidInput(f"{path.name} is not a ruleset: it lacks {lacking[0]}; it needs {', '.join(_FILES)}")
    return path


def _module(path: Path, package: str) -> ModuleType:
    """Load a folder's ``ruleset.py``; the other modules of the folder are reached from it by relative imports."""
    from importlib.machinery import ModuleSpec
    from importlib.util import module_from_spec

    sys.modules[package] = parent = module_from_spec(ModuleSpec(package, None, is_package=True))
    parent.__path__ = [str(path)]
    return importlib.import_module(f"{package}.ruleset")


def _plug_in(id: str, point: EntryPoint) -> Ruleset:
    """Load an installed ruleset."""
    where = f"the installed ruleset {id} ({point.value})"
    try:
        made = _make(point.load(), id)
    except Exception as error:
        said = str(error) if isinstance(error, CombatkitError) else f"{type(error).__name__}: {error}"
        raise InvalidInput(f"{where} cannot be loaded: {said}") from error
    if made.id != id:
        raise InvalidInput(f"{where} calls itself {made.id!r}; its entry point must have the same name")
    return made


def _make(module: object, folder: str) -> Ruleset:
    """Make the ruleset that a module brings, and check that it is whole."""
    from combatkit.rules.validate import check_class, check_ruleset

    where = f"{folder}/ruleset.py"
    if not hasattr(module, "RULESET"):
        raise InvalidInput(f"{where} has no RULESET; set it to your subclass of combatkit.rules.ruleset.Ruleset")
    kind: Any = check_class(module.RULESET, where)
    made: Ruleset = kind()
    check_ruleset(made, folder)
    return made


def _where(error: Exception, folder: Path) -> str:
    """Say in which file of a folder, and at which line, loading it went wrong."""
    from pathlib import Path
    from traceback import extract_tb

    places = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((error.filename, error.lineno))
    own = [(Path(file).name, line) for file, line in places if Path(file).parent == folder]
    return "{}, line {}, cannot be loaded".format(*own[-1]) if own else "ruleset.py cannot be loaded"


def _ids() -> tuple[str, ...]:
    return tuple(dict.fromkeys([*_built_in(), *_installed(), *_known]))


@cache
def _built_in() -> tuple[str, ...]:
    from pathlib import Path

    systems = Path(__file__).parent / "systems"
    return tuple(sorted(p.parent.name for p in systems.glob("*/ruleset.py")))


@cache
def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group="combatkit.systems")}
