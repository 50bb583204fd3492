"""The language of the command: how it is chosen, and that nothing of its help is left without Chinese."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import click
import pyarrow as pa
import pytest
from click.testing import CliRunner, Result

from ddz_analytics import compared
from ddz_analytics.cli import ddz, main
from ddz_analytics.cli.spoken import broken, chinese, paragraphs
from ddz_analytics.cli.telling import error_line
from ddz_analytics.cli.titles import spoken_title, titled
from ddz_analytics.errors import EXIT_FAILED, DdzError
from ddz_analytics.locale import LANGUAGES, command_texts, texts
from ddz_analytics.locale.language import speak, wanted
from ddz_analytics.widths import text_width
from tests.click_words import MADE, made, words


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    """The language of the process as it was."""
    yield
    speak("en")


def asked(*arguments: str, **environment: str | None) -> Result:
    """What the command answers."""
    return CliRunner().invoke(ddz, arguments, env=environment)


def commands(command: click.Command, path: str = "ddz") -> Iterator[tuple[str, click.Command]]:
    """A command and all below it, by what one types."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, f"{path} {name}")


COMMANDS = dict(commands(ddz))


@pytest.mark.parametrize("path", COMMANDS)
def test_help_is_there_in_chinese(path: str) -> None:
    """Every paragraph of a command's help, and the help and the told default of each of its options, has its Chinese."""
    command = COMMANDS[path]
    texts = [command.help, *(getattr(param, "help", None) for param in command.params)]
    texts += [getattr(param, "show_default", None) for param in command.params]
    english = {part for text in texts if isinstance(text, str) for part in paragraphs(text)}
    assert english - chinese("help").keys() == set()


def test_no_chinese_help_is_left_over() -> None:
    """Every entry of the Chinese help is the text of some command or option."""
    params = [param for command in COMMANDS.values() for param in command.params]
    texts = [command.help for command in COMMANDS.values()]
    texts += [getattr(param, name, None) for param in params for name in ("help", "show_default")]
    assert (
        chinese("help").keys()
        - {part for text in texts if isinstance(text, str) for part in paragraphs(text)}
        == set()
    )


def test_every_command_takes_a_language() -> None:
    """`--lang` stands after every command."""
    assert [
        path
        for path, command in COMMANDS.items()
        if all("--lang" not in param.opts for param in command.params)
    ] == []


@pytest.mark.parametrize(
    ("arguments", "environment", "lang"),
    [
        ([], {}, "en"),
        ([], {"LANG": "zh_CN.UTF-8"}, "zh"),
        ([], {"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ([], {"LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "en_US"}, "zh"),
        ([], {"DDZ_LANG": "en", "LANG": "zh_CN"}, "en"),
        (["--lang", "zh", "info"], {"DDZ_LANG": "en"}, "zh"),
        (["info", "--lang=zh"], {}, "zh"),
        (["--lang", "zh", "info", "--lang", "en"], {"DDZ_LANG": "zh"}, "en"),
        (["info", "--lang", "fr"], {"LANG": "zh_CN"}, "zh"),
    ],
)
def test_language_is_chosen_once(arguments: list[str], environment: dict[str, str], lang: str) -> None:
    """The last `--lang` decides, then DDZ_LANG, then the first locale variable that is set, then English."""
    assert wanted(arguments, environment) == lang


@pytest.mark.parametrize(
    "arguments",
    [("--lang", "zh", "ingest", "--help"), ("ingest", "--help", "--lang", "zh"), ("ingest", "--help")],
)
def test_help_speaks_chinese(arguments: tuple[str, ...]) -> None:
    """The help of a command is Chinese wherever the language was said, click's own words too, in lines that fit."""
    told = asked(*arguments, DDZ_LANG="zh").output
    assert (
        "用法：" in told
        and "选项：" in told
        and "只读、只计数，不入库。" in told
        and "显示本说明并退出。" in told
    )
    assert max(map(text_width, told.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["frobnicate"], "错误：没有命令 'frobnicate'。"),
        (["find", "--limit", "x"], "错误：'--limit' 的取值无效：'x' 不是数（integer range）。"),
        (["compare", "--format", "pdf"], "不可选，只能是"),
        (["explain"], "缺少参数 'HAND'"),
    ],
)
def test_usage_errors_speak_chinese(arguments: list[str], told: str) -> None:
    """What click says of a wrong command line is Chinese, and the exit code is what it was."""
    answer = asked("--lang", "zh", *arguments)
    assert (answer.exit_code, told in answer.output) == (2, True)


@pytest.mark.parametrize("place", [{"DDZ_LANG": "fr"}, {"DDZ_LANG": "zh_CN"}])
def test_unknown_language_is_refused(place: dict[str, str]) -> None:
    """A language that nobody speaks is a mistake, not English."""
    answer = asked("rules", "list", **place)
    assert (answer.exit_code, "'--lang'" in answer.output) == (2, True)


def test_words_of_click_are_current() -> None:
    """The file that gettext reads is made of `zh/click.toml` (`python -m tests.click_words` makes it)."""
    assert MADE.read_bytes() == made(words())


def test_lines_break_between_letters() -> None:
    """Chinese breaks anywhere but before a closing mark and after an opening one; names in Latin letters stay whole."""
    assert broken("按记录（docs/a.md）计分。再看", 12) == ["按记录", "（docs/a.md）", "计分。再看"]


def test_errors_speak_chinese(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error has its code, what is wrong and what to do in Chinese, the place as it is, and the exit code that it has."""
    monkeypatch.setattr("sys.argv", ["ddz", "--lang", "zh", "info", "--store", str(tmp_path / "s")])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == EXIT_FAILED
    assert capsys.readouterr().err == (
        f"错误[store_missing]：那里没有牌局库（there is no store here），{tmp_path}/s；"
        "先用 `ddz ingest` 建一个，或用 --store 指明别的库\n"
    )


def test_details_of_an_error_stay() -> None:
    """What an error says of this very case stands beside its Chinese; a code that the catalogue does not have stays English."""
    speak("zh")
    wrong = DdzError("rules_unknown", "unknown rule set 'qqclassic'", mend="nearest: qq-classic")
    told = "错误[rules_unknown]：没有这种规则（unknown rule set 'qqclassic', nearest: qq-classic）；照 `ddz rules list` 写 ID，或写 .toml 文件"
    assert error_line(wrong) == told
    assert error_line(DdzError("of_a_plugin", "what it says")) == "error[of_a_plugin]: what it says"


def test_summaries_speak_chinese(tmp_path: Path) -> None:
    """What a command says it did is Chinese, with codes and numbers as they are; what goes to machines is the same."""
    log, store = tmp_path / "bad.jsonl", str(tmp_path / "s")
    log.write_text("{}\n", "utf-8")
    told = asked("ingest", str(log), "--format", "ddz/1", "--store", store, DDZ_LANG="zh").output
    assert (
        "合计：读到 1 = 入库 0 + 重复 0 + 被拒 1 + 跳过 0\n  1 条 missing_field（缺少必有的字段），首例 "
        in told
    )
    assert "查看被拒的记录：ddz rejected show --store " in told
    english, chinese = (
        asked("rejected", "list", "--json", "--store", store, "--lang", lang).stdout for lang in ("en", "zh")
    )
    assert english == chinese and "missing_field" in english


def titles() -> Iterator[str]:
    """The titles of tables in the functions that give some by their titles."""
    for function in ast.walk(ast.parse(inspect.getsource(compared))):
        if not isinstance(function, ast.FunctionDef) or function.returns is None:
            continue
        if ast.unparse(function.returns) == "dict[str, pa.Table]":
            for found in (node for node in ast.walk(function) if isinstance(node, ast.Dict)):
                yield from (key.value for key in found.keys if isinstance(key, ast.Constant))  # type: ignore[misc]


def test_titles_are_there_in_chinese() -> None:
    """Every table of a comparison has a Chinese title, those by a column too; JSON and CSV keep the English ones."""
    assert {*titles(), compared.RECONCILED} - chinese("titles").keys() == set()
    speak("zh")
    assert [spoken_title(title) for title in ("house", "by table_id")] == [
        "系统",
        "按 table_id 分组",
    ]
    tables = {"house": pa.table({"rake": [1]})}
    assert [*titled(tables, "table", "chained")] == ["系统（余额逐局推算）"]
    assert [*titled(tables, "csv", "chained")] == ["house (chained balances)"]
    assert [*titled(tables, "json", "chained")] == ["house"]


def test_every_text_is_there_in_both_languages() -> None:
    """Every text has every language, and no other places to fill in."""
    for key, said in {**texts(), **command_texts()}.items():
        assert said.keys() == set(LANGUAGES), key
        places = {
            lang: {name for _, name, _, _ in Formatter().parse(text) if name} for lang, text in said.items()
        }
        # what a code means stands beside it in Chinese; in English the code says it
        assert places["zh"] - {"what"} <= places["en"], key
