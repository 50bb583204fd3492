"""Reading one rule file: its labels, its keys and their citations, refused with the nearest name when unknown."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct, structs

from ddz_analytics.errors import UsageError
from ddz_analytics.rules.ruleset import SECTIONS
from ddz_analytics.rules.values import known_key, nearest, parse
from ddz_analytics.settings import read_settings

FOLDER = Path(__file__).resolve().parent

_NAME = r"[^\W_][\w.-]*"
_ID = rf"\A{_NAME}(\+{_NAME})*(\[[\w.:=,-]+\])?\Z"  # plain, composed, or a variant
_PART_OF_LABEL = re.compile(r"`\$\.(\w+)`")
_TOML_LINE = re.compile(r"at line ([0-9]+)")
_HEADER = re.compile(r"\s*\[([^\[\]]+)\]")

Result = TypeVar("Result")
Line = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*\Z")]


class RuleFile(Struct, frozen=True, kw_only=True):
    """One rule file as read: `settings` maps dotted keys to the engine's values, `sources` sections to citations."""

    path: Path
    id: str
    title_zh: str
    title_en: str
    overlay: bool
    extends: str | None
    assumed: bool
    settings: dict[str, object]
    sources: dict[str, str]


class _Title(Struct, forbid_unknown_fields=True):
    zh: Line
    en: Line


class _Labels(Struct):
    id: Annotated[str, Meta(pattern=_ID)]
    title: _Title
    game: Literal["ddz"] = "ddz"
    overlay: bool = False
    extends: Line | None = None
    assumed: bool = False


class _Shipped(Struct):
    rule_sets: list[str]
    overlays: list[str]


_LABELS = tuple(field.name for field in structs.fields(_Labels))


@cache
def _shipped() -> _Shipped:
    return msgspec.convert(tomllib.loads((FOLDER / "shipped.toml").read_text("utf-8")), _Shipped)


def shipped_rules() -> list[str]:
    """The ids of the complete rule sets that come with the package, in a fixed order."""
    return list(_shipped().rule_sets)


def shipped_overlays() -> list[str]:
    """The ids of the overlays that come with the package, in a fixed order."""
    return list(_shipped().overlays)


def find_rule_file(name: str, folder: Path = Path()) -> RuleFile:
    """The rule file of a shipped id, or at a path that ends in `.toml` (relative to `folder`).

    Raises `rules_unknown` (with the nearest id) or `rules_missing`, and what `read_rule_file` raises.
    """
    if name.endswith(".toml"):
        return read_rule_file(folder / name)
    known = shipped_rules() + shipped_overlays()
    if name not in known:
        mend = f"nearest: {nearest(name, known)} (or the path of a .toml file)"
        raise UsageError("rules_unknown", f"unknown rule set {name!r}", mend=mend)
    return read_rule_file(FOLDER / f"{name}.toml")


def read_rule_file(path: Path) -> RuleFile:
    """One rule file, checked key by key.

    Raises the first of `rules_missing`, `rule_syntax`, `rule_label`, `rule_section`, `rule_key`, `rule_value`, `rule_source`.
    """
    file, faults = examined(path)
    if file is None or faults:
        raise faults[0]
    return file


def examined(path: Path) -> tuple[RuleFile | None, list[UsageError]]:
    """What one rule file says, None where its labels do not even say what it is, and every fault in it with its place."""
    reading = _Reading()
    text = reading.tried(_text, path)
    document = None if text is None else reading.tried(_document, path, text)
    if text is None or document is None:
        return None, reading.faults
    _refuse_unknown(reading, path, text, document)
    labels = _labels(reading, path, text, document)
    settings: dict[str, object] = {}
    sources: dict[str, str] = {}
    for section in (name for name in SECTIONS if name in document):
        place = _Place(path, text, section)
        keys = dict(reading.tried(_table, place, document[section]) or {})
        source = keys.pop("source", None)
        for key, raw in keys.items():
            setting = reading.tried(_setting, place, key, raw)
            settings |= {} if setting is None else dict([setting])
        if keys or source is not None:
            sources[section] = reading.tried(_citation, place, source) or ""
    if labels is None:
        return None, reading.faults
    return RuleFile(
        path=path.resolve(),
        id=labels.id,
        title_zh=labels.title.zh,
        title_en=labels.title.en,
        overlay=labels.overlay,
        extends=labels.extends,
        assumed=labels.assumed,
        settings=settings,
        sources=sources,
    ), reading.faults


class _Reading:
    """The faults that reading a file meets; it goes on after each."""

    def __init__(self) -> None:
        self.faults: list[UsageError] = []

    def tried(self, step: Callable[..., Result], *given: Any) -> Result | None:
        """What a step gives, or None and one fault more."""
        try:
            return step(*given)
        except UsageError as fault:
            self.faults.append(fault)
            return None


class _Place(Struct, frozen=True):
    """Where a section stands in its file, to say file:line."""

    path: Path
    text: str
    section: str

    def at(self, key: str = "") -> str:
        """`file:line` of the section or of a key in it, or the file alone where it is written another way."""
        current = ""
        for number, line in enumerate(self.text.splitlines(), start=1):
            header = _HEADER.match(line)
            current = header[1].strip() if header else current
            if current == self.section and (not key or re.match(rf"\s*{re.escape(key)}(\.\w+)?\s*=", line)):
                return f"{self.path}:{number}"
        return str(self.path)


def _text(path: Path) -> str:
    try:
        return read_settings(path).decode("utf-8-sig")
    except OSError as missing:
        what = f"cannot read the rule file {path}: {missing.strerror}"
        raise UsageError("rules_missing", what) from missing
    except UnicodeDecodeError as wrong:
        raise UsageError("rule_syntax", "a rule file is UTF-8 text", where=str(path)) from wrong


def _document(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        line = _TOML_LINE.search(str(wrong))
        where = f"{path}:{line[1]}" if line else str(path)
        raise UsageError("rule_syntax", f"not TOML: {wrong}", where=where) from wrong
    except (RecursionError, ValueError) as wrong:
        what = "nested too deeply, or a number too long"
        raise UsageError("rule_syntax", what, where=str(path)) from wrong


def _refuse_unknown(reading: _Reading, path: Path, text: str, document: dict[str, Any]) -> None:
    known = (*_LABELS, *SECTIONS)
    for name in (name for name in document if name not in known):
        place = _Place(path, text, "").at(name)  # a label, or a section by its header
        where = _Place(path, text, name).at() if place == str(path) else place
        what, mend = f"unknown section or label {name}", f"nearest: {nearest(name, known)}"
        reading.faults.append(UsageError("rule_section", what, where=where, mend=mend))


def _labels(reading: _Reading, path: Path, text: str, document: dict[str, Any]) -> _Labels | None:
    said = {name: document[name] for name in _LABELS if name in document}
    before = len(reading.faults)
    for field in structs.fields(_Labels):
        if field.required or field.name in said:
            reading.tried(_label, _Place(path, text, ""), field, said)
    if len(reading.faults) > before:
        return None
    labels = msgspec.convert(said, _Labels)
    if labels.overlay and (labels.extends is not None or not re.fullmatch(_NAME, labels.id)):
        what, mend = "an overlay has a plain id and extends nothing", "leave out extends or overlay"
        where = _Place(path, text, "").at("overlay")
        reading.faults.append(UsageError("rule_label", what, where=where, mend=mend))
    return labels


def _label(place: _Place, field: structs.FieldInfo, said: dict[str, Any]) -> None:
    """Refuse a label that is missing or not what it must be."""
    if field.name not in said:
        raise UsageError("rule_label", f"the label {field.name} is missing", where=str(place.path))
    try:
        msgspec.convert(said[field.name], field.type)
    except msgspec.ValidationError as wrong:
        part = _PART_OF_LABEL.search(str(wrong))
        where = place.at(f"{field.name}.{part[1]}") if part else place.at(field.name)
        raise UsageError("rule_label", f"the label {field.name} is wrong: {wrong}", where=where) from wrong


def _setting(place: _Place, key: str, raw: object) -> tuple[str, object]:
    dotted = known_key(f"{place.section}.{key}", where=place.at(key))
    return dotted, parse(dotted, raw, where=place.at(key))


def _table(place: _Place, value: object) -> dict[str, object]:
    if isinstance(value, dict):
        return value
    mend = f"write [{place.section}]"
    raise UsageError("rule_section", f"{place.section} is a section", where=place.at(), mend=mend)


def _citation(place: _Place, source: object) -> str:
    try:
        return msgspec.convert(source, Line)
    except msgspec.ValidationError as wrong:
        what, mend = (
            f"section {place.section} cites no source",
            'add source = "page: heading" (one line of text)',
        )
        raise UsageError("rule_source", what, where=place.at(), mend=mend) from wrong
