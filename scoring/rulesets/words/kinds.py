"""What is different in single games, and the kinds of a club's own: one entry for each word that a rule set has a row for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from scoring.rules.constants import RAMSCH

from .parts import About, about, amount, word_name
from .settings import value_sentence


def row_sentences(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each row of `per_kind` that says something, under `per_kind.<word>`."""
    known = about(settings)
    return [(f"per_kind.{word}", row_sentence(word, row, known)) for word, row in settings.get("per_kind", {}).items() if row]


def row_sentence(word: str, row: Mapping[str, Any], known: About) -> str:
    """What holds in games of this kind alone, after the kind's name and what it is like."""
    title = word_name(word, known.kinds)
    if "like" in row and (like := word_name(row["like"], {})) != title:
        title = _("%(kind)s, gespielt wie %(like)s") % {"kind": title, "like": like}
    elif "name" in row and "like" not in row:
        title = f"{title} ({word_name(word, {})})"
    said = [_said(key, value, known, row) for key, value in row.items() if key not in ("name", "like")]
    return f"{title}: {' '.join(said)}" if said else f"{title}."


def _said(key: str, value: Any, known: About, row: Mapping[str, Any]) -> str:
    if key == "won" and row.get("like") == RAMSCH:
        # Nobody wins it, unless somebody takes everything.
        return _("Verloren zählt %(amount)s.") % {"amount": amount(value, known.unit)}
    return value_sentence(key, value, known)
