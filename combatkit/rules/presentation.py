"""What the widgets show for a system besides ladder, budget and log: data, never code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, final

from combatkit.core.model import Fighter, Lookup, Place, State, Turn
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.weapons import Weapon, weapons_of

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset
    from combatkit.rules.shapes import Call, Part, RollCall, RungExtras, Strip


class Sight(NamedTuple):
    """What a system shows of the whole fight besides what all systems show.

    `strips` are pictures above the ladder: zones, a flow of steps, ticks, cells; see docs/wire.md. `headline` says in
    one line what the present turn is about: what is spent, what comes next. `roll_call` is what everybody is asked in
    this step, and what each has said; None where nobody is asked; `unsaid` says in a sentence of what nothing need be
    said. `about` is what whoever acts has to mind, `coming` what was begun and comes later in the round; `skipped` says
    what would be passed over if the turn or step ended now.
    """

    strips: tuple[Strip, ...] = ()
    headline: str = ""
    roll_call: RollCall | None = None
    about: Sequence[Part] = ()
    coming: Sequence[Call] = ()
    skipped: str = ""
    unsaid: str = ""


class Presentation:
    """What a system shows besides what all systems show; one with nothing of its own gives no class.

    Parameters
    ----------
    rules : Ruleset
        The system.
    """

    on_rung = 1
    """How many vitals a rung of the ladder shows: the first ones."""

    strikes_with, struck_by = "", ""
    """The stats without which no roll tells whether an attack hits, the attacker's and the target's, if it has any."""

    beside: tuple[str, ...] = ()
    """The stats told beside the name of whoever acts: what an attack on them has to reach, how far they go."""

    under_way = "under way"
    """How far an extended action is, as text with ``{done}`` and ``{total}`` in it."""

    under_way_rule = ""
    """The rule for it; that of the action if there is none."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.now = Lookup(self.sight)
        """What is shown of the whole fight, worked out once for all widgets that show a moment."""

    @final
    def progress_words(self, fighter: Fighter, action: Action) -> tuple[str, str]:
        """Say how far an extended action is, and by which rule."""
        progress = fighter.progress[action.id]
        words = self.under_way.format(done=progress.done, total=progress.total)
        return words, self.under_way_rule or action.rule

    def sight(self, state: State) -> Sight:
        """Return what is shown of the whole fight."""
        return Sight()

    def lapsing(self, state: State, turn: Turn) -> Sequence[tuple[Action, Case]]:
        """Return what somebody has begun and loses if their turn ends now, each with what would go on with it."""
        fighter = state.fighters[turn.who]
        return [(each, Case(self.rules, state, fighter, each)) for each in self.rules.neglected(state, turn)]

    def rung_extras(self, state: State, place: Place) -> RungExtras:
        """Return what a rung shows besides the common parts.

        ``group``, ``cells``, ``pips``, more ``sub`` parts; see docs/wire.md.
        """
        return {}

    def arsenal(self, fighter: Fighter) -> Sequence[Weapon]:
        """Return what somebody attacks with by name: what is on their sheet as weapons.

        `action` in one of them is the attack it is for, if that is not the ordinary one; `weapon` is what is given to
        the attack, if that is not its name.
        """
        return weapons_of(fighter) or [{"name": w} for w in fighter.stats.get("weapons") or () if isinstance(w, str)]

    def comes_to(self, state: State, fighter: Fighter) -> Mapping[str, str]:
        """Return what actions come to at this moment that is otherwise than they promise, in words by id.

        One that was declared and stands here, be it without words, has come already.
        """
        return {}

    def loses(self, case: Case) -> Sequence[str]:
        """Return what somebody gives up by an action besides its cost, a sentence each."""
        return ()

    def tells(self, case: Case) -> bool:
        """Check whether what an attack rolls decides it, so that nothing can be added to a miss."""
        return True

    def asked(self, case: Case) -> Sequence[str]:
        """Return the parameters a form asks for, though the rules would do without them."""
        return ()

    def named(self, case: Case, parameter: str, value: object) -> str:
        """Return what a value of a parameter is called in a form; nothing, if it is a word of its own."""
        return ""

    def routine(self, case: Case) -> tuple[str, ...]:
        """Return the damage of each blow of an attack, if the sheet keeps it anywhere but with a weapon."""
        return ()
