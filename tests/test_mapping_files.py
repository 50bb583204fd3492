"""Mapping files: every key is documented, and what cannot be is refused with its place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest

from ddz_analytics.declared.mapped import load_facts_mapping
from ddz_analytics.errors import DdzError, UsageError
from ddz_analytics.mapping.alphabet import Alphabet
from ddz_analytics.mapping.load import KEYS, load_mapping, version_of
from ddz_analytics.mapping.spec import Cards
from ddz_analytics.pseudonyms import read_key
from ddz_analytics.rules.load import read_rule_file
from ddz_analytics.settings import LARGEST
from tests.mapped import MAPPING, tables, take_mapped

DOCS = Path(__file__).parents[1] / "docs"
EVENTS = (DOCS / "examples" / "events" / "mapping.toml").read_text("utf-8")


def fault(folder: Path, text: str) -> UsageError:
    """The error of a mapping."""
    (folder / "mapping.toml").write_text(text, "utf-8")
    with pytest.raises(UsageError) as error:
        load_mapping(folder / "mapping.toml")
    assert str(folder / "mapping.toml") in error.value.where
    return error.value


@pytest.mark.parametrize("key", KEYS)
def test_key_is_documented(key: str) -> None:
    """Every key that a mapping may have stands in the documentation."""
    assert f"`{key}`" in re.sub(r"\[\[?(\w+)\.?(NAME)?\]?\]", r"\1", (DOCS / "mapping.md").read_text("utf-8"))


@pytest.mark.parametrize(
    ("old", "new", "code", "says"),
    [
        ('name = "small"', "", "mapping_key", "there is no key `name`"),
        (
            'name = "small"',
            'name = "Small"',
            "mapping_value",
            "small letters, digits and hyphens - at `$.name`",
        ),
        ('name = "small"', 'name = "ddz/1"', "mapping_value", "$.name"),
        ('name = "small"', 'name = "open-spiel"', "mapping_value", "a format of its own"),
        ("files =", "flies =", "mapping_key", "did you mean `files`?"),
        ('key = "gid"', "key = 3", "mapping_value", "`$.tables.games.key`"),
        ("separator", "separater", "mapping_key", "did you mean `separator`?"),
        ("Asia/Shanghai", "Asia/Atlantis", "mapping_value", "no time zone"),
        ('files = "games*"', 'files = "../games*"', "mapping_value", "leads out"),
        ('files = "games*"', 'files = "/etc/passwd"', "mapping_value", "leads out"),
        ('files = "games*"', 'files = "a/../../b"', "mapping_value", "leads out"),
        ('files = "games*"', "files = []", "mapping_value", "files"),
        ('files = "games*"', 'files = "games*"\nencoding = "klingon"', "mapping_value", "tables.games"),
        ('of = "games"', 'of = "game"', "mapping_value", "no table 'game', only games, deals"),
        ('of = "bids"', 'of = "plays"\nact = "n"', "mapping_value", "`every` says or the column"),
        ('1 = "play"', '1 = "plays"', "mapping_value", "'plays' is no act"),
        ('landlord = "lord"', "", "mapping_value", "who is landlord"),
        ('bottom = "bottom"', "", "mapping_value", "the bottom cards"),
        ('seat = "seat"\n', "", "mapping_value", "no `seat`"),
        ('2 = "2" }', '2 = "3" }', "mapping_value", "no word stands for the ranks 2: every card"),
        ('T = "T"', 'T = "10"', "mapping_value", "the rank '10'"),
        ('"began"', '{ column = "began", time = "%Y-%m-%d %Y" }', "mapping_value", "hand.started_at"),
        ('"began"', '{ column = "began", time = "%Q" }', "mapping_value", "'%Q' is no pattern of a time"),
        ('"began"', '{ column = "began", time = "%Y-%m-%d%" }', "mapping_value", "no pattern of a time"),
        (
            '"began"',
            '{ column = "began", time = "second" }',
            "mapping_value",
            "none of iso, seconds, milliseconds",
        ),
        ('"began"', '{ column = "began", time = "%H:%M:%S" }', "mapping_value", "which day"),
        ('"began"', '{ column = "began", time = "%Y-%m-%d %I:%M" }', "mapping_value", "which half"),
        ('table = "room"', 'rules = "room"', "mapping_value", "a constant too"),
        ("[hand]", "[hand", "mapping_syntax", "no TOML"),
    ],
)
def test_what_a_mapping_of_tables_cannot_say(
    tmp_path: Path, old: str, new: str, code: str, says: str
) -> None:
    """A mapping that says what cannot be is one error with the place and what is allowed."""
    assert old in MAPPING
    error = fault(tmp_path, MAPPING.replace(old, new, 1))
    assert (error.code, says in str(error)) == (code, True), str(error)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("opens = true", "opens = false", "one must open it"),
        ('act = "call"\nseat = "args.seat"', 'act = "call"', "whose act"),
        ('id = "args.game", ', "", "must say `id`"),
        ('outcome = "complete"', "", "how a game ended"),
        ('true = "rob"', 'true = "robbed"', "'robbed' is no act"),
        ('"room.rate" =', '"room.rates" =', "room.rates"),
        ('value = "args.times"', 'value = { column = "args.times", of = "x" }', "are for tables"),
        ("0x4f = ", "0x4e = ", ""),
    ],
)
def test_what_a_mapping_of_events_cannot_say(tmp_path: Path, old: str, new: str, says: str) -> None:
    """So is one of events."""
    assert old in EVENTS
    error = fault(tmp_path, EVENTS.replace(old, new, 1))
    assert error.code in ("mapping_value", "mapping_syntax")
    assert says in str(error), str(error)


def test_missing_mapping(tmp_path: Path) -> None:
    """A mapping that cannot be read is an error that names it."""
    with pytest.raises(UsageError) as error:
        load_mapping(tmp_path / "none.toml")
    assert error.value.code == "mapping_missing"
    (tmp_path / "latin.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(UsageError) as error:
        load_mapping(tmp_path / "latin.toml")
    assert error.value.code == "mapping_syntax"


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5000 + "]" * 5000, "a = " + "9" * 5000, "a = 2026-02-30", "a = 1\na = 2"]
)
def test_hostile_mapping(tmp_path: Path, text: str) -> None:
    """TOML nested too deeply, a number of thousands of digits and what is none are errors of the mapping's text."""
    assert fault(tmp_path, text).code == "mapping_syntax"


def test_endless_and_huge_settings(tmp_path: Path) -> None:
    """A mapping, rule file or key that is a device, or of more than 4 MB, is refused before it fills the memory."""
    huge = tmp_path / "huge"
    huge.write_bytes(b"#" * (LARGEST + 1))
    for path in [huge, *(each for each in [Path("/dev/zero")] if each.is_char_device())]:
        for read in (load_mapping, load_facts_mapping, read_key, read_rule_file):
            with pytest.raises(UsageError) as error:
                read(path)
            assert (error.value.code, error.value.where) == ("settings_file", str(path))


def test_cards_without_words_are_named() -> None:
    """An alphabet that is not whole says which suits, ranks, jokers and single cards have no word."""
    ranks = {rank: rank for rank in "3456789TJQKA2"}
    jokers: dict[str, Literal["B", "R"]] = {"x": "B", "X": "R"}
    for given, says in (
        (Cards(), "the ranks 3 4 5 6 7 8 9 T J Q K A 2, the jokers B R"),
        (Cards(ranks=ranks, jokers={"x": "B"}), "for the jokers R:"),
        (Cards(ranks={k: v for k, v in ranks.items() if v not in "T2"}, jokers=jokers), "for the ranks T 2:"),
        (Cards(ranks=ranks, jokers=jokers, suits={"s": "S", "c": "C"}), "for the suits H D:"),
    ):
        with pytest.raises(UsageError) as error:
            Alphabet(given)
        assert says in error.value.what and error.value.code == "mapping_value", error.value.what


def test_missing_columns_and_files(tmp_path: Path) -> None:
    """A column or file that is not there is an error that names those that are, and nothing is stored."""
    with pytest.raises(DdzError, match=r"'lord'.*there are: gid, room, began, boss") as error:
        take_mapped(tmp_path, {**tables(), "games": b"gid,room,began,boss,state,bottom,multi\n"})
    assert error.value.code == "mapping_column"
    assert not (tmp_path / "store" / "manifest.json").exists()
    with pytest.raises(
        UsageError, match=r"no file of the table 'bids'.*there are: deals.csv, games.csv"
    ) as usage:
        (tmp_path / "tables" / "bids.csv").unlink()
        take_mapped(tmp_path, {})
    assert usage.value.code == "mapping_files"
    with pytest.raises(UsageError, match="a file of the table 'games' and of 'deals'"):
        take_mapped(tmp_path, tables(), MAPPING.replace('"deals*"', '"*s.csv"'))


def test_version_follows_the_content(tmp_path: Path) -> None:
    """Another mapping has another version; comments and order do not matter."""
    versions = []
    for text in (MAPPING, "# a comment\n" + MAPPING, MAPPING.replace("jj-classic", "jj-bomb")):
        (tmp_path / "mapping.toml").write_text(text, "utf-8")
        versions.append(version_of(load_mapping(tmp_path / "mapping.toml")))
    assert versions[0] == versions[1] != versions[2]
