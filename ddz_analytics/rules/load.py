"""Reading one rule file: its labels, its keys and their citations, refused with the nearest name when unknown."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, structs

from ddz_analytics.errors import UsageError
from ddz_analytics.rules.ruleset import SECTIONS
from ddz_analytics.rules.values import known_key, nearest, parse

FOLDER = Path(__file__).resolve().parent

_NAME = r"[^\W_][\w.-]*"
_ID = rf"\A{_NAME}(\+{_NAME})*(\[[\w.:=,-]+\])?\Z"  # plain, composed, or a variant
_TOML_LINE = re.compile(r"at line ([0-9]+)")
_HEADER = re.compile(r"\s*\[([^\[\]]+)\]")

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

    Raises `rules_missing`, `rule_syntax`, `rule_label`, `rule_section`, `rule_key`, `rule_value` or `rule_source`.
    """
    text = _text(path)
    document = _document(path, text)
    _refuse_unknown(path, text, document)
    labels = _labels(path, document)
    settings: dict[str, object] = {}
    sources: dict[str, str] = {}
    for section in (name for name in document if name in SECTIONS):
        place = _Place(path, text, section)
        keys = dict(_table(place, document[section]))
        source = keys.pop("source", None)
        for key, raw in keys.items():
            dotted = known_key(f"{section}.{key}", where=place.at(key))
            settings[dotted] = parse(dotted, raw, where=place.at(key))
        if keys or source is not None:
            sources[section] = _citation(place, source)
    return RuleFile(
        path=path.resolve(),
        id=labels.id,
        title_zh=labels.title.zh,
        title_en=labels.title.en,
        overlay=labels.overlay,
        extends=labels.extends,
        assumed=labels.assumed,
        settings=settings,
        sources={section: sources[section] for section in SECTIONS if section in sources},
    )


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
            if current == self.section and (not key or re.match(rf"\s*{re.escape(key)}\s*=", line)):
                return f"{self.path}:{number}"
        return str(self.path)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
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


def _refuse_unknown(path: Path, text: str, document: dict[str, Any]) -> None:
    known = (*_LABELS, *SECTIONS)
    for name in (name for name in document if name not in known):
        is_section = isinstance(document[name], dict)
        where = _Place(path, text, name).at() if is_section else _Place(path, text, "").at(name)
        what, mend = f"unknown section or label {name}", f"nearest: {nearest(name, known)}"
        raise UsageError("rule_section", what, where=where, mend=mend)


def _labels(path: Path, document: dict[str, Any]) -> _Labels:
    try:
        labels = msgspec.convert({name: document[name] for name in _LABELS if name in document}, _Labels)
    except msgspec.ValidationError as wrong:
        what = f"id, title or another label is wrong: {wrong}"
        raise UsageError("rule_label", what, where=str(path)) from wrong
    if labels.overlay and (labels.extends is not None or not re.fullmatch(_NAME, labels.id)):
        what = "an overlay has a plain id and extends nothing"
        raise UsageError("rule_label", what, where=str(path), mend="leave out extends or overlay")
    return labels


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
