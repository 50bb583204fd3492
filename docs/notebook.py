# %% [markdown]
# # A room's log in Python
#
# Cells begin with `# %%`: open this file as a notebook in VS Code, PyCharm or Jupyter (with jupytext), or run it as a script in the
# project's folder, `python docs/notebook.py`. It leaves a folder `notebook-store` behind.

# %%
from decimal import Decimal

import pandas as pd

import ddz_analytics as ddz

store = ddz.open("notebook-store")
summary = store.ingest("sample_logs/simulated/jj-classic.ddz.jsonl.gz")
print(summary.total)

# %% [markdown]
# ## Hands in memory
#
# What a program has, its own self-play say, is read as strictly as a file. A hand is a line of bytes, a mapping or a `Hand`; an Arrow table
# or a DataFrame has one a row. What cannot be a hand is kept with its code, as always.

# %%
hand = {
    "format": "ddz/1", "id": "self-play-1", "players": ["ann", "bo", "cy"],
    "dealt": ["33334444556677889", "9TTTTJJJJQQQQ2222", "56789KKKKAAAA5678"], "bottom": "9BR",
    "rules": "jj-classic", "room": {"unit": 10}, "first": 0, "landlord": 1, "outcome": "complete",
    "actions": [
        {"seat": 0, "act": "bid", "value": 0}, {"seat": 1, "act": "bid", "value": 3},
        *({"seat": seat, "act": "play", "cards": cards} if cards else {"seat": seat, "act": "pass"}
          for lead in ("99", "BR", "2222", "QQQQ", "JJJJ", "TTTT") for seat, cards in ((1, lead), (2, ""), (0, "")))
    ][:-2],
}  # fmt: skip
taken = store.ingest([hand, hand | {"id": "self-play-2", "bottom": "9B"}], name="self-play")
print(taken.total, [(refused.code, refused.detail) for refused in taken.refused])

# %% [markdown]
# ## Questions
#
# Answers are DataFrames backed by Arrow: amounts are exact decimals, whole numbers stay whole, missing is missing.

# %%
store.rescore(["jj-classic", "jj-bomb"])
scores = store.sql(
    "SELECT rule_set, hand_id, role, player, score, score_status FROM scores WHERE role IS NOT NULL"
)
print(scores.groupby(["rule_set", "role"])["score"].sum())

# %% [markdown]
# The self-play hand: bid 3 at a unit of 10, rocket, four bombs and a spring, 30 × 2⁶ = 1920 a pair. Under the JJ bomb rule the bombs
# multiply by 1 + 4, and it is 30 × 5 × 2 × 2 = 600.

# %%
mine = scores.merge(store.sql("SELECT hand_id FROM hands WHERE source_path = 'memory:self-play'"))
print(mine)
assert set(mine.loc[mine["role"] == "landlord", "score"]) == {Decimal("3840"), Decimal("1200")}

# %% [markdown]
# Own tables take part in a question by name. (Without `rule_set` the sum would add up two rule sets, and a warning would say so.)

# %%
leagues = pd.DataFrame({"player": ["synthetic-0016", "synthetic-0034"], "league": ["gold", "silver"]})
print(
    store.sql(
        "SELECT rule_set, league, sum(score) AS points FROM scores JOIN leagues USING (player) GROUP BY ALL ORDER BY ALL",
        tables={"leagues": leagues},
    )
)

# %% [markdown]
# ## Compare
#
# The tables of `ddz compare`, by their titles. `set` varies the baseline.

# %%
tables = store.compare(
    baseline="jj-classic", set={"cap.doublings": [1, 2]}, where="recorded_rules = 'jj-classic'"
)
print(tables["overview"].T)

# %% [markdown]
# ## One hand, one player, all recorded scores
#
# `explain` and `replay` give text, `statement` tables, `standings` (of logs that name their matches) one table, `reconcile` plain values.

# %%
print(store.replay(1, "jj-classic"))
print(store.statement("synthetic-0016", "jj-classic")["totals"].T)
for recorded in store.reconcile():
    print(
        recorded["rule_set"], recorded["exact"], "of", recorded["hands"], "recorded scores come out exactly"
    )

# %% [markdown]
# ## Without a store
#
# Rules as functions: what a set of cards is, what beats what, how an auction stands, what a row of facts is worth.

# %%
print([str(reading.category) for reading in ddz.classify("333444555666")])
print(bool(ddz.beats("BR", "2222")), ddz.minimise(payer_balance=50, receiver_balance=400, owed=80))
print(ddz.auction([(0, "bid", 0), (1, "bid", 3)], "jj-classic", first=0).landlord)

facts = store.sql("SELECT * FROM settle_facts WHERE landlord_seat IS NOT NULL AND replay_status = 'ok'")
for cap in ("none", "1", "2"):
    settled = ddz.settle(facts, f"jj-classic[cap.doublings={cap}]")
    print(cap, settled["net_landlord"].abs().max())
