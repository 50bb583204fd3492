"""Files that say how to work: mappings, rule files and keys, which are small."""

from __future__ import annotations

from pathlib import Path

from ddz_analytics.errors import UsageError

LARGEST = 4 << 20  # bytes


def read_settings(path: Path) -> bytes:
    """The bytes of a small file or pipe; raises OSError, and UsageError `settings_file` for a device or more than `LARGEST` bytes."""
    if path.is_char_device() or path.is_block_device():
        raise UsageError("settings_file", "a device is no mapping, rule file or key", where=str(path))
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        what = f"more than {LARGEST >> 20} MB are no mapping, rule file or key"
        raise UsageError("settings_file", what, where=str(path))
    return content
