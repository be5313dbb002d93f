"""What rulebooks say side by side: a closed list of topics, a few questions in each, put to every ruleset.

The answers are the rules themselves: each has its topic and names the questions it answers, in its ruleset's
``rules.toml``. So nothing here can drift from the rules, and a system that is added answers too.
"""

from combatkit.study.differences.table import Answer, Differences, Topic, contrast, topic_ids, topics

__all__ = ["Answer", "Differences", "Topic", "contrast", "topic_ids", "topics"]
