"""Every file as plain data: mappings, lists, text and numbers, whatever its syntax.

An XML element becomes a mapping of its attributes (``"@NAME"``) and its children by name, several of a name a list; one
that holds nothing but text becomes that text. Lines of JSON become a list, rows of CSV a list of mappings.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from combatkit.core.plain import short
from combatkit.errors import InvalidInput, clipped
from combatkit.files.foreign.finding import inner
from combatkit.files.foreign.source import Source
from combatkit.files.sheets import MARKS, lines_of, rows_of

DEEPEST = 64
"""No file read here nests deeper."""

_TITLES = 4
"""How far down the first line with cells of a table may be."""

_YAML = 1 << 18
"""No YAML file has more characters: an actor has some 60,000, and it is read in pure Python."""

_PARTS = 100_000
"""How many lists and mappings a file may have: a compendium of a hundred creatures has some 6,000."""

_ELEMENTS = 200_000
"""How many elements an XML file may have, those of mere text included."""

_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,15})\Z")
_FRACTION = re.compile(r"[-+]?[0-9]{1,15}\.[0-9]{1,15}\Z")
_CONSTANTS: dict[str, object] = {"": None, "~": None, "null": None, "true": True, "false": False}


def tree_of(source: Source) -> object:
    """Return a file as plain data.

    Raises
    ------
    InvalidInput
        If it is broken; it names the line.
    """
    begin = source.text.lstrip()[:1]
    if begin == "<":
        return _xml(source)
    if begin in ("{", "["):
        return _json(source)
    return _table(source) if _is_table(source.text) else _yaml(source)


def _refuse(source: Source, line: int, why: str) -> InvalidInput:
    return InvalidInput(f"{source.file}, line {line}: {clipped(why)}")


def _too_deep(source: Source, line: int) -> InvalidInput:
    return _refuse(source, line, f"it is nested more than {DEEPEST} deep; no file of a tool read here is")


def _too_many(source: Source, most: int) -> InvalidInput:
    return InvalidInput(f"{source.file} has more than {most:,} parts; divide it into several files")


# ── XML ──


class _Builder:
    """Builds the tree as the parser goes, and refuses on the way what nests too deeply or is too long."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.elements = 0
        self.stack: list[tuple[str, dict[str, object], list[str]]] = []
        self.root: dict[str, object] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.stack) >= DEEPEST:
            raise RecursionError
        self.elements += 1
        if self.elements > _ELEMENTS:
            raise _too_many(self.source, _ELEMENTS)
        self.stack.append((tag, {f"@{key}": value for key, value in attributes.items()}, []))

    def data(self, text: str) -> None:
        if self.stack:
            self.stack[-1][2].append(text)

    def end(self, tag: str) -> None:
        name, content, texts = self.stack.pop()
        text = "".join(texts).strip()
        whole: object = content
        if text:
            content["#text"] = text
        if not content or set(content) == {"#text"}:
            whole = text
        above = self.stack[-1][1] if self.stack else self.root
        there = above.get(name)
        if there is None:
            above[name] = whole
        elif isinstance(there, list):
            there.append(whole)
        else:
            above[name] = [there, whole]

    def close(self) -> dict[str, object]:
        return self.root


def _xml(source: Source) -> object:
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser, ParseError

    # The header may name another encoding than the bytes have: the text has been decoded, and the parser is told so.
    parser = DefusedXMLParser(target=_Builder(source), encoding="utf-8", forbid_dtd=True)
    text = source.text.lstrip()
    above = source.text[: -len(text) or None].count("\n")  # blanks that somebody copied along
    try:
        parser.feed(text.encode("utf-8", "surrogatepass"))
        return _checked(source, parser.close())
    except DefusedXmlException:
        line = parser.parser.CurrentLineNumber + above
        raise _refuse(source, line, "it has a DOCTYPE or an entity of its own; no tool read here writes one") from None
    except RecursionError:
        raise _too_deep(source, parser.parser.CurrentLineNumber + above) from None
    except ParseError as error:
        line, why = error.position[0] + above, str(error).partition(":")[0]
        raise _refuse(source, line, f"it is broken XML ({why}); save it again in the tool it comes from") from None
    except (LookupError, ValueError) as error:
        raise _refuse(source, 1, f"it is broken XML ({error})") from None


# ── JSON ──


def _json(source: Source) -> object:
    try:
        return _checked(source, msgspec.json.decode(source.text))
    except RecursionError:
        raise _too_deep(source, 1) from None
    except (msgspec.DecodeError, UnicodeEncodeError, ValueError) as error:
        lines = _lines(source)
        if lines is not None:
            return lines
        raise _broken_json(source, error) from None


def _lines(source: Source) -> list[object] | None:
    """Return lines of JSON; None if it isn't in that form, in which the first line alone is complete."""
    written = [(n, line) for n, line in enumerate(source.text.splitlines(), 1) if line.strip()]
    if len(written) < 2:
        return None
    records = []
    for number, line in written:
        try:
            records.append(msgspec.json.decode(line))
        except RecursionError:
            raise _too_deep(source, number) from None
        except (msgspec.DecodeError, UnicodeEncodeError, ValueError) as error:
            if not records:
                return None
            raise _refuse(source, number, f"it is broken JSON ({error}); each line holds one record") from None
    return list(_checked(source, records))


def _broken_json(source: Source, error: Exception) -> InvalidInput:
    """Say at which line JSON is broken: where its reader stopped, or at the end if it breaks off there."""
    found = re.search(r"\(byte (\d+)\)", str(error))
    at = (
        source.text.encode("utf-8", "replace")[: int(found[1])]
        if found
        else source.text.rstrip().encode("utf-8", "replace")
    )
    return _refuse(source, at.count(b"\n") + 1, f"it is broken JSON ({str(error).partition(' (byte')[0]})")


def _checked(source: Source, tree: object) -> Any:
    """Refuse what nests too deeply for the next step, or has more parts than any tool's file."""
    layer, depth, parts = [tree], 0, 0
    while layer:
        if depth > DEEPEST:
            raise _too_deep(source, 1)
        depth, parts = depth + 1, parts + len(layer)
        if parts > _PARTS:
            raise _too_many(source, _PARTS)
        layer = [each for above in layer for _, each in inner(above) if isinstance(each, (dict, list))]
    return tree


# ── YAML ──


def _yaml(source: Source) -> object:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    if len(source.text) > _YAML:
        raise InvalidInput(f"{source.file} has {len(source.text):,} characters; YAML is read up to {_YAML:,}")
    reader = YAML(typ="safe", pure=True)
    try:
        return _from_events(source, reader.parse(source.text))
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        why = str(getattr(error, "problem", None) or error).partition("\n")[0]
        raise _refuse(source, mark.line + 1 if mark else 1, f"it is broken YAML ({why})") from None
    except RecursionError:
        raise _too_deep(source, 1) from None
    except (ValueError, TypeError, IndexError, KeyError, AttributeError, AssertionError) as error:
        raise _refuse(source, 1, f"it is broken YAML ({error})") from None


def _from_events(source: Source, events: Iterable[Any]) -> object:
    """Build the tree from what the parser finds: plain data only, without tags, anchors or aliases."""
    stack: list[tuple[Any, list[object]]] = []
    documents: list[object] = []
    for event in events:
        kind, line = type(event).__name__, event.start_mark.line + 1
        if kind == "AliasEvent" or getattr(event, "anchor", None) or getattr(event, "tag", None):
            raise _refuse(source, line, "it has an anchor, an alias or a tag; write the value itself there")
        if kind in ("MappingStartEvent", "SequenceStartEvent"):
            if len(stack) >= DEEPEST:
                raise _too_deep(source, line)
            stack.append(({} if kind == "MappingStartEvent" else [], []))
            continue
        if kind in ("MappingEndEvent", "SequenceEndEvent"):
            value = stack.pop()[0]
        elif kind == "ScalarEvent":
            value = _scalar(event)
        else:
            continue
        if not stack:
            documents.append(value)
            continue
        above, key = stack[-1]
        if isinstance(above, list):
            above.append(value)
        elif not key:
            if not isinstance(value, (str, int, float, bool)) or str(value) in above:
                raise _refuse(source, line, f"the key {short(value)} is listed twice, or isn't a key")
            key.append(str(value))
        else:
            above[key.pop()] = value
    return documents[0] if len(documents) == 1 else documents


def _scalar(event: Any) -> object:
    """Return the value of a plain word; quoted words are text."""
    text = str(event.value)
    if event.style:
        return text
    if text.casefold() in _CONSTANTS:
        return _CONSTANTS[text.casefold()]
    if _NUMBER.match(text):
        return int(text)
    return float(text) if _FRACTION.match(text) else text


# ── CSV ──


def _is_table(text: str) -> bool:
    """Check whether text is a table: one of its first lines holds cells, and it begins as no YAML does."""
    lines = text.lstrip().splitlines()[:_TITLES]
    if not lines or re.match(r"[\w\"']+:(?:\s|$)|---|#", lines[0]):
        return False
    return any(line.count(mark) >= 2 for line in lines for mark in MARKS) or lines[0].lower().startswith("sep=")


def _table(source: Source) -> list[dict[str, object]]:
    try:
        rows = rows_of(source.file, lines_of(source.file, source.text))
    except csv.Error as error:
        raise InvalidInput(f"{source.file}: it is a broken table ({error})") from None
    return [row for _, row in rows]
