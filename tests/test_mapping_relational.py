"""Tables of an operator as hands: what a mapping makes of them, and their precise faults."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

from ddz_analytics.hands import ACTS
from ddz_analytics.ingest.summary import Counts
from ddz_analytics.rescore import rescore
from ddz_analytics.rules import load_rules
from ddz_analytics.store import open_store
from ddz_analytics.store.catalog import connect
from tests.mapped import HEADS, MAPPING, SCORES, bids, deals, game, plays, tables, take_mapped
from tests.stores import column, counts_of


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where `take_mapped` keeps its store."""
    return tmp_path / "store"


def hands(store: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = open_store(store).read("hands").to_pylist()
    return rows


def refused(store: Path) -> list[tuple[str, int, str]]:
    """File, line and code of every rejected record."""
    rows = open_store(store).read("rejected", ["source_path", "line", "code"]).to_pylist()
    return [(Path(row["source_path"]).name, row["line"], row["code"]) for row in rows]


def reconciled(store: Path) -> set[tuple[str, str | None]]:
    """Verdict and cause of every seat's score."""
    rescore(store, [load_rules("jj-classic")])
    with connect(store) as connection:
        return set(connection.sql("SELECT verdict, cause FROM reconciliation").fetchall())


def test_a_game_out_of_four_tables(store: Path, tmp_path: Path) -> None:
    """A game's row and what belongs to it in the other tables are a hand, with its place, players, acts and scores."""
    take_mapped(tmp_path, tables())
    (hand,) = hands(store)
    assert (hand["source_format"], hand["source_hand_id"], hand["table_id"]) == ("small", "g1", "r1")
    assert (hand["source_path"], hand["source_line"]) == (str(tmp_path / "tables" / "games.csv"), 2)
    assert hand["started_at"] == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert [hand[f"player_{seat}"] for seat in range(3)] == ["ann", "bo", "cy"]
    assert [hand[f"recorded_score_{seat}"] for seat in range(3)] == list(SCORES)
    assert (hand["landlord_seat"], hand["recorded_multiplier"], hand["outcome"]) == (0, 64, "complete")
    assert [ACTS[act["act"]] for act in hand["actions"]] == ["bid", "play", *["pass", "pass", "play"] * 6]
    assert column(store, "facts", "replay_status") == ["ok"]
    assert reconciled(store) == {("exact", None)}


def test_counts(store: Path, tmp_path: Path) -> None:
    """A record is a row of the table of hands; of other tables the rows of hands are skipped, those of no hand rejected."""
    rows = tables("g1", "g2")
    rows["plays"] += plays("g9")
    rows["bids"] += "g1\n"
    assert counts_of(take_mapped(tmp_path, rows)) == {
        "games.csv": Counts(read=2, stored=2),
        "deals.csv": Counts(read=6, skipped=6),
        "bids.csv": Counts(read=3, rejected=1, skipped=2),
        "plays.csv": Counts(read=57, rejected=19, skipped=38),
    }
    assert refused(store) == [
        ("bids.csv", 4, "bad_row"),
        *(("plays.csv", line, "orphan_row") for line in range(40, 59)),
    ]
    raw = column(store, "rejected", "raw")
    assert raw[:2] == [b"g1\n", b"g9,ann,1,1,3333\n"]


def test_any_order_of_rows(store: Path, tmp_path: Path) -> None:
    """Rows may come in any order; the columns of the order say which comes first, as numbers."""
    rows = tables("g1", "g2")
    take_mapped(tmp_path, {**rows, "plays": "".join(reversed(rows["plays"].splitlines(keepends=True)))})
    assert column(store, "facts", "replay_status") == ["ok", "ok"]


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ({"deals": deals() + deals().splitlines()[1] + "\n"}, "repeated_row", "two rows of the seat 1"),
        ({"deals": deals().replace(deals().splitlines()[2] + "\n", "")}, "missing_row", "no row of the seat 2"),
        ({"deals": ""}, "missing_row", "`deals` has no row of the seat 0"),
        ({"deals": deals().replace(",2,", ",7,")}, "out_of_range", "not a seat from 0 to 2 - at"),
        ({"deals": deals().replace(",2,", ",3,")}, "out_of_range", "not a seat from 0 to 2, perhaps counted_from = 1 - at"),
        ({"deals": deals().replace("33334444", "3333x444")}, "bad_cards", "'x' is no card"),
        ({"deals": deals().replace("33334444", "33333444")}, "bad_cards", ""),
        ({"deals": deals().replace(",384", ",3.00001")}, "out_of_range", "more than four decimals"),
        ({"deals": deals().replace(",384", ",lots")}, "wrong_type", "`deals.won = 'lots'`"),
        ({"deals": deals().replace(",384", ",")}, "missing_field", "no `score` of the seat 0, but of others"),
        ({"plays": plays().replace(",2,2,", ",2,9,")}, "out_of_range", "the code '9' is none of 1, 2, 3 - at `plays.type = '9'`"),
        ({"plays": plays().replace("g1,bo,2,2,\n", "g1,bo,1,2,\n")}, "repeated_row", "two acts at the same place"),
        ({"plays": plays().replace("g1,bo,2,2,\n", "g1,bo,x,2,\n")}, "wrong_type", "`plays.n = 'x'`"),
        ({"plays": plays().replace("g1,bo,2,2,\n", "g1,bo,,2,\n")}, "missing_field", "no place in the order"),
        ({"plays": plays().replace("g1,bo,2,2,\n", "g1,bo,2,2,77\n")}, "out_of_range", "a pass with cards"),
        ({"plays": plays().replace(",1,3333", ",1,")}, "missing_field", "a play without cards"),
        ({"plays": plays().replace("g1,bo,2,2,\n", "g1,dee,2,2,\n")}, "out_of_range", "not one of the players ann, bo, cy"),
        ({"plays": plays().replace("g1,bo,2,2,\n", "g1,,2,2,\n")}, "missing_field", "nobody's row"),
        ({"games": game(lord="dee")}, "out_of_range", "'dee' is none of the players"),
        ({"games": game(state="8")}, "out_of_range", "`games.state = '8'`"),
        ({"games": game(began="yesterday")}, "wrong_type", "`games.began = 'yesterday'`"),
        ({"games": game(multi="2.5")}, "wrong_type", "no whole number"),
        ({"games": game(multi="-2")}, "out_of_range", "multiplier"),
        ({"games": game(bottom="2B")}, "deal_size", ""),
    ],
)  # fmt: skip
def test_faults(store: Path, tmp_path: Path, change: dict[str, str], code: str, says: str) -> None:
    """What does not fit rejects its hand, with a code, and with the table, column, value and place of what is wrong."""
    take_mapped(
        tmp_path, {**tables("g1", "g2"), **{name: rows + tables("g2")[name] for name, rows in change.items()}}
    )
    assert refused(store) == [("games.csv", 2, code)]
    assert says in column(store, "rejected", "detail")[0]
    assert column(store, "hands", "source_hand_id") == ["g2"]


def test_bytes_of_a_rejected_hand(store: Path, tmp_path: Path) -> None:
    """A rejected hand is kept with the bytes of all its rows, as they came."""
    take_mapped(tmp_path, {**tables(), "games": game(state="8")})
    (raw,) = column(store, "rejected", "raw")
    assert raw == (game(state="8") + deals() + bids() + plays()).encode()


def test_a_game_that_is_there_twice(store: Path, tmp_path: Path) -> None:
    """Two rows of one game, in one file or in two, are both rejected, each with the place of the other."""
    take_mapped(
        tmp_path,
        {**tables("g1", "g2"), "games_b": game("g2", room="r7")} | {"games": game("g1") + game("g2")},
    )
    assert refused(store) == [("games.csv", 3, "repeated_row"), ("games_b.csv", 2, "repeated_row")]
    assert "games_b.csv:2" in column(store, "rejected", "detail")[0]
    assert "games.csv:3" in column(store, "rejected", "detail")[1]


def test_rows_that_count_once(store: Path, tmp_path: Path) -> None:
    """Where a mapping says so, rows that are the same in every column count as one, and a game's second row is a duplicate."""
    once = MAPPING.replace('key = "gid"\n', 'key = "gid"\nrepeated = "once"\n')
    rows = tables()
    summary = take_mapped(tmp_path, {name: text + text for name, text in rows.items()}, once)
    assert counts_of(summary)["games.csv"] == Counts(read=2, stored=1, duplicate=1)
    rows["games"] += game(room="r2")
    again = tmp_path / "again"
    take_mapped(again, rows, once)
    assert {code for _, _, code in refused(again / "store")} == {"repeated_row"}


def test_plays_of_one_seat_only(store: Path, tmp_path: Path) -> None:
    """A game with the plays of one seat only is a faulty hand whose issues say so, and has no score."""
    own = "".join(line for line in plays().splitlines(keepends=True) if ",ann," in line)
    take_mapped(tmp_path, {**tables(), "plays": own})
    assert column(store, "facts", "replay_status") == ["faulty"]
    assert set(column(store, "issues", "code")) == {"turn"}


def test_unfinished_game(store: Path, tmp_path: Path) -> None:
    """A game that stops is stored as unfinished and not scored."""
    cut = "".join(plays().splitlines(keepends=True)[:5])
    take_mapped(tmp_path, {**tables(), "games": game(state="0"), "plays": cut})
    assert column(store, "facts", "replay_status") == ["unfinished"]


def test_deal_that_is_thrown_in(store: Path, tmp_path: Path) -> None:
    """A game without landlord has the outcome that the mapping names for it."""
    rows = {**tables(), "games": game(lord=""), "plays": "", "bids": "g1,ann,1,0\ng1,bo,2,0\ng1,cy,3,0\n"}
    mapping = MAPPING.replace('rules = "jj-classic"', 'rules = "qq-classic"')
    take_mapped(tmp_path, {**rows, "deals": deals(scores=(0, 0, 0))}, mapping)
    assert column(store, "hands", "outcome") == ["redeal"]
    assert column(store, "facts", "replay_status") == ["no_play"]


@pytest.mark.parametrize(("factor", "cause"), [(4, "power_of_two"), (3, "amount_differs")])
def test_scores_with_a_factor_that_no_row_explains(
    store: Path, tmp_path: Path, factor: int, cause: str
) -> None:
    """A recorded multiplier beyond what the rows explain is kept, and reconciling names the power of two."""
    scores = tuple(factor * score for score in SCORES)
    take_mapped(tmp_path, {**tables(), "games": game(multi=str(64 * factor)), "deals": deals(scores=scores)})
    assert column(store, "hands", "recorded_multiplier") == [64 * factor]
    assert reconciled(store) == {("unexplained", cause)}


def test_spring_that_was_not_counted(store: Path, tmp_path: Path) -> None:
    """Where the platform never counts a spring, reconciling says that it is the spring."""
    take_mapped(tmp_path, {**tables(), "deals": deals(scores=(192, -96, -96))})
    assert reconciled(store) == {("explained", "spring_not_recorded")}


def test_order_of_seats_from_the_acts(store: Path, tmp_path: Path) -> None:
    """Where nothing numbers the seats, the first two who play tell them, whoever the bids leave out; fewer are a fault."""
    by_acts = MAPPING.replace('of = "deals"\ndealt', 'of = "deals"\norder = "acts"\ndealt').replace(
        'seat = "seat"\n', ""
    )
    backwards = "".join(reversed(deals().splitlines(keepends=True)))
    take_mapped(tmp_path, {**tables(), "deals": backwards, "bids": "g1,cy,1,0\ng1,ann,2,3\n"}, by_acts)
    assert [hand[f"player_{seat}"] for hand in hands(store) for seat in range(3)] == ["ann", "bo", "cy"]
    own = "".join(line for line in plays("g2").splitlines(keepends=True) if ",ann," in line)
    take_mapped(tmp_path, {**tables("g2"), "plays": own}, by_acts)
    assert refused(store) == [("games.csv", 2, "missing_row")]


def test_all_tables_in_one_dump(store: Path, tmp_path: Path) -> None:
    """A dump may hold all tables: its records are the rows of hands, and its other rows are skipped or rejected."""
    mapping, dump = MAPPING, ""
    rows = tables("g1", "g2")
    rows["bids"] += bids("g9")
    for name, text in rows.items():
        mapping = mapping.replace(
            f'files = "{name}*"', f'files = "all.sql"\nformat = "sql"\ndumped = "{name}"'
        )
        values = (
            ",".join(f"'{value}'" if value else "NULL" for value in line.split(","))
            for line in text.splitlines()
        )
        dump += (
            f"INSERT INTO {name} ({HEADS[name].strip()}) VALUES\n"
            + ",\n".join(f"({row})" for row in values)
            + ";\n"
        )
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "all.sql").write_text(dump)
    summary = take_mapped(tmp_path, {}, mapping)
    assert counts_of(summary) == {"all.sql": Counts(read=49, stored=2, rejected=1, skipped=46)}
    assert refused(store) == [("all.sql", 14, "orphan_row")]
    assert column(store, "rejected", "raw") == [b"('g9','ann','1','3')"]


def test_partitions_and_other_files(store: Path, tmp_path: Path) -> None:
    """Tables may be Parquet, in folders named by a column, SQL or CSV; a game in two partitions is rejected twice."""
    mapping = MAPPING.replace('files = "games*"', 'files = "games/*/*.parquet"').replace(
        'table = "room"', 'match = "day"'
    )
    mapping = mapping.replace('files = "bids*"', 'files = "dump.sql"\nformat = "sql"\ndumped = "bids"')
    for day, gids in (("2026-01-02", ["g1", "g2"]), ("2026-01-03", ["g3", "g2"])):
        folder = tmp_path / "tables" / "games" / f"day={day}"
        folder.mkdir(parents=True)
        text = (HEADS["games"] + "".join(map(game, gids))).encode()
        options = pc.ConvertOptions(column_types={"gid": pa.string()})
        pq.write_table(pc.read_csv(pa.BufferReader(text), convert_options=options), folder / "part-0.parquet")
    rows = tables("g1", "g2", "g3")
    (tmp_path / "tables" / "dump.sql").write_text(
        "INSERT INTO bids (gid, pid, n, score) VALUES "
        + ",".join(f"('{gid}','ann',1,3)" for gid in ("g1", "g2", "g3"))
        + ";"
    )
    take_mapped(tmp_path, {name: rows[name] for name in ("deals", "plays")}, mapping)
    assert [(hand["source_hand_id"], hand["match_id"]) for hand in hands(store)] == [
        ("g1", "2026-01-02"),
        ("g3", "2026-01-03"),
    ]
    assert refused(store) == [("part-0.parquet", 2, "repeated_row")] * 2
