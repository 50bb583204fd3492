"""A match of the Botzone sample, and the containers in which people have matches."""

from __future__ import annotations

import json
from typing import Any

from tests.parsing import sample_bytes

FOLDER = "botzone-ftl2/"
OFFICIAL = FOLDER + "official_judge.matches.gz"


def match() -> dict[str, Any]:
    """The first match of the official judge's pack."""
    document: dict[str, Any] = json.loads(sample_bytes(OFFICIAL).splitlines()[0])
    return document


def short_answer(document: dict[str, Any]) -> dict[str, Any]:
    """A match as the site's short answer."""
    return {
        "success": True,
        "status": "finished",
        "players": document["players"],
        "logs": [entry["output"]["display"] for entry in document["log"][::2]],
        "initdata": json.dumps(document["initdata"]),
    }


def local_file(document: dict[str, Any]) -> dict[str, Any]:
    """A match as a local file, the judge's entries without their wrapping."""
    return {
        "initdata": document["initdata"],
        "log": [entry.get("output", entry) for entry in document["log"]],
    }
