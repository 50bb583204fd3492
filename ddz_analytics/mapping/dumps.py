"""Rows of the INSERT statements of an SQL dump, as MySQL and PostgreSQL write them, read strictly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from ddz_analytics.mapping.formats import ESCAPED, MEANT, NamedRow, Row, TableFormat, fault_of_text
from ddz_analytics.mapping.sqltokens import Token, Tokens
from ddz_analytics.parsers.base import KEPT_BYTES

_NO_COLUMNS = {"PRIMARY", "KEY", "UNIQUE", "CONSTRAINT", "INDEX", "FULLTEXT", "SPATIAL", "CHECK", "FOREIGN", "EXCLUDE", "LIKE"}  # fmt: skip
_WORDS: dict[str, str | None] = {"NULL": None, "TRUE": "true", "FALSE": "false"}
_END = ("", ";")
_NO_ROWS = ("SELECT", "WITH", "TABLE", "SET")  # what an INSERT may have in the place of VALUES
_AFTER_ROWS = {"ON", "AS", "RETURNING"}
_CHANGING = {"UPDATE", "DELETE", "TRUNCATE", "DROP"}  # rows that were inserted before
_ADDING = {"MERGE", "LOAD", "WITH"}


def read_dump(stream: BinaryIO, how: TableFormat) -> Iterator[NamedRow]:
    """Every row that is inserted into the table `how.dumped`; one with a value that is no number, text or NULL is a fault."""
    tokens = Tokens(stream, how.encoding, how.escape)
    try:
        yield from _Dump(tokens, how).rows()
    finally:
        tokens.detach()


class _Dump:
    """The statements of a dump; `_columns` are those of the table, as far as something named them."""

    def __init__(self, tokens: Tokens, how: TableFormat) -> None:
        self._tokens = tokens
        self._how = how
        self._columns = tuple(how.columns)
        self._any = False  # rows were inserted

    def rows(self) -> Iterator[NamedRow]:
        """The rows of all statements."""
        while (token := next(self._tokens)).kind:
            word = token.text.upper()
            if word in ("INSERT", "REPLACE"):
                yield from self._inserted()
            elif word == "CREATE":
                yield from self._created()
            elif word == "COPY":
                yield from self._copied()
            elif word in _CHANGING | _ADDING:
                yield from self._changed(word)
            elif token.text != ";":
                self._skip_statement(token)
            self._tokens.begin()
        if self._tokens.broken:
            yield (), Row(None, self._tokens.line, b"", "truncated", "a text that does not end")

    def _inserted(self) -> Iterator[NamedRow]:
        token = self._until_word("INTO")
        name, token = self._name(next(self._tokens)) if token.text else ("", token)
        if not self._is_wanted(name):
            self._skip_statement(token)
            return
        columns = self._columns
        if token.text == "(":
            columns, token = self._listed(), next(self._tokens)
        while token.text not in _END and token.text.upper() not in ("VALUES", "VALUE", *_NO_ROWS):
            token = next(self._tokens)
        some = False
        while token.text.upper() in ("VALUES", "VALUE"):  # OVERRIDING SYSTEM VALUE VALUES
            token = next(self._tokens)
        while token.text == "(":
            self._any = some = True
            yield columns, self._row(len(columns))
            token = next(self._tokens)
            token = next(self._tokens) if token.text == "," else token
        if not some or (token.text not in _END and token.text.upper() not in _AFTER_ROWS):
            yield self._unread("INSERT statement without VALUES")
        self._skip_statement(token)

    def _unread(self, what: str) -> NamedRow:
        """A statement that changes the table and is not read."""
        detail = f"{what}: only INSERT statements with VALUES are read"
        return (), Row(None, self._tokens.line, b"", "unsupported_mode", detail)

    def _changed(self, word: str) -> Iterator[NamedRow]:
        """A statement that changes rows of the table after they were inserted, or adds some in another way."""
        token, words, is_ours = next(self._tokens), set[str](), False
        while token.text not in _END:
            if token.kind in ("word", "name"):
                words.add(token.text.upper())
                name, token = self._name(token)
                is_ours |= self._is_wanted(name)
            else:
                token = next(self._tokens)
        changes = word in _CHANGING and self._any and (word != "DROP" or "TABLE" in words)
        adds = word in _ADDING and (word != "WITH" or bool(words & {"INSERT", "MERGE", *_CHANGING}))
        if is_ours and (changes or adds):
            yield self._unread(f"{word} of the table")

    def _row(self, columns: int) -> Row:
        """The values between the parenthesis that was read and the one that closes it."""
        self._tokens.begin("(")
        line, detail = self._tokens.line, ""
        values: list[str | None] = []
        token = Token("mark", ",")
        while token.text == "," and not detail and len(values) <= columns:
            value, token, detail = self._value()
            values.append(value)
        if token.text != ")":
            ends = f"{token.text!r} where a value ends"
            detail = detail or (f"more values than the {columns} columns" if token.text == "," else ends)
            self._skip_parenthesis(token)
        text = self._tokens.taken
        raw = text.encode(self._how.encoding, "surrogateescape")
        if not columns:
            detail = "the dump does not name the columns: say `columns`"
        elif not detail and len(values) != columns:
            detail = f"{len(values)} values where there are {columns} columns"
        if detail:
            return Row(None, line, raw[:KEPT_BYTES], "bad_row", detail)
        return Row(tuple(values), line, raw, *fault_of_text(text, self._how.encoding))

    def _value(self) -> tuple[str | None, Token, str]:
        """A value, the token after it, and what is wrong with it."""
        token = next(self._tokens)
        word = token.text.upper()
        value = _WORDS.get(word, token.text)
        if token.kind == "string":
            value = _unquoted(token.text, self._how.escape)
        elif token.kind != "number" and word not in _WORDS:
            return None, token, f"{token.text!r} is no number, text or NULL"
        after = next(self._tokens)
        return value, self._past_cast() if after.text == "::" else after, ""

    def _past_cast(self) -> Token:
        """The token after the name of a type."""
        token = next(self._tokens)
        while token.kind in ("word", "name") or token.text in ("(", "."):
            if token.text == "(":
                self._skip_parenthesis(next(self._tokens))
            token = next(self._tokens)
        return token

    def _created(self) -> Iterator[NamedRow]:
        """Learn the columns of the table, if nobody else says them; a table that is made of a query has rows that are not read."""
        token = self._until_word("TABLE")
        if token.text in _END:
            return
        token = next(self._tokens)
        while token.text.upper() in ("IF", "NOT", "EXISTS"):
            token = next(self._tokens)
        name, token = self._name(token)
        if not self._is_wanted(name):
            self._skip_statement(token)
            return
        if token.text == "(":
            listed, token = self._listed(), next(self._tokens)
            self._columns = self._columns if self._how.columns else listed
        while token.text not in _END and token.text.upper() != "SELECT":
            token = next(self._tokens)
        if token.text not in _END:
            yield self._unread("CREATE TABLE with SELECT")
        self._skip_statement(token)

    def _copied(self) -> Iterator[NamedRow]:
        name, token = self._name(next(self._tokens))
        reads_input = False
        while token.text not in _END:
            token = next(self._tokens)
            reads_input |= token.text.upper() == "STDIN"
        if self._is_wanted(name):
            yield self._unread("COPY")
        if reads_input:
            self._tokens.skip_copied()

    def _listed(self) -> tuple[str, ...]:
        """The names that begin the items of a parenthesis that was opened, but for those of keys and constraints."""
        names: list[str] = []
        begins, token = True, next(self._tokens)
        while token.kind and token.text != ")":
            if begins and (token.kind == "name" or token.text.upper() not in _NO_COLUMNS):
                names.append(_plain(token))
            if token.text == "(":
                self._skip_parenthesis(next(self._tokens))
            begins, token = token.text == ",", next(self._tokens)
        return tuple(names)

    def _until_word(self, word: str) -> Token:
        """Read up to a word of the statement, or to its end."""
        token = next(self._tokens)
        while token.text.upper() != word and token.text not in _END:
            token = next(self._tokens)
        return token

    def _name(self, token: Token) -> tuple[str, Token]:
        """A name, perhaps of several parts, and the token after it."""
        parts = [_plain(token)]
        token = next(self._tokens)
        while token.text == ".":
            parts.append(_plain(next(self._tokens)))
            token = next(self._tokens)
        return ".".join(parts), token

    def _is_wanted(self, name: str) -> bool:
        return self._how.dumped in (name, name.rpartition(".")[2])

    def _skip_statement(self, token: Token) -> None:
        while token.text not in _END:
            token = next(self._tokens)

    def _skip_parenthesis(self, token: Token) -> None:
        """Read up to the end of a parenthesis, of which a token was read."""
        depth = 1
        while token.kind and depth:
            depth += (token.text == "(") - (token.text == ")")
            if depth:
                token = next(self._tokens)


def _plain(token: Token) -> str:
    quote = token.text[:1]
    return token.text[1:-1].replace(quote * 2, quote) if token.kind == "name" else token.text


def _unquoted(text: str, escape: str) -> str:
    """The text within quotes; `E` before them says that the backslash escapes."""
    prefix, _, rest = text.partition("'")
    inner = rest[:-1].replace("''", "'")
    if escape or prefix in ("e", "E"):
        return ESCAPED.sub(lambda match: MEANT.get(match[1], match[1]), inner)
    return inner
