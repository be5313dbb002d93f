"""Exercises: a moment of a fight, a goal, free play, and a check that makes the calls again."""

from combatkit.study.exercises.task import Check, Exercise, exercise, exercises

__all__ = ["Check", "Exercise", "exercise", "exercises"]
