"""The sentences of the league: how a month is counted, the steps of a result, texts to share, messages and log entries."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import isqrt
from typing import Any, Final

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.club.models import Change, Verb
from scoring.club.queries import LOOKUPS as PEOPLE
from scoring.club.texts import (
    ChangeDescription,
    ChangeFormat,
    ChangeFormats,
    LabeledValues,
    Names,
    Values,
    describe_changes,
)
from scoring.core.formats import format_day, format_hundredths, format_month, format_points, format_short_month
from scoring.evenings import texts as evenings
from scoring.evenings.queries import LOOKUPS as EVENINGS
from scoring.league.models import Season
from scoring.play.queries import LOOKUPS as TABLES
from scoring.rules.ranking import round_half_up
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import LOOKUPS as RULE_SETS
from scoring.rulesets.texts import rule_sets as rulesets
from scoring.table import texts as table

from .queries.books import Month
from .queries.seasons import SeasonTable
from .rules import ROOT, Content, ContentRow, MonthStep, SeasonRow, Settings, is_averaged

Text = str | Promise

COUNTINGS: Final[dict[str, Text]] = {
    "points": gettext_lazy("Es zählt die Summe der Punkte."),
    "average": gettext_lazy("Es zählt der Schnitt: alle Punkte geteilt durch alle Spiele."),
    "places": gettext_lazy("Jeder Abend bringt Platzpunkte, und die werden zusammengezählt."),
}
COUNTINGS_IN_CENTS: Final[dict[str, Text]] = COUNTINGS | {
    "points": gettext_lazy("Es zählt die Summe der Cent."),
    "average": gettext_lazy("Es zählt der Schnitt: alle Cent geteilt durch alle Spiele."),
}
FEW_GAMES: Final[dict[str, Text]] = {
    "nothing": gettext_lazy("Nichts: Es zählt, was gespielt wurde."),
    "deduction": gettext_lazy("Für jedes fehlende Spiel wird etwas abgezogen."),
    "root": gettext_lazy("Der Schnitt wird gewichtet: mal Wurzel aus 4n/(n + 600), n die Zahl der Spiele."),
}
TIE_BREAKS: Final[dict[str, Text]] = {
    "points": gettext_lazy("Punkte"),
    "average": gettext_lazy("Schnitt je Spiel"),
    "wins": gettext_lazy("Siege"),
    "best": gettext_lazy("bester Abend"),
    "evenings": gettext_lazy("Abende"),
    "games": gettext_lazy("Spiele"),
}
SEASON_COUNTINGS: Final[dict[str, Text]] = {
    "sum": gettext_lazy("Die Monate zusammen: Ihre Ergebnisse werden zusammengezählt, ein Schnitt wird über alle Spiele gebildet."),
    "places": gettext_lazy("Jeder Monat bringt Platzpunkte, und die werden zusammengezählt."),
}


def format_figure(hundredths: int | None, digits: int = 2) -> str:
    """Format hundredths in the language of the reader, "–" for None. Without digits, whole numbers have no decimals."""
    if hundredths is None:
        return "–"
    if not digits and hundredths % 100 == 0:
        return format_points(hundredths // 100)
    return format_hundredths(hundredths)


def get_digits(content: Content) -> int:
    """Return the decimal places of the results of a month: 2, or 0 if all are whole."""
    results = [row["result"] for row in content["rows"] if row["result"] is not None]
    return 2 if content["settings"]["counting"] == "average" or any(result % 100 for result in results) else 0


def list_counting_sentences(settings: Settings, unit: str) -> list[str]:
    cents = unit == RuleSet.Unit.CENTS
    sentences = [str((COUNTINGS_IN_CENTS if cents else COUNTINGS)[settings["counting"]])]
    if settings["counting"] == "places":
        text = _("Ein Abend bringt %(points)s; auf einem geteilten Platz werden die Punkte geteilt.")
        sentences.append(text % {"points": _render_place_points(settings["places"])})
    if settings["best"]:
        text = ngettext("Es zählt der beste Abend.", "Es zählen die besten %(n)s Abende.", settings["best"])
        sentences.append(text % {"n": settings["best"]})
        if settings["counting"] == "average":
            sentences.append(_("Die besten sind die mit dem höchsten Schnitt."))
        sentences.append(_("Von zwei gleich guten zählt der Abend mit mehr Spielen, sonst der frühere."))
    if settings["min_evenings"]:
        text = ngettext(
            "In die Wertung kommt, wer an mindestens einem Abend da war.",
            "In die Wertung kommt, wer an mindestens %(n)s Abenden da war.",
            settings["min_evenings"],
        )
        sentences.append(text % {"n": settings["min_evenings"]})
    if settings["min_games"]:
        text = ngettext(
            "In die Wertung kommt, wer mindestens ein Spiel gespielt hat.",
            "In die Wertung kommt, wer mindestens %(n)s Spiele gespielt hat.",
            settings["min_games"],
        )
        sentences.append(text % {"n": settings["min_games"]})
    few = settings["few_games"]
    if few == ROOT:
        sentences.append(
            _("Der Schnitt wird mit der Wurzel aus 4n/(n + 600) gewichtet, n die Zahl der Spiele, und auf Hundertstel gerundet.")
        )
    elif isinstance(few, dict):
        sentences.append(_render_few_games(few, unit))
    guests = _("Gäste zählen mit.") if settings["guests"] else _("Gäste zählen nicht mit und belegen keinen Platz.")
    sentences.append(guests)
    if settings["rule_sets"]:
        sentences.append(_("Es zählen die Tische nach: %(rules)s.") % {"rules": ", ".join(settings["rule_sets"])})
    if not settings["tie_breaks"]:
        return [*sentences, _("Bei Gleichstand wird der Platz geteilt.")]
    text = _("Bei Gleichstand entscheidet der Reihe nach: %(names)s. Sind zwei auch darin gleich, teilen sie den Platz.")
    sentences.append(text % {"names": ", ".join(str(TIE_BREAKS[name]) for name in settings["tie_breaks"])})
    if settings["best"]:
        sentences.append(_("Verglichen werden Punkte, Schnitt und Siege der Abende, die zählen; alles andere von allen Abenden."))
    return sentences


def list_season_sentences(settings: Settings) -> list[str]:
    sentences = _list_averaged_sentences(settings) if is_averaged(settings) else _list_added_sentences(settings)
    if best := settings.get("season_best"):
        text = ngettext("Es zählt der beste Monat.", "Es zählen die besten %(n)s Monate.", best)
        sentences.append(text % {"n": best})
        sentences.append(_("Von zwei gleich guten zählt der frühere. Was in Klammern steht, zählt nicht."))
    if evenings := settings.get("season_min_evenings"):
        text = ngettext(
            "In die Wertung der Saison kommt, wer an mindestens einem Abend da war.",
            "In die Wertung der Saison kommt, wer an mindestens %(n)s Abenden da war.",
            evenings,
        )
        sentences.append(text % {"n": evenings})
    sentences.append(_("Gleich viele Punkte teilen den Platz; ohne Ergebnis gibt es keinen."))
    return sentences


def _list_added_sentences(settings: Settings) -> list[str]:
    sentences = [_("Die Ergebnisse der Monate werden zusammengezählt.")]
    if settings["season"] == "places":
        text = _("Ein Monat bringt %(points)s; auf einem geteilten Platz werden die Punkte geteilt.")
        sentences = [str(SEASON_COUNTINGS["places"]), text % {"points": _render_place_points(settings["season_places"])}]
    return [*sentences, _("Ein Monat ohne Platz bringt nichts außer einem Nachtrag.")]


def _list_averaged_sentences(settings: Settings) -> list[str]:
    sentences = [_("Es zählt der Schnitt über alle Spiele der Saison; die Schnitte der Monate stehen daneben.")]
    if settings["few_games"] == ROOT:
        sentences.append(_("Gewichtet wird er mit der Wurzel aus 4n/(n + 600), n alle Spiele der Saison."))
    elif settings["few_games"] is not None:
        sentences.append(_("Was in einem Monat abgezogen wurde, zählt so viel, wie in ihm gespielt wurde."))
    sentences.append(_("Spiele aus Monaten, in denen jemand keinen Platz hat, zählen nicht mit."))
    sentences.append(_("Ein Nachtrag zählt mit den Spielen des Monats, um den es geht."))
    return sentences


def _render_place_points(points: Sequence[int]) -> str:
    shares = (_("Platz %(place)s: %(points)s") % {"place": place, "points": one} for place, one in enumerate(points, start=1))
    return ", ".join(shares)


def _render_few_games(few: Mapping[str, int], unit: str) -> str:
    text = ngettext(
        "Mitglieder mit weniger als einem Spiel verlieren je fehlendem Spiel %(points)s %(unit)s.",
        "Mitglieder mit weniger als %(n)s Spielen verlieren je fehlendem Spiel %(points)s %(unit)s.",
        few["games"],
    )
    points, word = format_figure(few["hundredths"], 0), get_unit_word(few["hundredths"], unit)
    return text % {"n": few["games"], "points": points, "unit": word}


def explain_missing_rank(why: str, settings: Settings) -> str:
    match why:
        case "few_evenings":
            return _("weniger als %(n)s Abende") % {"n": settings["min_evenings"]}
        case "few_games":
            return _("weniger als %(n)s Spiele") % {"n": settings["min_games"]}
        case "unknown_games":
            return _("wie viele Spiele es waren, ist nicht bekannt")
        case "no_games":
            return _("keine Spiele bekannt, durch die sich teilen ließe")
        case "no_evening":
            return _("in diesem Monat nicht dabei")
    return ""


def list_missing(table: SeasonTable) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return players without a rank in the season, or without a figure in a month they played in, by reason, with the months."""
    found: dict[str, dict[int, list[str]]] = {}
    few: dict[int, list[str]] = {row["player"]: [] for row in table.rows if row["few"]}
    if few:
        found[_("Ohne Platz in der Saison: %(why)s") % {"why": _explain_few_evenings(table)}] = few
    for player, content, why in table.missing:
        reason = _("Ohne Zahl in einem Monat: %(why)s") % {"why": explain_missing_rank(why, content["settings"])}
        found.setdefault(reason, {}).setdefault(player, []).append(format_month(content["month"]))
    return [
        (reason, [(row["name"], ", ".join(months[row["player"]])) for row in table.rows if row["player"] in months])
        for reason, months in found.items()
    ]


def render_season_remark(table: SeasonTable, row: SeasonRow) -> str:
    dropped = ", ".join(format_month(table.months[at]["month"]) for at in sorted(row["dropped"]))
    notes = [_explain_few_evenings(table)] if row["few"] else []
    return "; ".join([*notes, *([_("zählt nicht: %(days)s") % {"days": dropped}] if dropped else [])])


def _explain_few_evenings(table: SeasonTable) -> str:
    return _("weniger als %(n)s Abende") % {"n": table.season.settings.get("season_min_evenings", 0)}


def get_ordinal(row: Mapping[str, object], among: Iterable[Mapping[str, object]]) -> str:
    """Return " (2)" for the second evening of a day, or the second supplement to a month."""
    similar = [other for other in among if all(other.get(key) == row.get(key) for key in ("held_on", "about"))]
    number = next(index for index, other in enumerate(similar, 1) if other is row)
    return f" ({number})" if number > 1 else ""


def join_names(names: Sequence[str]) -> str:
    return get_text_list(list(names), pgettext("Namen", "und"))


def explain_cell(why: str) -> str:
    return {
        "dropped": _("gestrichen, weil andere Abende besser waren"),
        "no_games": _("zählt nicht, weil keine Spiele bekannt sind"),
    }.get(why, "")


def list_steps(content: Content, row: ContentRow) -> list[tuple[str, int]]:
    """Return the steps of a result and the result itself: what it is, and its hundredths."""
    lines = [(_render_step(content, step), step["value"]) for step in row["steps"]]
    if row["result"] is not None:
        lines.append((_("Ergebnis"), row["result"]))
    return lines


def _render_step(content: Content, step: MonthStep) -> str:
    match step["kind"]:
        case "sum":
            text = ngettext("Summe aus %(n)s Abend", "Summe aus %(n)s Abenden", step["evenings"])
            return text % {"n": step["evenings"]}
        case "average" | "unweighted":
            text = ngettext("%(points)s geteilt durch %(games)s Spiel", "%(points)s geteilt durch %(games)s Spiele", step["games"])
            return text % {"points": format_figure(100 * step["points"], 0), "games": step["games"]}
        case "root":
            # The weight is shown with four digits, but the result is computed with the exact weight.
            weight = isqrt(4 * step["games"] * 10**8 // (step["games"] + 600))
            shown = number_format(round_half_up(weight, 0).scaleb(-4), 4)
            text = ngettext(
                "gewichtet für %(games)s Spiel, mal %(weight)s",
                "gewichtet für %(games)s Spiele, mal %(weight)s",
                step["games"],
            )
            return text % {"games": step["games"], "weight": shown}
        case "deduction":
            text = ngettext("%(n)s fehlendes Spiel zu je %(each)s", "%(n)s fehlende Spiele zu je %(each)s", step["games"])
            return text % {"n": step["games"], "each": format_figure(-step["value"] // step["games"], 0)}
    return _("Nachtrag zu %(month)s") % {"month": format_month(content["supplements"][step["supplement"]]["about"])}


def get_movement(row: ContentRow) -> tuple[str, str]:
    """Return the arrow against the previous month and its meaning; empty without a rank."""
    if row["rank"] is None:
        return "", ""
    if row["before"] is None:
        return ("●", _("neu")) if row["new"] else ("○", _("im Vormonat ohne Platz"))
    up = row["before"] - row["rank"]
    return format_move(up) if up else ("=", _("wie im Vormonat"))


def format_move(up: int) -> tuple[str, str]:
    """Return the arrow for so many ranks `up` (down if negative), and its meaning."""
    if up > 0:
        return f"▲{up}", ngettext("%(n)s Platz nach oben", "%(n)s Plätze nach oben", up) % {"n": up}
    return f"▼{-up}", ngettext("%(n)s Platz nach unten", "%(n)s Plätze nach unten", -up) % {"n": -up}


def list_legend(content: Content) -> list[tuple[str, str]]:
    legend, before = [], content["before"]
    signs = {get_movement(row)[0][:1] for row in content["rows"]} if before else set()
    cells = [cell for row in content["rows"] for cell in row["cells"]]
    if before and (arrows := [arrow for arrow in "▲▼=" if arrow in signs]):
        legend.append((" ".join(arrows), _("gegenüber %(month)s") % {"month": format_short_month(before)}))
    if any(cell and cell["why"] for cell in cells):
        legend.append(("( )", _("zählt nicht")))
    if "●" in signs:
        legend.append(("●", _("neu")))
    if "○" in signs:
        legend.append(("○", _("vorher ohne Platz")))
    if None in cells:
        legend.append(("·", _("nicht dabei")))
    if any(row["games"] is None for row in content["rows"]):
        legend.append(("?", _("ohne Einzelspiele übernommen")))
    return legend


def get_unit_word(hundredths: int, unit: str) -> str:
    return _("Punkt") if unit == RuleSet.Unit.POINTS and abs(hundredths) == 100 else str(RuleSet.Unit(unit).label)


Months = Collection[tuple[Season, Month]]


def get_month_label(season: Season, month: Month, seasons: Iterable[Season]) -> str:
    """Return the month, with its season if another one of `seasons` could be meant."""
    return f"{format_month(month)} · {season.name}" if set(seasons) - {season} else format_month(month)


def render_differing(months: Months) -> SafeString:
    return format_html("{} {}", _("Dadurch zählt anders als veröffentlicht:"), _render_links(months))


def render_agreeing(months: Months) -> SafeString:
    return format_html("{} {}", _("Dadurch zählt wieder wie veröffentlicht:"), _render_links(months))


def _render_links(months: Months) -> SafeString:
    seasons = {season for season, _month in months}
    ordered = sorted(months, key=lambda one: (one[1], one[0].pk))
    links = (
        (reverse("month", args=[season.club.slug, season.pk, month]), get_month_label(season, month, seasons))
        for season, month in ordered
    )
    return format_html_join(", ", '<a class="line-link" href="{}">{}</a>', links)


# Rank, name and formatted result.
ShareLine = tuple[int | None, str, str]


def list_month_lines(content: Content) -> list[ShareLine]:
    digits = get_digits(content)
    return [(row["rank"], row["name"], _format_amount(row["result"], digits, content["unit"])) for row in content["rows"]]


def list_season_lines(table: SeasonTable) -> list[ShareLine]:
    return [
        (row["rank"], row["name"], _format_amount(row["total"], table.digits, table.season.unit))
        for row in table.rows
        if row["total"] is not None
    ]


def get_month_state(content: Content) -> str:
    number = len(content["evenings"])
    evenings = ngettext("%(evenings)s Abend", "%(evenings)s Abende", number) % {"evenings": number}
    state = _("Abgeschlossen") if content.get("closed_at") else _("Vorläufig")
    return f"{state} · {evenings}"


def get_season_state(table: SeasonTable) -> str:
    return _("Endstand") if table.final else _("Zwischenstand")


def render_month_text(content: Content) -> str:
    title = f"{format_month(content['month'])} · {content['season']}"
    return _render_text([title, content["club"], get_month_state(content)], list_month_lines(content))


def render_season_text(table: SeasonTable) -> str:
    return _render_text([table.season.name, table.season.club.name, get_season_state(table)], list_season_lines(table))


def _render_text(head: Sequence[str], lines: Sequence[ShareLine]) -> str:
    ranked = [f"{rank}. {name}: {result}" for rank, name, result in lines if rank]
    without = [name for rank, name, _result in lines if not rank]
    unranked = [_("Ohne Platz: %(names)s") % {"names": ", ".join(without)}] if without else []
    return "\n".join([*head, "", *ranked, *unranked]) + "\n"


def _format_amount(hundredths: int | None, digits: int, unit: str) -> str:
    figure = format_figure(hundredths, digits)
    return figure + " " + _("Cent") if unit == RuleSet.Unit.CENTS and hundredths is not None else figure


def render_changes(changes: Sequence[Change]) -> list[ChangeDescription]:
    return describe_changes(changes, _AT_TABLES, {**PEOPLE, **RULE_SETS, **TABLES, **EVENINGS})


_AT_TABLES: Final[ChangeFormats] = {**rulesets.CHANGES, **table.CHANGES, **evenings.CHANGES}


def _render_season(change: Change, values: Values, names: Names) -> LabeledValues:
    """Return the fields of a season. Each list of sentences has its own label, so that a change shows what differs."""
    return {
        _("Name"): values["name"],
        _("Erster Tag"): format_day(datetime.date.fromisoformat(values["first_day"])),
        _("Letzter Tag"): format_day(datetime.date.fromisoformat(values["last_day"])),
        _("Gezählt in"): str(RuleSet.Unit(values["unit"]).label),
        _("Der Monat"): " ".join(list_counting_sentences(values["settings"], values["unit"])),
        _("Die Saison"): " ".join(list_season_sentences(values["settings"])),
    }


def _render_month(change: Change, values: Values, names: Names) -> LabeledValues:
    if "about" in values:
        return {_("Zählt im"): format_month(values["month"]), _("Grund"): values["reason"]}
    return {_("Fassung"): str(values["version"]), _("Prüfsumme"): values["content_sha256"]}


def _render_month_subject(change: Change, names: Names) -> str:
    values = change.after or {}
    if "month" not in values:
        return ""
    return f"{format_month(values.get('about', values['month']))}, {_get_season_name(names, values['season'])}"


def _get_season_name(names: Names, pk: Any) -> str:
    return str(names["season"].get(pk) or "")


_SEASON: Final = ChangeFormat(
    _render_season, lambda change, names: _get_season_name(names, int(change.subject_id)), subject="season"
)
_MONTH: Final = ChangeFormat(_render_month, _render_month_subject)
CHANGES: Final[ChangeFormats] = {
    Verb.SEASON_ADDED: _SEASON,
    Verb.SEASON_CHANGED: _SEASON,
    Verb.MONTH_CLOSED: _MONTH,
    Verb.MONTH_SUPPLEMENTED: _MONTH,
}
