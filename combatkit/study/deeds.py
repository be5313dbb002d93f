"""What somebody may do, as a question or a goal says it."""

from __future__ import annotations

from combatkit.fight.view import View
from combatkit.rules.catalogue import Action
from combatkit.text import ENGLISH


def deed_of(view: View, action: Action, aim: str, target: str = "") -> str:
    """Return it as it goes after "may"; in another language its phrase stands, if that has one, or else its title.

    The `aim` is whom it is aimed at in that language's words, or all it is given, in brackets.
    """
    if view._state.language == ENGLISH:
        return action.deed(target, "" if target else aim.strip())
    language, plain = view.ruleset.languages[view._state.language], action.infinitive
    phrase = language.titles.get(plain) or language.titles.get(plain.capitalize())  # whole: its words are others' names
    return f"{phrase or language.word(action.title)}{aim}"
