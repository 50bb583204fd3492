"""The viewer in a real browser: a hand played by keyboard, hostile names as texts, paper, phones, and no script at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.store.catalog import connect
from ddz_analytics.viewer.course import Frame
from tests.explained import ROOT, run
from tests.reports import HOSTILE
from tests.stores import take
from tests.viewing import Seen, named, seen


class Shown:
    """A page of a hand in a browser, and what it said and asked for."""

    def __init__(self, browser: Any, file: Path, **options: Any) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        self.context = browser.new_context(**{"viewport": {"width": 1100, "height": 900}, **options})
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append(dialog.message))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())

    def states(self, frames: int) -> list[dict[str, Any]]:
        """What the table shows from frame to frame: by place (landlord, down, up) the cards held, what lies there, who is on autoplay."""
        found: list[dict[str, Any]] = self.page.evaluate(STATES, frames)
        return found


STATES = """(frames) => {
  const stage = document.querySelector(".v-stage");
  const cards = (box) => [...box.querySelectorAll(".v-card")].map((card) => card.classList.contains("v-joker")
    ? (card.classList.contains("v-red") ? "R" : "B")
    : (card.querySelector("i")?.textContent ?? "") + card.querySelector("b").textContent.replace("10", "T"));
  return Array.from({ length: frames }, () => {
    const state = Object.fromEntries(["self", "down", "up"].map((place) => {
      const put = stage.querySelector(`.v-of-${place}`);
      return [place, {
        held: cards(stage.querySelector(`.v-at-${place} .v-hand`)), put: put.querySelector(".v-pass") ? "pass" : cards(put),
        auto: !stage.querySelector(`.v-at-${place} .v-auto`).hidden }];
    }));
    stage.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
    return state;
  });
}"""


def _expected(hand: Seen, frame: Frame) -> dict[str, Any]:
    landlord = hand.course.heading.landlord_seat or 0
    signs = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

    def cards(text: str | None) -> list[str]:
        found = [] if not text else text.split(" ") if hand.course.suited else list(text)
        return [signs[card[0]] + card[1] if len(card) > 1 else card for card in found]

    told = {}
    for place, name in enumerate(("self", "down", "up")):
        seat = (landlord + place) % 3
        put = frame.table[seat]
        told[name] = {
            "held": cards(frame.held[seat]),
            "put": "pass" if put == "pass" else cards(put),
            "auto": frame.on_autoplay[seat],
        }
    return told


@pytest.fixture(scope="module")
def page_of(to_view: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Writes the page of a hand."""
    folder = tmp_path_factory.mktemp("pages")

    def write(hand: object, *more: str) -> Path:
        file = folder / "hand.html"
        run("replay", str(hand), "--store", str(to_view), "--html", str(file), "--quiet", *more)
        return file

    yield write


def test_frames_are_those_of_the_model(chromium: Any, to_view: Path, page_of: Any) -> None:
    """Whatever is special about a hand, each frame shows the cards, passes and autoplay that the model has; nothing is said or asked for."""
    with connect(to_view) as connection:
        query = "SELECT min(hand_id) FROM hands WHERE {}"
        wanted = ("source_hand_id = 'one-card-exemption'", "source_format = 'rlcard-showdown'", "landlord_seat IS NULL",
                  "source_hand_id = '6000000000000000000007d8'", "wild_rank = '6'")  # fmt: skip
        hands = [connection.sql(query.format(where)).fetchall()[0][0] for where in wanted]
        found = seen(connection, hands, ())
    for hand_id in hands:
        file = page_of(hand_id, "--rules", "jj-classic", "--vs", "happy")
        shown = Shown(chromium, file)
        frames = found[hand_id].course.frames
        states = shown.states(len(frames))
        assert states == [_expected(found[hand_id], frame) for frame in frames], hand_id
        assert (shown.said, shown.asked) == ([], [file.as_uri()])
        shown.context.close()


def test_hand_is_played_to_its_end_by_keyboard(chromium: Any, to_view: Path, page_of: Any) -> None:
    """Arrow keys lead from frame to frame, Home and End to both ends, as soon as the page is open."""
    shown = Shown(chromium, page_of("escape"))
    last = len(named(to_view, "escape").course.frames) - 1
    for place in range(1, last + 1):
        shown.page.keyboard.press("ArrowRight")
        assert shown.page.locator(".v-count").inner_text() == f"{place} / {last}"
    assert shown.page.locator(".v-forward").is_disabled()
    shown.page.keyboard.press("ArrowLeft")
    assert shown.page.locator(".v-sentence").inner_text() == "down peasant bo escapes"
    shown.page.keyboard.press("Home")
    assert shown.page.locator(".v-first").is_disabled()
    shown.page.keyboard.press("End")
    assert shown.page.locator(".v-last").is_disabled()
    assert shown.said == []
    shown.context.close()


def test_stakes_and_settlement_stand_side_by_side(chromium: Any, page_of: Any) -> None:
    """Both rule sets' multipliers and stakes grow with the hand, and end in what each party has (jj J33, J34, J36)."""
    shown = Shown(chromium, page_of("spring-with-bombs", "--vs", "jj-classic"))
    runs = shown.page.locator(".v-run")
    assert [runs.nth(place).locator(".v-worth").inner_text() for place in (0, 1)] == [
        "nothing to play for yet"
    ] * 2
    shown.page.focus(".v-stage")
    for _ in range(6):  # bid, bottom cards, bomb, two passes, bomb
        shown.page.keyboard.press("ArrowRight")
    assert runs.locator(".v-multiplier").all_inner_texts() == ["×3", "×4"]
    assert runs.locator(".v-stake b").all_inner_texts() == ["90", "120"]
    assert shown.page.locator(".v-sentence").inner_text().startswith("landlord ann plays")
    assert shown.page.locator("td.c.v-now").inner_text() == "4444"
    shown.page.keyboard.press("End")
    assert runs.locator("dd").all_inner_texts() == ["+360", "−180", "−180", "0", "+480", "−240", "−240", "0"]
    shown.page.click("button[data-lang=zh]")
    assert shown.page.locator(".v-sentence").inner_text() == "地主先出完，地主胜。春天：农民一张牌也没有出。"
    shown.page.locator("td.c", has_text="3333").click()
    assert shown.page.locator(".v-sentence").inner_text().startswith("地主 ann 出")
    shown.context.close()


def test_play_runs_until_it_is_stopped(chromium: Any, page_of: Any) -> None:
    """Nothing moves until play is asked for; the space bar starts and stops it, and it stops at the end."""
    shown = Shown(chromium, page_of("escape"), reduced_motion="reduce")
    shown.page.clock.install()
    shown.page.reload()
    shown.page.clock.run_for(20_000)
    assert shown.page.locator(".v-count").inner_text().startswith("0 /")
    shown.page.focus(".v-stage")
    shown.page.keyboard.press(" ")
    shown.page.clock.run_for(3000)
    assert shown.page.locator(".v-count").inner_text().startswith("2 /")
    assert (
        shown.page.evaluate(
            "getComputedStyle(document.querySelector('.v-put .v-card, .v-card')).animationName"
        )
        == "none"
    )
    shown.page.keyboard.press(" ")
    shown.page.clock.run_for(20_000)
    assert shown.page.locator(".v-count").inner_text().startswith("2 /")
    shown.page.keyboard.press(" ")
    shown.page.clock.run_for(60_000)
    assert shown.page.locator(".v-on").is_visible()
    assert shown.page.locator(".v-last").is_disabled()
    shown.context.close()


def test_hostile_names_stay_texts(chromium: Any, tmp_path: Path) -> None:
    """Whatever a log calls players, tables and hands is shown as it is written, and none of it runs."""
    hand = json.loads((ROOT / "docs" / "explained.ddz.jsonl").read_text("utf-8").splitlines()[1])
    evil = "".join(HOSTILE)
    changed = {
        "id": evil,
        "table": HOSTILE[0],
        "match": HOSTILE[2],
        "players": [HOSTILE[0], HOSTILE[2], HOSTILE[5] + HOSTILE[3]],
    }
    (tmp_path / "log.jsonl").write_text(json.dumps({**hand, **changed}) + "\n")
    take(tmp_path / "store", tmp_path / "log.jsonl")
    file = tmp_path / "hand.html"
    run("replay", evil, "--store", str(tmp_path / "store"), "--html", str(file))
    shown = Shown(chromium, file)
    for _ in range(4):
        shown.page.click(".v-forward")
    assert shown.page.locator(".v-player").all_inner_texts()[2] == HOSTILE[0]
    assert HOSTILE[2] in shown.page.locator(".v-sheet").inner_text()
    assert "\\x1b[31mred" in shown.page.locator(".v-at-up").inner_text()
    assert shown.page.evaluate("window.hacked") is None
    assert shown.page.locator("img, iframe, object, embed, a").count() == 0
    assert (shown.said, shown.asked) == ([], [file.as_uri()])
    shown.context.close()


def test_paper_and_a_browser_without_scripts_have_the_whole_course(
    chromium: Any, to_view: Path, page_of: Any
) -> None:
    """On paper, and where no script runs, every act stands in a table, and what only a script can do is not there."""
    acts = len(named(to_view, "rob-back").record.acts)
    shown = Shown(chromium, page_of("rob-back"))
    shown.page.emulate_media(media="print")
    assert shown.page.locator(".v-stage").is_hidden()
    assert shown.page.locator(".v-sheet td.c:visible").count() == acts + 1  # and the bottom cards
    shown.context.close()
    plain = Shown(chromium, page_of("rob-back"), java_script_enabled=False)
    assert plain.page.locator(".v-sheet td.c:visible").count() == acts + 1
    assert plain.page.locator("button:visible").count() == 0
    plain.context.close()


def test_narrow_phone_and_dark_room(chromium: Any, page_of: Any) -> None:
    """On 360 places the page is no wider than the screen, and at night it is dark."""
    phone = {"viewport": {"width": 360, "height": 780}, "color_scheme": "dark"}
    shown = Shown(chromium, page_of("rob-back", "--vs", "qq-classic", "--lang", "zh"), **phone)
    shown.page.click(".v-last")
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert shown.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(19, 21, 25)"
    assert shown.page.locator(".v-role:visible").first.inner_text() == "地主上家"
    shown.context.close()
