"""The language of this process: what `--lang` says, else DDZ_LANG, else the locale, else English; chosen once and early.

The command's library, click, has its own words translated by gettext; `zh/LC_MESSAGES/click.mo` is made of `zh/click.toml`.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

LANGUAGES = ("en", "zh")
VARIABLE = "DDZ_LANG"
_DOMAIN = "click"
_ITS_OWN_DOMAIN = gettext.textdomain()
_spoken = "en"


def language() -> str:
    """The language that this process speaks; English where nobody has chosen."""
    return _spoken


def speak(lang: str) -> None:
    """Choose the language of this process, for click's words too."""
    global _spoken
    _spoken = lang
    if lang == "en":
        gettext.textdomain(_ITS_OWN_DOMAIN)
        return
    os.environ["LANGUAGE"] = lang  # gettext asks the environment, whatever domain it reads
    gettext.bindtextdomain(_DOMAIN, str(Path(__file__).parent))
    gettext.textdomain(_DOMAIN)


def wanted(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language that a command line asks for, wherever in it `--lang` stands, or else its environment."""
    asked = ""
    for word, after in zip_longest(arguments, arguments[1:], fillvalue=""):
        if word == "--lang" or word.startswith("--lang="):
            asked = word.partition("=")[2] or after
    for said in (asked, environment.get(VARIABLE)):
        if said in LANGUAGES:
            return said
    locales = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, locales), "").lower().startswith("zh") else "en"
