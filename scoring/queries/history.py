"""What was done in a club, as sentences: who, when, what, and what it was before. Stored are ids and values; names are
looked up here, so that a page of changes takes the same few queries however many people it names."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.models import Change, Club, Evening, Game, Import, Player, RuleSet, Season, Seat, Table, Verb
from scoring.rules import labels

from .league_words import counting_sentences, month_name, season_sentences


@dataclass(frozen=True)
class Difference:
    """One thing that a change touched; None where it was not there."""

    label: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Entry:
    """One change as people read it: what was `done`; `about` names the person, rule set or evening; `place` the table of a game."""

    change: Change
    done: str
    about: str
    place: str
    differences: list[Difference]


def changes_of(club: Club) -> QuerySet[Change]:
    """Everything that was done, the latest first."""
    return Change.objects.filter(club=club).select_related("actor", "spoken_as", "table__evening").order_by("-id")


def entries(changes: Sequence[Change]) -> list[Entry]:
    """The changes in sentences, in their order."""
    names = _look_up(changes)
    return [
        Entry(
            change=change,
            done=what_was_done(change),
            about=_about(change, names),
            place=_place(change),
            differences=_differences(_told(change, change.before, names), _told(change, change.after, names)),
        )
        for change in changes
    ]


def may_be_told(change: Change) -> bool:
    """Can this change be told in sentences, whoever it names? Asked of what came from elsewhere, before it is kept."""
    nobody = _Names({}, {}, {}, {}, {}, {})
    try:
        _wanted([change])
        what_was_done(change)
        _about(change, nobody)
        for values in (change.before, change.after):
            _told(change, values, nobody)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return False
    return True


def what_was_done(change: Change) -> str:
    """The verb in words; a line of the sheet that is no game is not called one, and people whom a line from before put back
    on the sheet did not sit down again."""
    if change.verb == Verb.TABLE_SEATED and change.before is None:
        return _("Frühere Sitzordnung wieder auf dem Zettel")
    values = change.after or change.before or {}
    line, done = _OTHER_LINES.get(values.get("form", "")), _LINE_VERBS.get(change.verb)
    if line is None or done is None:
        return change.get_verb_display()
    return str(done % {"line": line})


_OTHER_LINES = {
    Game.Form.PENALTY: gettext_lazy("Strafe"),
    Game.Form.CORRECTION: gettext_lazy("Berichtigung"),
    Game.Form.REDEAL: gettext_lazy("Neues Geben"),
}
_LINE_VERBS = {
    Verb.GAME_ADDED: gettext_lazy("%(line)s eingetragen"),
    Verb.GAME_INSERTED: gettext_lazy("%(line)s eingefügt"),
    Verb.GAME_MOVED: gettext_lazy("%(line)s verschoben"),
    Verb.GAME_CORRECTED: gettext_lazy("%(line)s berichtigt"),
    Verb.GAME_DELETED: gettext_lazy("%(line)s gestrichen"),
    Verb.GAME_RESTORED: gettext_lazy("%(line)s wiederhergestellt"),
}


# --- Names ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Names:
    """What the ids on one page are called now; who is gone has no name any more."""

    players: Mapping[int, str]
    logins: Mapping[int, str]
    rule_sets: Mapping[int, str]
    evenings: Mapping[int, str]
    imports: Mapping[int, str]
    seasons: Mapping[int, str]
    tables: Mapping[int, str] = field(default_factory=dict)
    seats: Mapping[int, Mapping[int, str]] = field(default_factory=dict)

    def player(self, pk: int) -> str:
        return self.players.get(pk) or _("jemand, der nicht mehr da ist")

    def login(self, pk: int) -> str:
        return self.logins.get(pk) or _("eine gelöschte Anmeldung")

    def seat(self, round_id: int, place: int) -> str:
        return self.seats.get(round_id, {}).get(place) or _("Platz %(place)s") % {"place": place + 1}


def _wanted(changes: Iterable[Change]) -> dict[str, set[int]]:
    """The ids that these changes name, by kind."""
    wanted: dict[str, set[int]] = defaultdict(set)
    for change in changes:
        kind = change.verb.partition(".")[0]
        if kind not in ("game", "table"):
            wanted[kind].add(int(change.subject_id))
        for values in (change.before or {}, change.after or {}):
            for key in ("round", "rule_set", "user", "carries_on", "season"):
                if values.get(key) is not None:
                    wanted[key].add(values[key])
            wanted["player"].update(values.get("players", ()))
    return wanted


def _look_up(changes: Iterable[Change]) -> _Names:
    wanted = _wanted(changes)
    seats: dict[int, dict[int, str]] = defaultdict(dict)
    if wanted["round"]:
        for seat in Seat.objects.filter(round__in=wanted["round"]).select_related("player"):
            seats[seat.round_id][seat.place] = seat.player.name
    return _Names(
        players=_named(Player.objects, wanted["player"], lambda player: player.name),
        logins=_named(User.objects, wanted["member"] | wanted["user"], lambda user: user.get_username()),
        rule_sets=_named(RuleSet.objects, wanted["rules"] | wanted["rule_set"], str),
        evenings=_named(Evening.objects, wanted["evening"], lambda evening: _day(evening.held_on)),
        tables=_named(Table.objects.select_related("evening"), wanted["carries_on"], _table),
        imports=_named(Import.objects.defer("sheets"), wanted["import"], lambda brought: brought.file_name),
        seasons=_named(Season.objects, wanted["season"], str),
        seats=seats,
    )


def _named(rows: Any, ids: set[int], name: Callable[[Any], str]) -> dict[int, str]:
    """One query, or none where nothing is asked for."""
    found: Mapping[int, Model] = rows.in_bulk(ids) if ids else {}
    return {pk: name(row) for pk, row in found.items()}


def _about(change: Change, names: _Names) -> str:
    kind = change.verb.partition(".")[0]
    if kind in ("game", "table"):
        return ""
    pk = int(change.subject_id)
    if kind == "player":
        return names.player(pk)
    if kind == "member":
        return names.login(pk)
    if kind == "import":
        return names.imports.get(pk, "")
    if kind == "season":
        return names.seasons.get(pk, "")
    if kind in ("archive", "club", "history"):
        return ""
    if kind == "month":
        return _month(change.after or {}, names)
    return (names.evenings if kind == "evening" else names.rule_sets).get(pk, "")


def _month(values: Mapping[str, Any], names: _Names) -> str:
    """A month that was closed, or supplemented, in its season."""
    if "month" not in values:
        return ""
    return f"{month_name(values.get('about', values['month']))}, {names.seasons.get(values['season'], '')}"


def _place(change: Change) -> str:
    if change.table is None:
        return ""
    return _table(change.table)


def _table(table: Table) -> str:
    return _("Tisch %(number)s am %(day)s") % {"number": table.number, "day": _day(table.evening.held_on)}


def _day(day: datetime.date) -> str:
    return date_format(day, "SHORT_DATE_FORMAT")


# --- Values ---------------------------------------------------------------------------------------------------------

Told = dict[str, str]


def _differences(before: Told, after: Told) -> list[Difference]:
    """What differs, in the order in which it is told; all of it where the thing was not there before or is no more."""
    told = list(dict.fromkeys([*after, *before]))
    return [
        Difference(label, before.get(label), after.get(label))
        for label in told
        if before.get(label) != after.get(label)
    ]


def _told(change: Change, values: Mapping[str, Any] | None, names: _Names) -> Told:
    """The values on one side of a change as label and text."""
    if values is None:
        return {}
    match change.verb.partition(".")[0]:
        case "game" if change.verb == Verb.GAME_MOVED:
            return _moved(values, names)
        case "game":
            return line_in_words(values, lambda place: names.seat(values["round"], place))
        case "player" if change.verb in (Verb.PLAYER_MERGED, Verb.PLAYER_PARTED):
            return _merged(values, names)
        case "player":
            return _player(values, names)
        case "member":
            return _member(values)
        case "evening" | "table":
            return _evening(
                values, names, _("Abgezeichnet von") if change.verb == Verb.EVENING_CLOSED else _("Am Tisch")
            )
        case "rules":
            return _rules(change, values, names)
        case "history":
            return {_("Verlauf bleibt"): _years(values["years"])}
        case "import" | "archive":
            return _import(values, names)
        case "club":
            return {str(Club._meta.get_field(key).verbose_name): _yes_or_no(value) for key, value in values.items()}
        case "season":
            return _season(values)
        case "month":
            return _closing(values)
    return {}


def _years(years: int | None) -> str:
    if years is None:
        return _("für immer")
    return ngettext("%(years)s Jahr", "%(years)s Jahre", years) % {"years": years}


def _season(values: Mapping[str, Any]) -> Told:
    """What a season was set to; each sentence of its counting is told by itself, so that a change shows what it said."""
    told = {_("Name"): values["name"]}
    for key, label in (("first_day", _("Erster Tag")), ("last_day", _("Letzter Tag"))):
        told[label] = _day(datetime.date.fromisoformat(values[key]))
    told[_("Gezählt in")] = str(RuleSet.Unit(values["unit"]).label)
    told[_("Der Monat")] = " ".join(counting_sentences(values["settings"], values["unit"]))
    told[_("Die Saison")] = " ".join(season_sentences(values["settings"]))
    return told


def _closing(values: Mapping[str, Any]) -> Told:
    """What was published of a month."""
    if "about" in values:
        return {_("Zählt im"): month_name(values["month"]), _("Grund"): values["reason"]}
    return {_("Fassung"): str(values["version"]), _("Prüfsumme"): values["content_sha256"]}


def _evening(values: Mapping[str, Any], names: _Names, people: str) -> Told:
    told = {}
    if values.get("rule_set"):
        told[_("Regelwerk")] = names.rule_sets.get(values["rule_set"], "")
    if values.get("players"):
        told[people] = ", ".join(names.player(pk) for pk in values["players"])
    if "planned_games" in values:
        told[_("Geplante Spiele")] = str(values["planned_games"] or _("so viele, wie es werden"))
    if values.get("carries_on"):
        told[_("Offene Böcke von")] = names.tables.get(values["carries_on"], "")
    return told


def _import(values: Mapping[str, Any], names: _Names) -> Told:
    """What a file brought, or what was taken back of it."""
    told = {_("Abende"): str(values["evenings"])}
    if values.get("lines"):
        told[_("Zeilen")] = str(values["lines"])
    if values.get("rule_set"):
        told[_("Regelwerk")] = names.rule_sets.get(values["rule_set"], "")
    return told


def _rules(change: Change, values: Mapping[str, Any], names: _Names) -> Told:
    """What a rule set was copied from, what it was before, what it was called, or by which rules a table was valued."""
    if "name" in values:
        return {_("Name"): values["name"]}
    label = _("Vorlage") if change.verb == Verb.RULES_ADDED else _("Regelwerk")
    return {label: names.rule_sets.get(values["rule_set"], "")} if values.get("rule_set") else {}


def _merged(values: Mapping[str, Any], names: _Names) -> Told:
    """Under whom somebody's games are kept, and how much was put there."""
    told = {_("Wird geführt als"): ", ".join(names.player(pk) for pk in values["players"])}
    if values["user"]:
        told[_("Anmeldung")] = names.login(values["user"])
    return told


def _player(values: Mapping[str, Any], names: _Names) -> Told:
    told = {_("Gast"): _yes_or_no(values["guest"])}
    if values.get("by_initial"):
        told[_("Für Fremde")] = _("nur der Anfangsbuchstabe")
    for key, label in (("joined_on", _("Dabei seit")), ("left_on", _("Ausgeschieden am"))):
        if values[key]:
            told[label] = _day(datetime.date.fromisoformat(values[key]))
    if values["user"]:
        told[_("Anmeldung")] = names.login(values["user"])
    if values.get("renamed"):
        told[_("Name")] = _("geändert")
    return told


def _member(values: Mapping[str, Any]) -> Told:
    names = {"scorer": _("schreibt"), "treasurer": _("führt die Kasse"), "admin": _("verwaltet")}
    told = {_("Rechte"): ", ".join([_("liest"), *(name for role, name in names.items() if values[role])])}
    return told | {_("Passwort"): _("neu vergeben")} if values.get("new_password") else told


def line_in_words(values: Mapping[str, Any], seat: Callable[[int], str]) -> Told:
    """What was typed of a line, by label; `seat` says who sits there."""
    facts, told = values["facts"], {}
    if values["form"] != Game.Form.PLAYED:
        told[_("Zeile")] = str(Game.Form(values["form"]).label)
    if values["dealer"] is not None:
        told[_("Geber")] = seat(values["dealer"])
    for key, label in _fact_labels().items():
        if key in facts:
            told[label] = _fact(key, facts[key], seat)
    if values["note"]:
        told[_("Bemerkung")] = values["note"]
    return told


def _moved(values: Mapping[str, Any], names: _Names) -> Told:
    """Among whom the line stands: all else stays as it is when it moves, but for the numbers of the seats."""
    people = names.seats.get(values["round"], {})
    return {_("Am Tisch"): ", ".join(people[place] for place in sorted(people))}


def _fact_labels() -> dict[str, str]:
    """The facts of every form, in the order in which they are told."""
    return {
        "kind": _("Spiel"),
        "duty": _("Pflichtsolo"),
        "re": _("Re"),
        "out": _("Setzt aus"),
        "eyes": _("Augen von Re"),
        "band": _("Augen von Re, ungefähr"),
        "no_trick": _("Ohne Stich"),
        "re_said": _("Re sagte"),
        "kontra_said": _("Kontra sagte"),
        "last_said": _("Zuletzt sagte an"),
        "re_specials": _("Sonderpunkte von Re"),
        "kontra_specials": _("Sonderpunkte von Kontra"),
        "winners": _("Gewinner"),
        "base": _("Punkte vor Bock"),
        "solo": _("Solo"),
        "starts_bock": _("Löst Böcke aus"),
        "bock": _("Bock von Hand"),
        "points": _("Punkte"),
        "seat": _("Wer"),
        "reason": _("Grund"),
    }


def _fact(key: str, value: Any, seat: Callable[[int], str]) -> str:
    match key:
        case "kind":
            return _(labels.KINDS[value])
        case "re" | "out" | "winners":
            return ", ".join(seat(place) for place in value)
        case "seat":
            return seat(value)
        case "re_said" | "kontra_said":
            return _(labels.SAID[value])
        case "band":
            return _(labels.BANDS[value])
        case "no_trick" | "last_said":
            return {"re": _("Re"), "kontra": _("Kontra"), "none": _("niemand")}[value]
        case "re_specials" | "kontra_specials":
            return ", ".join(
                _(labels.SPECIALS[special].name) + (f" ×{value[special]}" if value[special] > 1 else "")
                for special in labels.SPECIALS
                if special in value
            )
        case "points":
            signed = ((seat(place), f"{points:+d}".replace("-", "−")) for place, points in enumerate(value) if points)
            return ", ".join(f"{name} {points}" for name, points in signed)
    if isinstance(value, bool):
        return _yes_or_no(value)
    return str(value)


def _yes_or_no(value: bool) -> str:
    return _("ja") if value else _("nein")
