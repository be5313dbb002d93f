"""What a notebook adds: tables of what you look at, completion, errors without the library's frames."""

from __future__ import annotations

import sys

from combatkit.notebook.completion import add_matcher
from combatkit.notebook.tables import show


def offer() -> None:
    """Let the running IPython, if there is one, show tables and complete words; once, however often it is called."""
    module: object = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None and hasattr(module, "get_ipython") else None
    if shell is not None and shell not in _OFFERED:
        _OFFERED.append(shell)
        add_matcher(shell)
        show(shell.display_formatter.formatters["text/html"])


_OFFERED: list[object] = []
"""The shells that were told: one, except in tests."""
