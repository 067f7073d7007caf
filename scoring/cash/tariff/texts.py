"""A tariff in sentences, part by part; its fines; what differs between two versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.models import Tariff
from scoring.cash.rules.money import Rounding
from scoring.cash.texts import FINES, euros, short_euros

from .rules import FINE, Absent, Points, TariffFine


def fine_name(content: Mapping[str, Any], code: str) -> str:
    """What a fine of a tariff is called."""
    own = content.get("fines", {}).get(code, {}).get("name")
    return str(own or FINES.get(code) or code)


def fine_said(fine: TariffFine) -> str:
    """What a fine costs."""
    if fine.open:
        return _("was eingetragen wird")
    if fine.steps:
        said = "; ".join(_step_said(place, *step) for place, step in enumerate(fine.steps))
        return _("je verlorenem Spiel: %(steps)s") % {"steps": said} if fine.lost_games else said
    if fine.minutes:
        said = _("%(amount)s je angefangene %(minutes)s Minuten")
        found = said % {"amount": euros(fine.cents), "minutes": fine.minutes}
        return found if fine.cap is None else _("%(cost)s, höchstens %(cap)s") % {"cost": found, "cap": euros(fine.cap)}
    return euros(fine.cents)


def fine_in_short(fine: TariffFine) -> str:
    """What a fine costs, for a button: a fine by minutes without its legal words."""
    if not fine.minutes or fine.open or fine.steps:
        return fine_said(fine)
    said = _("%(amount)s je %(minutes)s Min.") % {"amount": euros(fine.cents), "minutes": fine.minutes}
    if fine.cap is None:
        return said
    cap = _("%(amount)s €").replace(" ", "\u00a0") % {"amount": short_euros(fine.cap)}
    return _("%(cost)s, bis %(cap)s") % {"cost": said, "cap": cap}


def _step_said(place: int, many: int | None, cents: int) -> str:
    said = {"many": many, "amount": euros(cents)}
    if many is None:
        return (_("alle weiteren je %(amount)s") if place else _("je %(amount)s")) % said
    return (_("die nächsten %(many)s je %(amount)s") if place else _("die ersten %(many)s je %(amount)s")) % said


KINDS: Final[Mapping[str, Any]] = {
    "points": gettext_lazy("Punkte"),
    "pot": gettext_lazy("Topf"),
    "fee": gettext_lazy("Abendbeitrag"),
    "guest": gettext_lazy("Gastbeitrag"),
    "host": gettext_lazy("Gastgeber"),
    "drinks": gettext_lazy("Getränke"),
    "absence": gettext_lazy("Gefehlt"),
}


def kind_name(content: Mapping[str, Any], kind: str) -> str:
    """What the legs of a kind are for."""
    return fine_name(content, kind.removeprefix(FINE)) if kind.startswith(FINE) else str(KINDS.get(kind, kind))


# Titles and sentences.
Sections = list[tuple[str, list[str]]]
SCOPES: Final[Mapping[str, Any]] = {
    "table": gettext_lazy("Verglichen wird je Tisch."),
    "game": gettext_lazy("Verglichen wird Spiel für Spiel."),
}
PAYERS: Final[Mapping[str, Any]] = {
    "guest": gettext_lazy("Gäste zahlen selbst."),
    "bringer": gettext_lazy("Für Gäste zahlt, wer sie mitgebracht hat."),
    "host": gettext_lazy("Für Gäste zahlt der Gastgeber."),
    "club": gettext_lazy("Für Gäste zahlt die Kasse."),
}
AVERAGED: Final[Mapping[str, Any]] = {
    "points": gettext_lazy("Punkte"),
    "pot": gettext_lazy("Topf"),
    "fines": gettext_lazy("Strafgelder"),
    "drinks": gettext_lazy("Getränke"),
}


def sections(tariff: Tariff) -> Sections:
    """What a tariff says; nothing of a part that charges nothing."""
    found = [
        (_("Punkte"), list(_points(tariff))),
        (_("Topf an Tischen in Cent"), list(_pot(tariff))),
        (_("Der Abend"), list(_evening(tariff))),
        (_("Getränke"), list(_drinks(tariff))),
        (_("Strafgelder"), list(_fines(tariff))),
        (_("Wer fehlt"), list(_absence(tariff))),
        (_("Beiträge"), list(_dues(tariff))),
    ]
    return [(title, sentences) for title, sentences in found if sentences]


def differences(older: Tariff, newer: Tariff) -> list[tuple[str, list[str], list[str]]]:
    """The parts that two versions say differently: what it was, and what it is."""
    was, now = dict(sections(older)), dict(sections(newer))
    titles = list(dict.fromkeys([*was, *now]))
    return [(title, was.get(title, []), now.get(title, [])) for title in titles if was.get(title) != now.get(title)]


def rate_said(rate: Fraction) -> str:
    """Cents for a point: as a number with a comma where that is exact, else as a fraction."""
    thousandths = rate * 1000
    if thousandths.denominator == 1:
        return f"{Decimal(int(thousandths)).scaleb(-3).normalize():f}".replace(".", ",")
    return f"{rate.numerator}/{rate.denominator}"


def _points(tariff: Tariff) -> Iterator[str]:
    points = tariff.rules.points
    if points is None:
        return
    yield _scheme(points)
    if points.beyond is not None:
        said = {"beyond": points.beyond, "rate": rate_said(points.dearer)}
        yield _("Hat jemand mehr als %(beyond)s Punkte, plus oder minus, kostet ein Punkt %(rate)s ct.") % said
    if points.scope != "evening":
        yield str(SCOPES[points.scope])
    if points.round != Rounding():
        yield rounded(points.round)
    if points.cap is not None:
        yield _("Höchstens %(amount)s je Person und Abend.") % {"amount": euros(points.cap)}
    if not points.guests:
        yield _("Die Punkte der Gäste zählen nicht mit.")


def _scheme(points: Points) -> str:
    said = {"rate": rate_said(points.rate)}
    match points.scheme:
        case "each":
            return _("Jeder rechnet mit jedem ab: %(rate)s ct je Punkt Unterschied.") % said
        case "best":
            return _("Jeder zahlt %(rate)s ct je Punkt, den er hinter dem Besten liegt, in die Kasse.") % said
        case "better":
            return _("Jeder zahlt %(rate)s ct je Punkt hinter jedem, der besser war, in die Kasse.") % said
        case "rank":
            amounts = ", ".join(map(euros, points.amounts))
            return _("Jeder zahlt nach dem Platz: %(amounts)s.") % {"amounts": amounts}
    if points.winners == 1:
        return _("%(rate)s ct je Minuspunkt, an die mit Pluspunkten.") % said
    if points.winners:
        said["part"] = f"{points.winners.numerator}/{points.winners.denominator}"
        return _("%(rate)s ct je Minuspunkt: %(part)s an die mit Pluspunkten, der Rest in die Kasse.") % said
    return _("%(rate)s ct je Minuspunkt in die Kasse.") % said


def rounded(how: Rounding) -> str:
    sentences = {
        "nearest": _("Gerundet auf %(cents)s ct."),
        "down": _("Abgerundet auf %(cents)s ct."),
        "up": _("Aufgerundet auf %(cents)s ct."),
    }
    return sentences[how.how] % {"cents": how.to}


def _pot(tariff: Tariff) -> Iterator[str]:
    pot = tariff.rules.pot
    if pot is None:
        return
    said = {"buy_in": euros(pot.buy_in), "top_up": euros(pot.top_up)}
    yield _("Einkauf %(buy_in)s.") % said
    if pot.charges:
        yield _("Reicht der Topf nicht, legt jeder am Tisch %(top_up)s nach.") % said
    else:
        yield _("Der Topf darf ins Minus.")
    yield _("Was übrig bleibt, wird geteilt.") if pot.splits else _("Was übrig bleibt, gehört der Kasse.")


def _evening(tariff: Tariff) -> Iterator[str]:
    rules = tariff.rules
    if rules.fee and rules.fee.cents:
        said = {"amount": euros(rules.fee.cents)}
        yield (
            _("Abendbeitrag %(amount)s für jedes Mitglied, auch wer fehlt.") % said
            if rules.fee.absent
            else _("Abendbeitrag %(amount)s für jedes Mitglied, das da ist.") % said
        )
    if rules.guests.cents:
        yield _("Ein Gast kostet %(amount)s.") % {"amount": euros(rules.guests.cents)}
    if "guests" in tariff.content:
        yield str(PAYERS[rules.guests.payer])
    if rules.host:
        said = {"amount": euros(rules.host.cents)}
        yield (
            _("Der Gastgeber bekommt %(amount)s aus der Kasse.") % said
            if rules.host.from_club
            else _("Dem Gastgeber zahlt jedes andere Mitglied, das da ist, %(amount)s.") % said
        )


def _drinks(tariff: Tariff) -> Iterator[str]:
    drinks = tariff.rules.drinks
    if drinks.flat:
        yield _("%(amount)s für jeden, der da ist.") % {"amount": euros(drinks.flat)}
    if drinks.prices:
        yield ", ".join(f"{code} {euros(cents)}" for code, cents in drinks.prices.items()) + "."
    if drinks.shared:
        yield _("Die Rechnung wird geteilt.")


def _fines(tariff: Tariff) -> Iterator[str]:
    for code, fine in tariff.rules.fines.items():
        yield f"{fine_name(tariff.content, code)}: {fine_said(fine)}."


def _absence(tariff: Tariff) -> Iterator[str]:
    absence = tariff.rules.absence
    if absence is None:
        return
    for title, cost in ((_("Entschuldigt"), absence.excused), (_("Unentschuldigt"), absence.unexcused)):
        if cost != Absent():
            yield f"{title}: {_absent(cost)}."
    if absence.round != Rounding():
        yield rounded(absence.round)


def _absent(cost: Absent) -> str:
    parts = []
    if cost.average:
        named = ", ".join(str(AVERAGED[part]) for part in cost.average)
        parts.append(_("der Durchschnitt der Anwesenden (%(parts)s)") % {"parts": named})
    if cost.plus:
        parts.append(euros(cost.plus))
    return " + ".join(parts)


def _dues(tariff: Tariff) -> Iterator[str]:
    dues = tariff.rules.dues
    if dues and dues.cents:
        every = {
            "month": _("%(amount)s im Monat."),
            "quarter": _("%(amount)s im Quartal."),
            "year": _("%(amount)s im Jahr."),
        }
        yield every[dues.every] % {"amount": euros(dues.cents)}
        if dues.reduced:
            yield _("Ermäßigt %(amount)s.") % {"amount": euros(dues.reduced)}
        if dues.without_evening:
            yield _("Nur in Monaten ohne Abend.")
    if joining := tariff.content.get("joining"):
        yield _("Eintrittsgeld %(amount)s.") % {"amount": euros(joining["cents"])}
