"""Dice given by hand: handed out by what is rolled, and none left over unnoticed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from combatkit.core.limits import FACES
from combatkit.core.model import State
from combatkit.core.plain import MOST, short
from combatkit.errors import InvalidInput, UnknownName


class Rolled(Struct, frozen=True, gc=False):
    """Dice that have been rolled: natural faces, where they came from, how many the seed gave."""

    faces: tuple[int, ...]
    source: str
    drawn: int

    @property
    def sum(self) -> int:
        """The faces added up."""
        return sum(self.faces)


class Faces:
    """Natural faces rolled at the table, handed out in the order asked or by purpose, combatant or group.

    Parameters
    ----------
    given : None, int, sequence of int or mapping
        As `rolls` is given to a call.
    """

    def __init__(self, given: object = None) -> None:
        self.piles: dict[str, list[int]] = {}
        """Faces that have not been handed out, by name; those of a list under an empty one."""
        self.given: dict[str, int] = {}
        """How many of each this call has brought."""
        self.asked: set[str] = set()
        """What dice were thrown for in this call, or are kept for: an empty name stands for any."""
        self.handed: dict[str, int] = {}
        """How many faces of each name were handed out in this call."""
        self.idle: dict[str, int] = {}
        """How many dice another roll has made idle in this call, by purpose: a miss needs no damage."""
        self.waited: dict[str, tuple[int, int]] = {}
        """How many faces of each name an action that waited brought, and how many there were with them."""
        self.follows: Mapping[str, str] = {}
        """What roll others come after, by purpose: faces for one that is not thrown after all are no mistake."""
        self.why: dict[str, str] = {}
        """Why other dice are thrown for a purpose than people may think."""
        self.trial = False
        """Whether it is only tried out what an action that waits will throw: what it leaves over is then looked at."""
        self.wanted: list[str] | None = None
        """For whom a die for a tie is still to be thrown, in a call that is only rehearsed."""
        self.firm = given is not None
        """Whether faces that do not fit are refused; those of an earlier call cannot be put right, and give way."""
        if isinstance(given, Mapping):
            self.piles = {str(key): _ints(faces, f"rolls: {key}") for key, faces in given.items()}
        elif given is not None:
            self.piles = {"": _ints(given, "rolls")}
        if (many := sum(map(len, self.piles.values()))) > FACES:
            raise InvalidInput(f"rolls: {many:,} dice are given; one call takes at most {FACES:,}")
        self.given = {key: len(pile) for key, pile in self.piles.items() if pile}

    def take(self, sides: Sequence[int], *keys: str) -> tuple[int, ...] | None:
        """Hand out faces of dice with such `sides` for the first of `keys` that has any, else from the list.

        None if there are none.
        """
        if self.given or self.trial:
            self.asked.update(keys, ("",))
        found = next((key for key in (*keys, "") if self.piles.get(key)), None)
        return None if found is None else self._cut(found, sides, found or (keys[0] if keys else "rolls"))

    def forgo(self, sides: Sequence[int], *keys: str) -> tuple[int, ...] | None:
        """Hand out faces for a roll that isn't made any more: only those that an action which waited was given for it.

        None if there are none.
        """
        key = next((key for key in (*keys, "") if self.piles.get(key)), "")
        old, together = self.waited.get(key, (0, 0))
        if not sides or not old or old - (together - len(self.piles[key])) < len(sides):
            return None
        return self._cut(key, sides, key or "rolls")

    def has(self, key: str) -> bool:
        """Check whether there are faces for a purpose, its own or those of a list."""
        return bool(self.piles.get(key) or self.piles.get(""))

    def _cut(self, key: str, sides: Sequence[int], what: str) -> tuple[int, ...] | None:
        pile = self.piles[key]
        taken, wrong = tuple(pile[: len(sides)]), ""
        if len(taken) < len(sides):
            dice = " and ".join(f"{number}d{each}" for each, number in Counter(sides).items())
            wrong = f"{what} takes {dice}; {len(pile)} given"
        for value, most in zip(taken, sides, strict=False):
            if not 1 <= value <= most:
                wrong = f"{value} is not on a d{most} ({what}); give 1 to {most}"
        if wrong and self.firm:
            raise InvalidInput(f"rolls: {wrong}")
        pile[:] = pile[len(sides) :]
        self.handed[key] = self.handed.get(key, 0) + len(taken)
        return None if wrong else taken

    def waits_for(self, unit: str) -> bool:
        """Check whether a die is left unthrown until the table throws it, and note whose it is."""
        if self.wanted is not None:
            self.wanted.append(unit)
        return self.wanted is not None

    def pass_by(self, count: int, purpose: str) -> None:
        """Note dice that are not thrown because of how another roll came out: faces given for them are no mistake."""
        if self.firm and count:
            self.idle[purpose] = self.idle.get(purpose, 0) + count

    def left(self) -> dict[str, list[int]]:
        """Return what has not been handed out, plain."""
        return {key: [*pile] for key, pile in self.piles.items() if pile}

    def keep(self) -> dict[str, list[int]]:
        """Return what an action that waits has not been handed yet, and keep it no longer."""
        left = self.left()
        if self.given:
            self.asked.update(left)
        self.piles = {}
        return left

    def forget(self) -> None:
        """Drop what an action that waited was given and has not thrown: it is done, or was stopped."""
        for key, (old, together) in self.waited.items():
            pile = self.piles.get(key, [])
            del pile[: max(0, old - (together - len(pile)))]
        self.waited = {}

    def rehearsal(self) -> Faces:
        """Return an object without faces that notes what is handed out, for an action that is only tried out."""
        faces = Faces(())
        faces.handed, faces.idle = dict(self.handed), dict(self.idle)
        faces.trial = True
        return faces

    def take_up(self, left: Mapping[str, list[int]]) -> Faces:
        """Return these with what `left` gave, which an action that waited has kept, handed out before them."""
        faces = Faces() if self is NO_FACES else self
        faces.piles = {key: [*left.get(key, ()), *faces.piles.get(key, ())] for key in (*left, *faces.piles)}
        if not faces.trial:
            faces.waited = {key: (len(pile), len(faces.piles[key])) for key, pile in left.items()}
        return faces

    def drop_idle(self) -> None:
        """Drop faces for a roll that another roll has made needless: a miss deals no damage."""
        for purpose, count in self.idle.items():
            pile = self.piles.get(purpose) or self.piles.get("", [])
            del pile[:count]
        self.idle = {}

    def check_spent(self) -> None:
        """Refuse faces of this call that no dice were thrown for, and more of them than were.

        The roll they were meant for would be left to the seed. A roll that another has made needless is no mistake.
        """
        for key in self.given:
            if key in self.asked or (self.follows.get(key) or key) in self.asked:
                continue
            if not key:
                raise InvalidInput(f"rolls: this call takes no dice, but {short(self.piles[''])} is given")
            takes = ", ".join(sorted(self.asked - {""}))
            known = f"it takes dice for: {takes}" if takes else "it takes none at all"
            raise InvalidInput(
                f"rolls: this call takes no dice for {key}, but {short(self.piles[key])} is given; {known}"
            )
        self.check_left(self.given)

    def check_left(self, given: Mapping[str, int]) -> None:
        """Refuse what is left over of so many faces, except for rolls that others have made needless."""
        for key, number in given.items():
            pile = self.piles.get(key, [])
            over = min(len(pile), number)  # those of an earlier call were handed out first
            spare = self.idle.get(key, 0) if key else sum(self.idle.values())
            if over <= spare:
                continue
            handed = self.handed.get(key, 0)
            due = handed + spare
            dice = f"{due or 'no'} {'die' if due == 1 else 'dice'}"
            extra = pile[spare - over :]
            what = f" for {key}" if key else ""
            verb = "is" if handed + len(pile) == 1 else "are"
            reasons = [why for purpose, why in self.why.items() if key in ("", purpose)]
            why = f" ({', '.join(reasons)})" if reasons else ""
            raise InvalidInput(
                f"rolls: this call takes {dice}{what}{why}, but {handed + len(pile)} {verb} given; leave out {extra}"
            )

    def check_keys(self, purposes: Mapping[str, str], state: State) -> None:
        """Refuse a name that isn't a purpose, combatant, side or group: a typo would silently roll from the seed."""
        self.follows = purposes
        known = {"", *purposes, *state.fighters}
        for fighter in state.fighters.values() if self.piles else ():
            known |= {fighter.side, fighter.group or fighter.side}
        for key in self.piles:
            if key not in known:
                raise UnknownName.of("purpose, combatant or group in rolls", key, sorted(known - {""}))


def _ints(faces: object, where: str) -> list[int]:
    values = [faces] if type(faces) is int else faces
    if not isinstance(values, Sequence) or isinstance(values, str) or any(type(v) is not int for v in values):
        raise InvalidInput(f"{where} is {short(faces)}; give whole numbers, as the dice show them")
    if any(not 0 <= v <= MOST for v in values):
        raise InvalidInput(f"{where} is {short(faces)}; a die shows 1 or more")
    return list(values)


NO_FACES = Faces()
"""For a call without dice of its own: all is left to the seed, and nothing is noted here."""
