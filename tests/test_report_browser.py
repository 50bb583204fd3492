"""The report in a real browser: quiet, asking for nothing, drawn when looked at, in two languages and two appearances."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ddz_analytics.locale import LANGUAGES
from ddz_analytics.report import Report
from tests.reports import HOSTILE, report_on, sample_store


class Opened:
    """A page in a browser, and what it said and asked for."""

    def __init__(self, browser: Any, file: Path, hash_: str = "") -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append(dialog.message))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri() + hash_)

    def drawn(self) -> int:
        """How many charts are drawn."""
        count: int = self.page.locator(".chart:has(.main-svg)").count()
        return count

    def show(self, part: str) -> None:
        """Scroll to a part of the page and wait for its chart, if it has one."""
        self.page.evaluate(f"document.getElementById('{part}').scrollIntoView({{behavior: 'instant'}})")
        if self.page.locator(f"#{part} .chart:visible").count():
            self.page.wait_for_selector(f"#{part} .chart:visible .main-svg")


@pytest.fixture
def opened(chromium: Any, hostile: tuple[Report, Path]) -> Iterator[Opened]:
    """The hostile report, opened; whatever a test does, the page must not complain, and must ask for nothing but itself."""
    file = hostile[1]
    opened = Opened(chromium, file)
    yield opened
    assert opened.said == []
    assert {url.partition("#")[0] for url in opened.asked if not url.startswith(("data:", "blob:"))} == {
        file.as_uri()
    }
    assert opened.page.evaluate("window.hacked") is None
    opened.page.close()


def test_charts_are_drawn_when_they_come_into_view(opened: Opened) -> None:
    """No chart is drawn before somebody scrolls to it; then it is, with its bars."""
    assert opened.drawn() == 0
    for part in ("differs", "spread", "multipliers", "groups", "house", "liability"):
        opened.show(part)
        assert opened.page.locator(f"#{part} .chart:visible .main-svg").count() > 0
    assert 6 <= opened.drawn() < opened.page.locator(".chart").count()


def test_language_switches_texts_and_charts(opened: Opened) -> None:
    """One click turns every text, the page's title and the charts to the other language."""
    opened.show("spread")
    axis = opened.page.locator("#spread .chart:visible .xtitle, #spread .chart:visible .x3title")
    assert axis.first.text_content() == "points in one hand"
    opened.page.click("button[data-lang=zh]")
    assert opened.page.evaluate("document.documentElement.lang") == "zh"
    assert opened.page.title() == "同一批牌换规则计分的结果"
    assert axis.first.text_content() == "单局得分"
    assert opened.page.locator("#bands h2").inner_text().startswith("谁得谁失")
    assert opened.page.locator("#bands h2 [lang=en]").first.is_hidden()


def test_appearance_switches(opened: Opened) -> None:
    """Light and dark follow the system unless chosen, and charts follow the page."""
    opened.show("spread")

    def colours() -> tuple[str, str]:
        chart = opened.page.locator("#spread .chart:visible .bars path").first
        return (
            opened.page.evaluate("getComputedStyle(document.body).backgroundColor"),
            chart.evaluate("bar => getComputedStyle(bar).fill"),
        )

    light = colours()
    opened.page.click("button[data-theme=dark]")
    dark = colours()
    assert light[0] != dark[0]
    assert light[1] != dark[1]
    opened.page.click("button[data-theme=auto]")
    assert colours() == light
    opened.page.emulate_media(color_scheme="dark")
    opened.page.wait_for_timeout(100)
    assert colours() == dark


def test_keyboard_reaches_switches_and_comparison(opened: Opened) -> None:
    """Tab and the arrow keys alone lead past a link to the result to the switches and to the other rule sets."""
    keyboard = opened.page.keyboard
    keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.className") == "skip"
    keyboard.press("Tab")
    keyboard.press("Enter")
    assert opened.page.evaluate("document.documentElement.lang") == "zh"
    opened.page.focus("input[name=other]:checked")
    keyboard.press("ArrowRight")
    shown = opened.page.locator("#changes [data-of]:visible")
    assert shown.count() == 1
    assert shown.get_attribute("data-of") == "1"


def test_names_of_logs_and_rules_stay_texts(opened: Opened) -> None:
    """Hostile names are shown as they are written, in the page and in charts, and none of them runs."""
    opened.show("house")
    opened.page.click("button[data-lang=zh]")
    opened.page.click("button[data-lang=en]")
    text = opened.page.evaluate("document.body.textContent")
    for name in HOSTILE[:3]:
        assert name in text
    assert "\\x1b[31mred\\x07\\x9b" in text
    assert "\\u202egpj.exe" in text
    for part in ("house", "liability"):
        opened.show(part)
        labels = opened.page.locator(f"#{part} .chart .ytick text").all_text_contents()
        assert "<img src=x onerror=window.hacked=5><b>en" in labels
    assert opened.page.locator("img, iframe, object, embed, a[href^='javascript']").count() == 0


def test_chart_is_saved_as_a_picture(opened: Opened) -> None:
    """A button saves the chart that is shown as a picture, without anything leaving the page."""
    opened.show("spread")
    with opened.page.expect_download() as download:
        opened.page.locator("#spread button[data-picture]:visible").first.click()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")


def test_chart_is_copied_as_a_picture(opened: Opened) -> None:
    """A button puts the chart into the clipboard as a picture, and says so, under the page's own policy."""
    opened.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened.show("spread")
    button = opened.page.locator("#spread button[data-copy]:visible").first
    button.click()
    said = button.locator("xpath=../span[@role='status']")
    opened.page.wait_for_function("said => said.textContent", arg=said.element_handle())
    assert said.inner_text() == "copied"
    kinds = "navigator.clipboard.read().then((items) => items.flatMap((item) => item.types))"
    assert opened.page.evaluate(kinds) == ["image/png"]


def test_paper_has_every_chart_in_light_colours(opened: Opened) -> None:
    """Before printing every chart of the comparison shown is drawn, in light colours; afterwards the page is as it was."""
    opened.page.click("button[data-theme=dark]")
    opened.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert opened.drawn() == opened.page.locator(".chart:visible").count() > 7
    assert opened.page.evaluate("document.documentElement.dataset.theme") == "light"
    opened.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert opened.page.evaluate("document.documentElement.dataset.theme") == "dark"
    opened.page.wait_for_timeout(300)
    width = (
        "charts => charts.every(chart => chart.querySelector('.main-svg').clientWidth === chart.clientWidth)"
    )
    assert opened.page.eval_on_selector_all(".chart:has(.main-svg)", width)


def test_link_to_a_hand_opens_it(chromium: Any, hostile: tuple[Report, Path]) -> None:
    """An address that ends in a hand's name shows that hand, whichever comparison it belongs to, and it is played there to its end."""
    report, file = hostile
    hand = [hand for hand in json.loads(report.twin)["hands"] if hand["rule_set"] == "happy"][-1]
    opened = Opened(chromium, file, f"#hand-1-{hand['hand_id']}")
    shown = opened.page.locator(f"#hand-1-{hand['hand_id']}")
    assert shown.locator("table.v-sheet").is_visible()
    stage = shown.locator(".v-stage")
    stage.focus()
    for _ in range(4):
        opened.page.keyboard.press("ArrowRight")
    assert stage.locator(".v-count").inner_text().startswith("4 /")
    assert shown.locator("td.c.v-now").count() == 1
    opened.page.keyboard.press("End")
    assert stage.locator(".v-forward").is_disabled()
    nets = [dd.replace("−", "-").lstrip("+") for dd in stage.locator("dd").all_inner_texts()]
    assert nets == [amount for settling in hand["settlings"] for amount in settling["steps"]["en"][-1][-4:]]
    assert opened.page.evaluate("window.hacked") is None
    assert opened.said == []
    opened.page.close()


def test_page_of_the_samples_is_quiet_and_quick(chromium: Any, tmp_path: Path) -> None:
    """The report on the sample logs draws its first chart within a second of being asked, in both languages without a complaint."""
    file, samples = tmp_path / "report.html", sample_store(tmp_path)
    for lang in LANGUAGES:
        file.write_bytes(report_on(samples, lang=lang).page)
        opened = Opened(chromium, file)
        assert opened.page.evaluate("document.documentElement.lang") == lang
        opened.page.set_default_timeout(1000)
        opened.show("spread")
        assert opened.said == []
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= 1280
        opened.page.close()
