"""Other tools' files: what such a file says in a ruleset's stats, what it leaves unsaid, what has no place here.

A mapping, a table in TOML, says how to recognise a tool's files and where everything is in them: the general ones are
in ``formats/`` here, those of a tool made for one system in its ruleset's folder ``foreign/``. `mapping` describes such
a table, `trees` the plain data that every file becomes first, `review` what comes out.
"""

from combatkit.files.foreign.mapping import Format, formats_of, general_formats, read_format
from combatkit.files.foreign.review import Foreign, review
from combatkit.files.foreign.source import Source, open_source

__all__ = ["Foreign", "Format", "Source", "formats_of", "general_formats", "open_source", "read_format", "review"]
