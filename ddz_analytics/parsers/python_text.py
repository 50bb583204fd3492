"""Data as Python prints it, read without running anything: numbers, texts, lists, tuples, dictionaries, and NumPy's numbers."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

from ddz_analytics.errors import BadRecord
from ddz_analytics.parsers.base import refuse_half_characters

LONGEST_TEXT = 4 * 1024 * 1024  # characters; the syntax tree is some fifty times larger

# A text to its end, be it the end of everything, so that no part of it is looked at twice.
_QUOTED = r"""'(?:[^'\\]|\\.)*+(?:'|\\?\Z)|"(?:[^"\\]|\\.)*+(?:"|\\?\Z)"""
_SCALAR = r"np\.(?:str_|float(?:16|32|64)|u?int(?:8|16|32|64)|bool_?)"
# What stands within a text stays as it is; what is no number is said by no literal.
_SPOKEN = re.compile(rf"({_QUOTED})|{_SCALAR}\(({_QUOTED}|[-+.\w]*)\)|\b(?:nan|inf)\b", re.DOTALL)


def load_python(text: str) -> Any:
    """The value of a Python literal, NumPy's scalars taken as plain ones; raises `BadRecord`."""
    if len(text) > LONGEST_TEXT:
        raise BadRecord("too_large", f"a Python text of more than {LONGEST_TEXT} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes, which are literals all the same
            tree = ast.parse(_SPOKEN.sub(_plain, text), mode="eval")
        _refuse_keys_twice(tree)
        value = ast.literal_eval(tree)
    except SyntaxError as error:
        code = "truncated" if "never closed" in error.msg or "unterminated" in error.msg else "bad_json"
        raise BadRecord(code, f"no Python literal: {error.msg}") from None
    except (ValueError, TypeError, MemoryError, RecursionError):
        raise BadRecord("bad_json", "no Python literal, nested too deeply, or a number too long") from None
    if "\\" in text:
        refuse_half_characters(value)
    return value


def _plain(found: re.Match[str]) -> str:
    """A text as it stands, a NumPy scalar as the plain one within, and None for what is no number."""
    spoken = found[1] or found[2]
    return "None" if spoken is None or spoken in ("nan", "inf", "-inf") else spoken


def _refuse_keys_twice(tree: ast.Expression) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
            if len(set(keys)) < len(keys):
                twice = next(key for key in keys if keys.count(key) > 1)
                raise BadRecord(
                    "duplicate_key", f"the key {str(twice)[:40]!r} stands twice in one dictionary"
                )
