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
from scoring.cash.texts import FINE_NAMES, format_euros, format_short_amount

from .rules import FINE, Part, Points, TariffFine


def get_fine_name(content: Mapping[str, Any], code: str) -> str:
    own = content.get("fines", {}).get(code, {}).get("name")
    return str(own or FINE_NAMES.get(code) or code)


def describe_fine(fine: TariffFine) -> str:
    if fine.open:
        return _("was eingetragen wird")
    if fine.steps:
        steps = "; ".join(_describe_step(place, *step) for place, step in enumerate(fine.steps))
        return _("je verlorenem Spiel: %(steps)s") % {"steps": steps} if fine.lost_games else steps
    if fine.minutes:
        sentence = _("%(amount)s je angefangene %(minutes)s Minuten")
        found = sentence % {"amount": format_euros(fine.cents), "minutes": fine.minutes}
        return found if fine.cap is None else _("%(cost)s, höchstens %(cap)s") % {"cost": found, "cap": format_euros(fine.cap)}
    return format_euros(fine.cents)


def describe_fine_briefly(fine: TariffFine) -> str:
    """Describe the price of a fine for a button, shorter for a fine by minutes."""
    if not fine.minutes or fine.open or fine.steps:
        return describe_fine(fine)
    price = _("%(amount)s je %(minutes)s Min.") % {"amount": format_euros(fine.cents), "minutes": fine.minutes}
    if fine.cap is None:
        return price
    cap = _("%(amount)s €").replace(" ", "\u00a0") % {"amount": format_short_amount(fine.cap)}
    return _("%(cost)s, bis %(cap)s") % {"cost": price, "cap": cap}


def _describe_step(place: int, many: int | None, cents: int) -> str:
    values = {"many": many, "amount": format_euros(cents)}
    if many is None:
        return (_("alle weiteren je %(amount)s") if place else _("je %(amount)s")) % values
    return (_("die nächsten %(many)s je %(amount)s") if place else _("die ersten %(many)s je %(amount)s")) % values


KIND_NAMES: Final[Mapping[str, Any]] = {
    "points": gettext_lazy("Punkte"),
    "pot": gettext_lazy("Topf"),
    "fee": gettext_lazy("Abendbeitrag"),
    "guest": gettext_lazy("Gastbeitrag"),
    "host": gettext_lazy("Gastgeber"),
    "drinks": gettext_lazy("Getränke"),
    "absence": gettext_lazy("Gefehlt"),
}


def get_kind_name(content: Mapping[str, Any], kind: str) -> str:
    return get_fine_name(content, kind.removeprefix(FINE)) if kind.startswith(FINE) else str(KIND_NAMES.get(kind, kind))


# Titles, each with its sentences.
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


def build_sections(tariff: Tariff) -> Sections:
    """Describe a tariff, part by part; a part that charges nothing is left out."""
    found = [
        (_("Punkte"), list(_describe_points(tariff))),
        (_("Topf an Tischen in Cent"), list(_describe_pot(tariff))),
        (_("Der Abend"), list(_describe_evening(tariff))),
        (_("Getränke"), list(_describe_drinks(tariff))),
        (_("Strafgelder"), list(_describe_fines(tariff))),
        (_("Wer fehlt"), list(_describe_absence(tariff))),
        (_("Beiträge"), list(_describe_dues(tariff))),
    ]
    return [(title, sentences) for title, sentences in found if sentences]


def compare_sections(older: Tariff, newer: Tariff) -> list[tuple[str, list[str], list[str]]]:
    """List the parts that differ between two versions, with the sentences of both."""
    was, now = dict(build_sections(older)), dict(build_sections(newer))
    titles = list(dict.fromkeys([*was, *now]))
    return [(title, was.get(title, []), now.get(title, [])) for title in titles if was.get(title) != now.get(title)]


def format_rate(rate: Fraction) -> str:
    """Format cents per point: as a decimal number if that is exact, otherwise as a fraction."""
    thousandths = rate * 1000
    if thousandths.denominator == 1:
        return f"{Decimal(int(thousandths)).scaleb(-3).normalize():f}".replace(".", ",")
    return f"{rate.numerator}/{rate.denominator}"


def _describe_points(tariff: Tariff) -> Iterator[str]:
    points = tariff.rules.points
    if points is None:
        return
    yield _describe_scheme(points)
    if points.beyond is not None:
        values = {"beyond": points.beyond, "rate": format_rate(points.dearer)}
        yield _("Hat jemand mehr als %(beyond)s Punkte, plus oder minus, kostet ein Punkt %(rate)s ct.") % values
    if points.scope != "evening":
        yield str(SCOPES[points.scope])
    if points.round != Rounding():
        yield describe_rounding(points.round)
    if points.cap is not None:
        yield _("Höchstens %(amount)s je Person und Abend.") % {"amount": format_euros(points.cap)}
    if not points.guests:
        yield _("Die Punkte der Gäste zählen nicht mit.")


def _describe_scheme(points: Points) -> str:
    values = {"rate": format_rate(points.rate)}
    match points.scheme:
        case "each":
            return _("Jeder rechnet mit jedem ab: %(rate)s ct je Punkt Unterschied.") % values
        case "best":
            return _("Jeder zahlt %(rate)s ct je Punkt, den er hinter dem Besten liegt, in die Kasse.") % values
        case "better":
            return _("Jeder zahlt %(rate)s ct je Punkt hinter jedem, der besser war, in die Kasse.") % values
        case "rank":
            amounts = ", ".join(map(format_euros, points.amounts))
            return _("Jeder zahlt nach dem Platz: %(amounts)s.") % {"amounts": amounts}
    if points.winners == 1:
        return _("%(rate)s ct je Minuspunkt, an die mit Pluspunkten.") % values
    if points.winners:
        values["part"] = f"{points.winners.numerator}/{points.winners.denominator}"
        return _("%(rate)s ct je Minuspunkt: %(part)s an die mit Pluspunkten, der Rest in die Kasse.") % values
    return _("%(rate)s ct je Minuspunkt in die Kasse.") % values


def describe_rounding(how: Rounding) -> str:
    sentences = {
        "nearest": _("Gerundet auf %(cents)s ct."),
        "down": _("Abgerundet auf %(cents)s ct."),
        "up": _("Aufgerundet auf %(cents)s ct."),
    }
    return sentences[how.how] % {"cents": how.to}


def _describe_pot(tariff: Tariff) -> Iterator[str]:
    pot = tariff.rules.pot
    if pot is None:
        return
    values = {"buy_in": format_euros(pot["buy_in"]), "top_up": format_euros(pot["top_up"])}
    yield _("Einkauf %(buy_in)s.") % values
    if pot["empty"] == "charge":
        yield _("Reicht der Topf nicht, legt jeder am Tisch %(top_up)s nach.") % values
    else:
        yield _("Der Topf darf ins Minus.")
    yield _("Was übrig bleibt, wird geteilt.") if pot["rest"] == "split" else _("Was übrig bleibt, gehört der Kasse.")


def _describe_evening(tariff: Tariff) -> Iterator[str]:
    rules = tariff.rules
    if rules.fee and rules.fee["cents"]:
        values = {"amount": format_euros(rules.fee["cents"])}
        yield (
            _("Abendbeitrag %(amount)s für jedes Mitglied, auch wer fehlt.") % values
            if rules.fee["absent"]
            else _("Abendbeitrag %(amount)s für jedes Mitglied, das da ist.") % values
        )
    if rules.guests["cents"]:
        yield _("Ein Gast kostet %(amount)s.") % {"amount": format_euros(rules.guests["cents"])}
    if "guests" in tariff.content:
        yield str(PAYERS[rules.guests["payer"]])
    if rules.host:
        values = {"amount": format_euros(rules.host["cents"])}
        yield (
            _("Der Gastgeber bekommt %(amount)s aus der Kasse.") % values
            if rules.host["from"] == "club"
            else _("Dem Gastgeber zahlt jedes andere Mitglied, das da ist, %(amount)s.") % values
        )


def _describe_drinks(tariff: Tariff) -> Iterator[str]:
    drinks = tariff.rules.drinks
    if drinks["flat"]:
        yield _("%(amount)s für jeden, der da ist.") % {"amount": format_euros(drinks["flat"])}
    if drinks["list"]:
        yield ", ".join(f"{code} {format_euros(cents)}" for code, cents in drinks["list"].items()) + "."
    if drinks["shared"]:
        yield _("Die Rechnung wird geteilt.")


def _describe_fines(tariff: Tariff) -> Iterator[str]:
    for code, fine in tariff.rules.fines.items():
        yield f"{get_fine_name(tariff.content, code)}: {describe_fine(fine)}."


def _describe_absence(tariff: Tariff) -> Iterator[str]:
    absence = tariff.rules.absence
    if absence is None:
        return
    for title, cost in ((_("Entschuldigt"), absence["excused"]), (_("Unentschuldigt"), absence["unexcused"])):
        if any(cost.values()):
            yield f"{title}: {_describe_absent(cost)}."
    if absence["round"] != Rounding():
        yield describe_rounding(absence["round"])


def _describe_absent(cost: Part) -> str:
    parts = []
    if cost["average"]:
        named = ", ".join(str(AVERAGED[part]) for part in cost["average"])
        parts.append(_("der Durchschnitt der Anwesenden (%(parts)s)") % {"parts": named})
    if cost["plus"]:
        parts.append(format_euros(cost["plus"]))
    return " + ".join(parts)


def _describe_dues(tariff: Tariff) -> Iterator[str]:
    dues = tariff.rules.dues
    if dues and dues["cents"]:
        every = {
            "month": _("%(amount)s im Monat."),
            "quarter": _("%(amount)s im Quartal."),
            "year": _("%(amount)s im Jahr."),
        }
        yield every[dues["every"]] % {"amount": format_euros(dues["cents"])}
        if dues["reduced"]:
            yield _("Ermäßigt %(amount)s.") % {"amount": format_euros(dues["reduced"])}
        if dues["when"] == "no_evening":
            yield _("Nur in Monaten ohne Abend.")
    if joining := tariff.content.get("joining"):
        yield _("Eintrittsgeld %(amount)s.") % {"amount": format_euros(joining["cents"])}
