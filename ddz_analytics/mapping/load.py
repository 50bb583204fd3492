"""A mapping file, read strictly: a key that is not known is refused with the nearest name, and what cannot be is refused at once."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct

from ddz_analytics.errors import UsageError
from ddz_analytics.hands import Room
from ddz_analytics.mapping import spec
from ddz_analytics.mapping.checking import check
from ddz_analytics.mapping.spec import Mapping
from ddz_analytics.settings import read_settings

MAPPING_VERSION = 1  # of how mappings are read: with another one, what was read before is read again
_UNKNOWN = re.compile(r"unknown field `(?P<name>[^`]*)`(?: - at `(?P<where>.*)`)?")
_PATTERN = re.compile(r"Expected `str` matching regex '[^']*A\[a-z\][^']*'")
_NAMED: dict[str, type[Struct]] = {"tables": spec.Table, "on": spec.EventKind}
_STRUCTS: tuple[type[Struct], ...] = tuple(
    each for each in vars(spec).values() if isinstance(each, type) and issubclass(each, Struct)
)
KEYS = sorted(
    {name for each in [*_STRUCTS, cast(type[Struct], Room)] for name in each.__struct_encode_fields__}
    | {"format"}
)


def load_mapping(path: Path) -> Mapping:
    """The mapping of a TOML file; raises UsageError `mapping_missing`, `mapping_syntax`, `mapping_key`, `mapping_value`."""
    mapping: Mapping = read_as(path, Mapping, check)
    return mapping


def read_as(path: Path, kind: Any, checked: Callable[[Any], None]) -> Any:
    """A TOML file as a struct (or one of several) that a check, which raises UsageError, lets pass; raises as `load_mapping`."""
    try:
        document = tomllib.loads(read_settings(path).decode("utf-8-sig"))
    except OSError as error:
        raise UsageError("mapping_missing", f"cannot be read: {error.strerror}", where=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError("mapping_syntax", f"no TOML: {error}", where=str(path)) from None
    except (RecursionError, ValueError):
        what = "nested too deeply, or a number too long"
        raise UsageError("mapping_syntax", what, where=str(path)) from None
    try:
        mapping = msgspec.convert(document, kind)
        checked(mapping)
    except msgspec.ValidationError as error:
        raise _refused(_with_name(str(error), document), str(path)) from None
    except UsageError as error:
        where = f"{path}, {error.where}" if error.where else str(path)
        raise UsageError(error.code, error.what, where=where, mend=error.mend) from None
    return mapping


def version_of(mapping: Mapping) -> int:
    """A number that another content of a mapping, and another way to read mappings, hardly has."""
    content = msgspec.json.encode([MAPPING_VERSION, mapping])
    return int.from_bytes(sha256(content).digest()[:4], "big") >> 1


def _with_name(message: str, document: dict[str, Any]) -> str:
    """The message with the name of the section in which something is wrong, and without a pattern that only programs read."""
    message = _PATTERN.sub("Expected small letters, digits and hyphens", message)
    for section, kind in _NAMED.items():
        place = f"$.{section}[...]"
        if place not in message:
            continue
        for name, content in document[section].items():
            try:
                msgspec.convert(content, kind)
            except msgspec.ValidationError:
                return message.replace(place, f"$.{section}.{name}")
    return message


def _refused(message: str, path: str) -> UsageError:
    match = _UNKNOWN.search(message)
    if match is None:
        missing = "missing required field" in message
        what = message.replace("Object missing required field", "there is no key")
        return UsageError("mapping_key" if missing else "mapping_value", what, where=path)
    near = difflib.get_close_matches(match["name"], KEYS, 1)
    mend = f"did you mean `{near[0]}`?" if near else ""
    what = f"there is no key `{match['name']}`" + (f" in `{match['where']}`" if match["where"] else "")
    return UsageError("mapping_key", what, where=path, mend=mend)
