"""What a store holds: files, hands, dates, what its logs can and cannot say, and a digest of its content."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Any

from ddz_analytics.declared.form import formats
from ddz_analytics.ledger import ledger, of_format
from ddz_analytics.parsers.base import Format
from ddz_analytics.rules import RuleSet, load_rules, shipped_rules
from ddz_analytics.store.catalog import Connection, connect, sql_text
from ddz_analytics.store.manifest import MappedFormat, load_manifest
from ddz_analytics.store.parts import SCHEMAS

# a file that grew has several rows in its stored table, hence its view
_CONTENT = (
    "source_files",
    *(f"stored.{table}" for table in (*SCHEMAS, "reference_rules") if table != "source_files"),
)
SUBJECTS = ("auction", "open_hand", "doubles", "kicks", "autoplay", "balances", "room", "rules", "time")


def info(store: Path) -> dict[str, Any]:
    """All that `ddz info` tells, as plain values; raises StoreError as `load_manifest` does.

    `pseudonyms` says whether all players are under pseudonyms, `files` has counts of records, `samples` names the samples that were
    taken of some files, `hands` a row per format and recorded rule set, `formats` what each format can and cannot
    say, `replayed` and `rejected` counts by status and by code, `scored` a row per rule set, `ledger` a row per format and
    shipped rule set (how many hands it would score exactly, projected, not at all, and why), `content` the digest.
    """
    rules = [load_rules(name) for name in shipped_rules()]
    with connect(store) as connection:
        hands = _rows(connection, "hands")
        manifest = load_manifest(store)
        said: dict[str, Format | MappedFormat] = {
            **formats(),
            **{form.name: form for form in manifest.mapped},
        }
        (files,) = _rows(connection, "files")
        return {
            "store": str(store),
            "pseudonyms": manifest.pseudonyms != "",
            "files": files,
            "hands": hands,
            "samples": sorted({entry.sample for entry in manifest.ledger if entry.sample}),
            "formats": {
                name: _says(said.get(name), rules) for name in sorted({row["source_format"] for row in hands})
            },
            "replayed": {row["replay_status"]: row["hands"] for row in _rows(connection, "replayed")},
            "rejected": {row["code"]: row["records"] for row in _rows(connection, "rejected")},
            "scored": _rows(connection, "scored"),
            "ledger": ledger(connection, rules),
            "content": content_digest(connection),
        }


def content_digest(connection: Connection) -> str:
    """A fingerprint (64 hex digits) of all that the views show but the times of ingest.

    It is taken of what the views are made from, each row once, and does not depend on parts or on their order. Equal digests
    mean equal views between stores that are read with the same version of DuckDB, whose hash it rests on.
    """
    digest = sha256(f"{connection.sql(sql_text('info/zone')).fetchall()}\n".encode())
    for relation in _CONTENT:
        query = Template(sql_text("info/digest")).substitute(relation=relation)
        digest.update(f"{relation} {connection.sql(query).fetchall()}\n".encode())
    return digest.hexdigest()


def _rows(connection: Connection, question: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = connection.sql(sql_text(f"info/{question}")).to_arrow_table().to_pylist()
    return rows


def _says(form: Format | MappedFormat | None, rules: list[RuleSet]) -> dict[str, Any]:
    """What a format can say, what it cannot, and what of each rule set therefore rests on assumptions or has no score.

    All empty for a format whose parser is not installed.
    """
    if form is None:
        return {"says": [], "silent": [], "lacks": {}}
    return {
        "says": [subject for subject in SUBJECTS if subject in form.records],
        "silent": [subject for subject in SUBJECTS if subject not in form.records],
        "lacks": {each.id: of_format(form, each) for each in rules},
    }
