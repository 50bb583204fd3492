"""A document as a hand, by the bounds that the structs of `ddz/1` have."""

from __future__ import annotations

from typing import Any

import msgspec

from ddz_analytics.errors import BadRecord
from ddz_analytics.hands import Hand
from ddz_analytics.parsers.base import struct_fault


def hand_of(document: dict[str, Any], where: str) -> Hand:
    """The hand of a document; raises BadRecord with its place."""
    extra = document.pop("_extra", None)
    try:
        hand = msgspec.convert(document, Hand, strict=True)
    except msgspec.ValidationError as error:
        fault = struct_fault(error, Hand.__struct_encode_fields__)
        raise BadRecord(fault.code, f"{fault.detail} - of {where}") from None
    if extra:
        hand.extra = extra
    return hand
