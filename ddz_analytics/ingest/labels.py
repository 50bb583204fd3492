"""The names under which a store knows files: no two files have the same one."""

from __future__ import annotations

import os
import re
import zipfile

STDIN = "-"
_MEMBER = "!"  # between the name of a zip file and that of its member
_ESCAPE = re.compile(rb"\\x[0-9a-f]{2}")
_NAME_IS_UTF8 = 0x800


def file_label(path: str | os.PathLike[str]) -> str:
    """The name of a file: its path, in which escapes stand for bytes that are no UTF-8, and for what would look like another name."""
    name = os.fsencode(path)
    return _escaped(name, STDIN.encode() if name == STDIN.encode() else _MEMBER.encode())


def member_label(archive: str, member: zipfile.ZipInfo) -> str:
    """The name of a member of a zip file, whose bytes count where it does not say that it is UTF-8."""
    is_utf8 = bool(member.flag_bits & _NAME_IS_UTF8)
    return f"{archive}{_MEMBER}{_escaped(member.filename.encode('utf-8' if is_utf8 else 'cp437'))}"


def is_hidden(name: str) -> bool:
    """Whether a member, or a folder that it is in, is hidden."""
    return any(part.startswith(".") and part != ".." for part in name.split("/"))


def leads_out(name: str) -> bool:
    """Whether the name of a member is that of a place outside of the folder that one unpacks it in."""
    return name.startswith("/") or ".." in name.split("/") or "\\" in name or ":" in name


def _escaped(name: bytes, reserved: bytes = b"") -> str:
    """Some bytes as text, escaped so that other bytes give other text; most names are as they are."""
    if _is_utf8(name) and not _ESCAPE.search(name) and not (reserved and reserved in name):
        return name.decode()
    for mark in (b"\\", *([reserved] if reserved else [])):
        name = name.replace(mark, f"\\x{mark[0]:02x}".encode())
    return name.decode("utf-8", "backslashreplace")


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True
