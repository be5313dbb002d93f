"""Finding rulesets: the five that come with the kit, installed plug-ins, and folders made known by hand."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from typing import TYPE_CHECKING

from combatkit.engine.ruleset import Ruleset
from combatkit.errors import InvalidInput, UnknownName

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from pathlib import Path
    from types import ModuleType

_FILES = ("rules.toml", "actions.toml", "stats.py", "ruleset.py")
_known: dict[str, Ruleset] = {}


def rulesets() -> tuple[Ruleset, ...]:
    """Give every known ruleset, plug-ins included.

    Returns
    -------
    tuple of Ruleset
        In the order their rulebooks ask for: those of the kit first, then installed plug-ins and added folders.

    Examples
    --------
    >>> import combatkit as ck
    >>> [r.id for r in ck.rulesets()][:5]
    ['saga', 'd6', 'ap', 'segments', 'phases']
    """
    return tuple(sorted((ruleset(id) for id in _ids()), key=lambda rules: rules.order))


def ruleset(id: str) -> Ruleset:
    """Give one ruleset by its id.

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
        If no ruleset has this id; it names the nearest.

    Examples
    --------
    >>> import combatkit as ck
    >>> ck.ruleset("saga").title
    'Star Wars Saga Edition'
    """
    found = _known.get(id) if type(id) is str else None
    if found is None:
        if type(id) is not str or id not in _ids():
            raise UnknownName.of("ruleset", id, _ids())
        if id in _built_in():
            module = importlib.import_module(f"combatkit.systems.{id}.ruleset")
        else:
            module = _installed()[id].load()
        found = _known[id] = _make(module)
    return found


def add_ruleset(folder: str | Path) -> Ruleset:
    """Make a ruleset known that is not installed.

    Parameters
    ----------
    folder : str or Path
        A folder of the four files: ``rules.toml``, ``actions.toml``, ``stats.py`` and ``ruleset.py``, the last with a
        ``RULESET`` that names its subclass of `combatkit.engine.ruleset.Ruleset`.

    Returns
    -------
    Ruleset
        The ruleset, now among `rulesets()`.

    Raises
    ------
    InvalidInput
        If a file is missing or cannot be loaded, or the id is taken.
    """
    import importlib.util
    from pathlib import Path

    if not isinstance(folder, (str, Path)):
        raise InvalidInput(f"a ruleset is added from a folder, not {folder!r}; give its path")
    path = Path(folder).resolve()
    for name in _FILES:
        if not (path / name).is_file():
            raise InvalidInput(f"{path.name} is no ruleset: it lacks {name}; it needs {', '.join(_FILES)}")
    package = f"_combatkit_added_{path.name}"
    spec = importlib.util.spec_from_file_location(f"{package}.ruleset", path / "ruleset.py")
    parent = importlib.util.spec_from_loader(package, None, is_package=True)
    assert spec is not None
    assert spec.loader is not None
    assert parent is not None
    namespace = importlib.util.module_from_spec(parent)
    namespace.__path__ = [str(path)]
    module = importlib.util.module_from_spec(spec)
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]  # what was refused before and has been put right is read again
    sys.modules[package] = namespace
    sys.modules[f"{package}.ruleset"] = module
    try:
        spec.loader.exec_module(module)
        made = _make(module)
    except Exception as error:
        raise InvalidInput(f"{path.name}: {_where(error, path)}: {type(error).__name__}: {error}") from error
    if made.id in _ids():
        raise InvalidInput(f"{path.name}: the id {made.id!r} is taken by {ruleset(made.id).title}")
    _known[made.id] = made
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


def _make(module: ModuleType) -> Ruleset:
    made: Ruleset = module.RULESET()
    return made


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
