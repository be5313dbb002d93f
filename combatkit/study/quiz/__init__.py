"""Questions about real fights, whose answers the rules know: who may do what, and by which rule."""

from combatkit.study.quiz.gathering import gather
from combatkit.study.quiz.items import Item, items_of, question
from combatkit.study.quiz.moments import Moments, moments_of

__all__ = ["Item", "Moments", "gather", "items_of", "moments_of", "question"]
