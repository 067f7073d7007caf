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
from scoring.core.formats import format_day, format_hundredths, format_month, format_points
from scoring.evenings import texts as evenings
from scoring.evenings.queries import LOOKUPS as EVENINGS
from scoring.league.models import Season
from scoring.play.queries import LOOKUPS as TABLES
from scoring.rules.ranking import round_half_up
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import LOOKUPS as RULE_SETS
from scoring.rulesets.texts import rule_sets as rulesets
from scoring.table import words as table

from .queries.books import Month
from .queries.seasons import SeasonTable
from .rules import ROOT, Content, Deduction, MonthStep, RowIn, SeasonRow, Settings, is_averaged

Text = str | Promise

# Each setting: what it is called, and the sentence that explains it.
EXPLAINED: Final[dict[str, tuple[Text, Text]]] = {
    "counting": (
        gettext_lazy("Wertung des Monats"),
        gettext_lazy("Was von einem Abend für den Monat zählt, mehrere Tische eines Abends zusammen."),
    ),
    "places": (
        gettext_lazy("Platzpunkte je Abend"),
        gettext_lazy(
            "Was der erste Platz eines Abends bringt, der zweite und so weiter, mit Kommas getrennt. Auf einem geteilten "
            "Platz werden auch die Punkte dieser Plätze geteilt."
        ),
    ),
    "best": (
        gettext_lazy("Beste Abende"),
        gettext_lazy("Nur so viele der besten Abende eines Monats zählen, die übrigen fallen weg. Leer: alle zählen."),
    ),
    "min_evenings": (
        gettext_lazy("Mindestzahl Abende"),
        gettext_lazy("Mitglieder mit weniger Abenden stehen ohne Platz unter der Tabelle."),
    ),
    "min_games": (
        gettext_lazy("Mindestzahl Spiele"),
        gettext_lazy("Mitglieder mit weniger Spielen stehen ohne Platz unter der Tabelle."),
    ),
    "few_games": (
        gettext_lazy("Zu wenige Spiele"),
        gettext_lazy("Womit ausgeglichen wird, dass jemand nur wenige Spiele gespielt hat."),
    ),
    "tie_breaks": (
        gettext_lazy("Bei Gleichstand"),
        gettext_lazy(
            "Was der Reihe nach verglichen wird, wenn zwei dasselbe Ergebnis haben. Sind sie auch darin gleich, teilen sie "
            "den Platz."
        ),
    ),
    "rule_sets": (
        gettext_lazy("Regelwerke"),
        gettext_lazy("Welche Tische zählen. Ohne Auswahl zählen alle, die in der Einheit der Saison gewertet sind."),
    ),
    "season": (
        gettext_lazy("Wertung der Saison"),
        gettext_lazy("Wie aus den Monaten die Saison wird."),
    ),
    "season_places": (
        gettext_lazy("Platzpunkte je Monat"),
        gettext_lazy(
            "Was der erste Platz eines Monats für die Saison bringt, der zweite und so weiter, mit Kommas getrennt."
        ),
    ),
    "season_best": (
        gettext_lazy("Beste Monate"),
        gettext_lazy(
            "Nur so viele der besten Monate zählen für die Saison, die übrigen fallen weg. Leer: alle zählen."
        ),
    ),
    "season_min_evenings": (
        gettext_lazy("Mindestzahl Abende der Saison"),
        gettext_lazy("Mitglieder mit weniger Abenden in der ganzen Saison haben in ihr keinen Platz."),
    ),
}

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
    "sum": gettext_lazy(
        "Die Monate zusammen: Ihre Ergebnisse werden zusammengezählt, ein Schnitt wird über alle Spiele gebildet."
    ),
    "places": gettext_lazy("Jeder Monat bringt Platzpunkte, und die werden zusammengezählt."),
}


def figure(hundredths: int | None, digits: int = 2) -> str:
    """Hundredths as people write them: the language's comma, a real minus sign, "–" where there are none. With two
    digits always both; without, only what is no whole number shows them."""
    if hundredths is None:
        return "–"
    if not digits and hundredths % 100 == 0:
        return format_points(hundredths // 100)
    return format_hundredths(hundredths)


def digits_of(content: Content) -> int:
    """How many digits the results of a month are shown with: all with two, or all as they are."""
    results = [row["result"] for row in content["rows"] if row["result"] is not None]
    return 2 if content["settings"]["counting"] == "average" or any(result % 100 for result in results) else 0


def counting_sentences(settings: Settings, unit: str) -> list[str]:
    """How a month is counted."""
    cents = unit == RuleSet.Unit.CENTS
    said = [str((COUNTINGS_IN_CENTS if cents else COUNTINGS)[settings["counting"]])]
    if settings["counting"] == "places":
        said.append(
            _("Ein Abend bringt %(points)s; auf einem geteilten Platz werden die Punkte geteilt.")
            % {"points": _by_place(settings["places"])}
        )
    if settings["best"]:
        text = ngettext("Es zählt der beste Abend.", "Es zählen die besten %(n)s Abende.", settings["best"])
        said.append(text % {"n": settings["best"]})
        if settings["counting"] == "average":
            said.append(_("Die besten sind die mit dem höchsten Schnitt."))
        said.append(_("Von zwei gleich guten zählt der Abend mit mehr Spielen, sonst der frühere."))
    if settings["min_evenings"]:
        text = ngettext(
            "In die Wertung kommt, wer an mindestens einem Abend da war.",
            "In die Wertung kommt, wer an mindestens %(n)s Abenden da war.",
            settings["min_evenings"],
        )
        said.append(text % {"n": settings["min_evenings"]})
    if settings["min_games"]:
        text = ngettext(
            "In die Wertung kommt, wer mindestens ein Spiel gespielt hat.",
            "In die Wertung kommt, wer mindestens %(n)s Spiele gespielt hat.",
            settings["min_games"],
        )
        said.append(text % {"n": settings["min_games"]})
    said += _few_games(settings["few_games"], unit)
    said.append(_("Gäste zählen mit.") if settings["guests"] else _("Gäste zählen nicht mit und belegen keinen Platz."))
    if settings["rule_sets"]:
        said.append(_("Es zählen die Tische nach: %(rules)s.") % {"rules": ", ".join(settings["rule_sets"])})
    names = ", ".join(str(TIE_BREAKS[name]) for name in settings["tie_breaks"])
    said.append(
        _("Bei Gleichstand entscheidet der Reihe nach: %(names)s. Sind zwei auch darin gleich, teilen sie den Platz.")
        % {"names": names}
        if names
        else _("Bei Gleichstand wird der Platz geteilt.")
    )
    if settings["best"] and names:
        said.append(
            _("Verglichen werden Punkte, Schnitt und Siege der Abende, die zählen; alles andere von allen Abenden.")
        )
    return said


def season_sentences(settings: Settings) -> list[str]:
    """How the season is counted from its months."""
    said = _averaged_sentences(settings) if is_averaged(settings) else _added_sentences(settings)
    if best := settings.get("season_best"):
        text = ngettext("Es zählt der beste Monat.", "Es zählen die besten %(n)s Monate.", best)
        said.append(text % {"n": best})
        said.append(_("Von zwei gleich guten zählt der frühere. Was in Klammern steht, zählt nicht."))
    if evenings := settings.get("season_min_evenings"):
        text = ngettext(
            "In die Wertung der Saison kommt, wer an mindestens einem Abend da war.",
            "In die Wertung der Saison kommt, wer an mindestens %(n)s Abenden da war.",
            evenings,
        )
        said.append(text % {"n": evenings})
    said.append(_("Gleich viele Punkte teilen den Platz; ohne Ergebnis gibt es keinen."))
    return said


def _added_sentences(settings: Settings) -> list[str]:
    if settings["season"] == "places":
        said = [
            str(SEASON_COUNTINGS["places"]),
            _("Ein Monat bringt %(points)s; auf einem geteilten Platz werden die Punkte geteilt.")
            % {"points": _by_place(settings["season_places"])},
        ]
    else:
        said = [_("Die Ergebnisse der Monate werden zusammengezählt.")]
    said.append(_("Ein Monat ohne Platz bringt nichts außer einem Nachtrag."))
    return said


def _averaged_sentences(settings: Settings) -> list[str]:
    """How the games of a season make one average."""
    said = [_("Es zählt der Schnitt über alle Spiele der Saison; die Schnitte der Monate stehen daneben.")]
    if settings["few_games"] == ROOT:
        said.append(_("Gewichtet wird er mit der Wurzel aus 4n/(n + 600), n alle Spiele der Saison."))
    elif settings["few_games"] is not None:
        said.append(_("Was in einem Monat abgezogen wurde, zählt so viel, wie in ihm gespielt wurde."))
    said.append(_("Spiele aus Monaten, in denen jemand keinen Platz hat, zählen nicht mit."))
    said.append(_("Ein Nachtrag zählt mit den Spielen des Monats, um den es geht."))
    return said


def _by_place(points: Sequence[int]) -> str:
    return ", ".join(
        _("Platz %(place)s: %(points)s") % {"place": place, "points": number}
        for place, number in enumerate(points, start=1)
    )


def _few_games(few: str | Deduction | None, unit: str) -> list[str]:
    if few is None:
        return []
    if isinstance(few, str):
        return [
            _(
                "Der Schnitt wird mit der Wurzel aus 4n/(n + 600) gewichtet, n die Zahl der Spiele, "
                "und auf Hundertstel gerundet."
            )
        ]
    said = ngettext(
        "Mitglieder mit weniger als einem Spiel verlieren je fehlendem Spiel %(points)s %(unit)s.",
        "Mitglieder mit weniger als %(n)s Spielen verlieren je fehlendem Spiel %(points)s %(unit)s.",
        few["games"],
    )
    return [
        said % {"n": few["games"], "points": figure(few["hundredths"], 0), "unit": unit_word(few["hundredths"], unit)}
    ]


def why_sentence(why: str, settings: Settings) -> str:
    """Why somebody has no rank."""
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


def missing_groups(table: SeasonTable) -> list[tuple[str, list[tuple[str, str]]]]:
    """Who has no rank in the season, or no figure of a month in which they were there: by reason, and there in the order of the
    table, with the months it is about."""
    found: dict[str, dict[int, list[str]]] = {}
    few: dict[int, list[str]] = {row.player: [] for row in table.rows if row.few}
    if few:
        found[_("Ohne Platz in der Saison: %(why)s") % {"why": _few_said(table)}] = few
    for player, content, why in table.missing:
        reason = _("Ohne Zahl in einem Monat: %(why)s") % {"why": why_sentence(why, content["settings"])}
        found.setdefault(reason, {}).setdefault(player, []).append(format_month(content["month"]))
    order = [row.player for row in table.rows]
    return [
        (reason, [(table.names[player], ", ".join(months[player])) for player in order if player in months])
        for reason, months in found.items()
    ]


def season_remark(table: SeasonTable, row: SeasonRow) -> str:
    """Why somebody has no rank in a season, and which months do not count."""
    dropped = ", ".join(format_month(table.months[at]["month"]) for at in sorted(row.dropped))
    said = [_few_said(table)] if row.few else []
    return "; ".join([*said, *([_("zählt nicht: %(days)s") % {"days": dropped}] if dropped else [])])


def _few_said(table: SeasonTable) -> str:
    return _("weniger als %(n)s Abende") % {"n": table.season.settings.get("season_min_evenings", 0)}


def ordinal(one: Mapping[str, object], among: Iterable[Mapping[str, object]]) -> str:
    """What tells an evening from another one of its day, or a supplement from another one to its month: " (2)"."""
    alike = [other for other in among if all(other.get(key) == one.get(key) for key in ("held_on", "about"))]
    number = next(index for index, other in enumerate(alike, 1) if other is one)
    return f" ({number})" if number > 1 else ""


def and_list(names: Sequence[str]) -> str:
    """Names in a sentence: "A, B und C"."""
    return get_text_list(list(names), pgettext("Namen", "und"))


def cell_sentence(why: str) -> str:
    """Why an evening does not count."""
    return {
        "dropped": _("gestrichen, weil andere Abende besser waren"),
        "no_games": _("zählt nicht, weil keine Spiele bekannt sind"),
    }.get(why, "")


def step_lines(content: Content, row: RowIn) -> list[tuple[str, int]]:
    """How a result came about: each line with what it says and the hundredths it leads to."""
    lines = [(_step(content, step), step["value"]) for step in row["steps"]]
    if row["result"] is not None:
        lines.append((_("Ergebnis"), row["result"]))
    return lines


def _step(content: Content, step: MonthStep) -> str:
    match step["kind"]:
        case "sum":
            said = ngettext("Summe aus %(n)s Abend", "Summe aus %(n)s Abenden", step["evenings"])
            return said % {"n": step["evenings"]}
        case "average" | "unweighted":
            said = ngettext(
                "%(points)s geteilt durch %(games)s Spiel", "%(points)s geteilt durch %(games)s Spiele", step["games"]
            )
            return said % {
                "points": figure(100 * step["points"], 0),
                "games": step["games"],
            }
        case "root":
            # The weight itself is shown to four digits; the result is computed without it being rounded.
            weight = isqrt(4 * step["games"] * 10**8 // (step["games"] + 600))
            shown = number_format(round_half_up(weight, 0).scaleb(-4), 4)
            said = ngettext(
                "gewichtet für %(games)s Spiel, mal %(weight)s",
                "gewichtet für %(games)s Spiele, mal %(weight)s",
                step["games"],
            )
            return said % {"games": step["games"], "weight": shown}
        case "deduction":
            said = ngettext(
                "%(n)s fehlendes Spiel zu je %(each)s", "%(n)s fehlende Spiele zu je %(each)s", step["games"]
            )
            return said % {"n": step["games"], "each": figure(-step["value"] // step["games"], 0)}
    return _("Nachtrag zu %(month)s") % {"month": format_month(content["supplements"][step["supplement"]]["about"])}


def movement(row: RowIn) -> tuple[str, str]:
    """The arrow against the month before, and what it says; nothing for whoever has no rank."""
    if row["rank"] is None:
        return "", ""
    if row["before"] is None:
        return ("●", _("neu")) if row["new"] else ("○", _("im Vormonat ohne Platz"))
    up = row["before"] - row["rank"]
    return moved(up) if up else ("=", _("wie im Vormonat"))


def moved(up: int) -> tuple[str, str]:
    """The arrow of somebody who stands so many places higher, or lower, and what it says."""
    said = (
        ngettext("%(n)s Platz nach oben", "%(n)s Plätze nach oben", up)
        if up > 0
        else ngettext("%(n)s Platz nach unten", "%(n)s Plätze nach unten", -up)
    )
    return ("▲" if up > 0 else "▼") + str(abs(up)), said % {"n": abs(up)}


def legend(content: Content) -> list[tuple[str, str]]:
    """The signs that stand in a table, and what they mean."""
    said, before = [], content["before"]
    signs = {movement(row)[0][:1] for row in content["rows"]} if before else set()
    cells = [cell for row in content["rows"] for cell in row["cells"]]
    if before and (arrows := [arrow for arrow in "▲▼=" if arrow in signs]):
        said.append((" ".join(arrows), _("gegenüber %(month)s") % {"month": format_month(before)}))
    if any(cell and cell["why"] for cell in cells):
        said.append(("( )", _("zählt nicht")))
    if "●" in signs:
        said.append(("●", _("neu")))
    if "○" in signs:
        said.append(("○", _("vorher ohne Platz")))
    if None in cells:
        said.append(("·", _("nicht dabei")))
    if any(row["games"] is None for row in content["rows"]):
        said.append(("?", _("ohne Einzelspiele übernommen")))
    return said


def unit_word(hundredths: int, unit: str) -> str:
    """The name of a unit behind this amount of it."""
    return _("Punkt") if unit == RuleSet.Unit.POINTS and abs(hundredths) == 100 else str(RuleSet.Unit(unit).label)


Months = Collection[tuple[Season, Month]]


def month_called(season: Season, month: Month, seasons: Iterable[Season]) -> str:
    """The month, with its season where that is not the only one of `seasons` that could be meant."""
    return f"{format_month(month)} · {season.name}" if set(seasons) - {season} else format_month(month)


def differ_sentence(months: Months) -> SafeString:
    """To whoever did it: these are published, and counted differently now."""
    return format_html("{} {}", _("Dadurch zählt anders als veröffentlicht:"), _links(months))


def agree_sentence(months: Months) -> SafeString:
    return format_html("{} {}", _("Dadurch zählt wieder wie veröffentlicht:"), _links(months))


def _links(months: Months) -> SafeString:
    """Each leads to its page, where it says what is to be decided."""
    seasons = {season for season, _month in months}
    ordered = sorted(months, key=lambda one: (one[1], one[0].pk))
    links = ((_address(*one), month_called(*one, seasons)) for one in ordered)
    return format_html_join(", ", '<a class="line-link" href="{}">{}</a>', links)


def _address(season: Season, month: Month) -> str:
    return reverse("month", args=[season.club.slug, season.pk, month])


# Rank, name and result as it is written.
ShareLine = tuple[int | None, str, str]


def month_lines(content: Content) -> list[ShareLine]:
    digits = digits_of(content)
    return [(row["rank"], row["name"], _figure(row["result"], digits, content["unit"])) for row in content["rows"]]


def season_lines(table: SeasonTable) -> list[ShareLine]:
    return [
        (row.rank, name, _figure(row.total, table.digits, table.season.unit))
        for name, row in table.lines
        if row.total is not None
    ]


def month_state(content: Content) -> str:
    return _("Abgeschlossen") if content.get("closed_at") else _("Vorläufig")


def season_state(table: SeasonTable) -> str:
    return _("Endstand") if table.final else _("Zwischenstand")


def evenings_said(content: Content) -> str:
    evenings = len(content["evenings"])
    return ngettext("%(evenings)s Abend", "%(evenings)s Abende", evenings) % {"evenings": evenings}


def month_text(content: Content) -> str:
    head = [f"{format_month(content['month'])} · {content['season']}", content["club"]]
    said = f"{month_state(content)} · {evenings_said(content)}"
    return _text([*head, said], month_lines(content))


def season_text(table: SeasonTable) -> str:
    return _text([table.season.name, table.season.club.name, season_state(table)], season_lines(table))


def _text(head: Sequence[str], lines: Sequence[ShareLine]) -> str:
    """The head, everybody with a rank, and who has none by name alone."""
    placed = [f"{rank}. {name}: {result}" for rank, name, result in lines if rank]
    without = [name for rank, name, _result in lines if not rank]
    behind = [_("Ohne Platz: %(names)s") % {"names": ", ".join(without)}] if without else []
    return "\n".join([*head, "", *placed, *behind]) + "\n"


def _figure(hundredths: int | None, digits: int, unit: str) -> str:
    said = figure(hundredths, digits)
    return said + " " + _("Cent") if unit == RuleSet.Unit.CENTS and hundredths is not None else said


def what_led(changes: Sequence[Change]) -> list[ChangeDescription]:
    """What was done at the tables of a month, told."""
    return describe_changes(changes, _AT_TABLES, {**PEOPLE, **RULE_SETS, **TABLES, **EVENINGS})


_AT_TABLES: Final[ChangeFormats] = {**rulesets.CHANGES, **table.CHANGES, **evenings.CHANGES}


def _season(change: Change, values: Values, names: Names) -> LabeledValues:
    """The settings of a season. Each sentence about its counting is told separately, so that a change shows which one
    differs."""
    told = {_("Name"): values["name"]}
    for key, label in (("first_day", _("Erster Tag")), ("last_day", _("Letzter Tag"))):
        told[label] = format_day(datetime.date.fromisoformat(values[key]))
    told[_("Gezählt in")] = str(RuleSet.Unit(values["unit"]).label)
    told[_("Der Monat")] = " ".join(counting_sentences(values["settings"], values["unit"]))
    told[_("Die Saison")] = " ".join(season_sentences(values["settings"]))
    return told


def _month(change: Change, values: Values, names: Names) -> LabeledValues:
    """What was published of a month."""
    if "about" in values:
        return {_("Zählt im"): format_month(values["month"]), _("Grund"): values["reason"]}
    return {_("Fassung"): str(values["version"]), _("Prüfsumme"): values["content_sha256"]}


def _about_season(change: Change, names: Names) -> str:
    return _name(names, int(change.subject_id))


def _about_month(change: Change, names: Names) -> str:
    """A month that was closed, or supplemented, in its season."""
    values = change.after or {}
    if "month" not in values:
        return ""
    return f"{format_month(values.get('about', values['month']))}, {_name(names, values['season'])}"


def _name(names: Names, pk: Any) -> str:
    season = names["season"].get(pk)
    return str(season) if season else ""


CHANGES: Final[ChangeFormats] = {
    **dict.fromkeys((Verb.SEASON_ADDED, Verb.SEASON_CHANGED), ChangeFormat(_season, _about_season, subject="season")),
    **dict.fromkeys((Verb.MONTH_CLOSED, Verb.MONTH_SUPPLEMENTED), ChangeFormat(_month, _about_month)),
}
