"""What goes wrong, told in the language of this process: the code stays, and so do names, files and lines."""

from __future__ import annotations

from ddz_analytics.errors import DdzError, one_line
from ddz_analytics.locale import code_text, language, said


def error_line(error: DdzError) -> str:
    """The single line of an error.

    In another language than English its code says what is wrong and what to do; the English words, which have the names and
    numbers of this very case, stand beside that in brackets.
    """
    lang = language()
    what = "" if lang == "en" else code_text("error", error.code, "what", lang)
    if not what:
        return str(error)
    cure = code_text("error", error.code, "cure", "en")
    detail = ", ".join(part for part in (error.what, error.mend if error.mend != cure else "") if part)
    return one_line(
        said(
            "error.line_at" if error.where else "error.line",
            code=error.code, what=what, detail=detail, where=error.where, cure=code_text("error", error.code, "cure", lang),
        )
    )  # fmt: skip
