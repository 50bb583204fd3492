"""What self-contained HTML pages share: templates in which no text of a log can act, and the hashes by which a page admits its own code."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ddz_analytics.answers.plain import inert


def environment(*templates: Path) -> Environment:
    """The templates of some folders; what they put into a page is escaped, and a name that is not there is an error."""
    return Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def hashes(texts: Iterable[str]) -> str:
    """The sources of a content security policy that admit these very scripts or styles."""
    return " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts)


def in_script(value: object) -> Markup:
    """JSON that can stand in a script element: no character in it can end the element or a line."""
    text = msgspec.json.encode(value).decode()
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)  # nosec: every `<` is an escape now


def _shown(value: object) -> object:
    """What an expression of a template puts into the page: nothing for None, no control characters in a text."""
    if value is None:
        return ""
    return inert(value) if isinstance(value, str) and not isinstance(value, Markup) else value
