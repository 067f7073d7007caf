"""Special points in words: how much each counts, how often, in which games and for whom; and where they are counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from .parts import About, Say, amount, choice, listed, special_name, when, word_name

OF: Final = {
    "party": gettext_noop("wer ihn macht"),
    "re": gettext_noop("nur Re"),
    "kontra": gettext_noop("nur Kontra"),
    "game": gettext_noop("der Gewinner, gleich wer ihn macht"),
}
_TOLD_OF: Final = {
    "re": gettext_noop("nur für Re"),
    "kontra": gettext_noop("nur für Kontra"),
    "game": gettext_noop("für den Gewinner, gleich wer ihn macht"),
}
TIMES: Final = {
    1: gettext_noop("zählt einfach"),
    2: gettext_noop("verdoppelt"),
    3: gettext_noop("verdreifacht"),
    4: gettext_noop("vervierfacht"),
}


def _specials(value: Mapping[str, Any], about: About) -> str:
    if not value:
        return _("Sonderpunkte gibt es nicht.")
    each = (_special(special, row, about) for special, row in value.items())
    return _("Sonderpunkte: %(specials)s.") % {"specials": listed(each)}


def _special(special: str, row: Any, about: About) -> str:
    row = row if isinstance(row, Mapping) else {"points": row}
    name, idle = special_name(special, about.specials), not counts(row)
    if not idle:
        told = _("%(special)s %(amount)s") % {"special": name, "amount": _points(row["points"], about)}
    elif special in about.starts:
        told = _("%(special)s löst Bock aus") % {"special": name}
    else:
        told = _("%(special)s wird nur notiert") % {"special": name}
    more = []
    if "most" in row:
        more.append(_("höchstens %(most)s") % row)
    if "most_party" in row:
        more.append(_("je Partei höchstens %(most_party)s") % row)
    if "kinds" in row:
        more.append(_("nur: %(kinds)s") % {"kinds": listed(word_name(word, about.kinds) for word in row["kinds"])})
    if row.get("of", "party") != "party":
        more.append(_("gleich wer ihn macht") if idle and row["of"] == "game" else _(_TOLD_OF[row["of"]]))
    return f"{told} ({'; '.join(more)})" if more else told


def counts(row: Any) -> bool:
    """Return whether a special point is worth anything."""
    points = row["points"] if isinstance(row, Mapping) else row
    return isinstance(points, Mapping) or any(points if isinstance(points, (list, tuple)) else [points])


def _points(value: Any, about: About) -> str:
    if isinstance(value, Mapping):
        return _(TIMES[value["times"]])
    if isinstance(value, int):
        return amount(value, about.unit)
    # The first one, the second one and so on.
    return _("%(first)s, weitere %(more)s") % {
        "first": amount(value[0], about.unit),
        "more": "/".join(map(str, value[1:] or value)),
    }


SENTENCES: Final[dict[str, Say]] = {
    "specials": _specials,
    "specials_when": lambda value, about: (
        _("Sonderpunkte werden %(when)s gerechnet.") % {"when": when(value)}
        if value != "paid"
        else _("Sonderpunkte werden einzeln ausgezahlt und verändern den Wert des Spiels nicht.")
    ),
    "specials_in_solo": choice(
        {
            "none": gettext_lazy("Im Solo gibt es keine Sonderpunkte."),
            "all": gettext_lazy("Im Solo zählen alle Sonderpunkte."),
            "by_kind": gettext_lazy("Im Solo zählen die Sonderpunkte, die zu seinen Trümpfen passen."),
        }
    ),
    "special_payer": choice(
        {
            "kasse": gettext_lazy("Einzeln ausgezahlte Sonderpunkte zahlt die Kasse."),
            "players": gettext_lazy("Einzeln ausgezahlte Sonderpunkte zahlen die Gegner."),
        }
    ),
}
