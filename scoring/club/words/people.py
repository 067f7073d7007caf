"""What was done to people, to logins and to the club as a whole, in the words of the history."""

from __future__ import annotations

import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.club.models.history import Change, Verb
from scoring.club.models.people import Club
from scoring.club.queries import first_evening_day
from scoring.core.dates import subtract_year
from scoring.core.formats import format_day, yes_or_no

from .changes import Names, Telling, Tellings, Told, Values


def person(names: Names, pk: int) -> str:
    """Who has a name by now; who is gone has none any more."""
    player = names["players"].get(pk)
    return (player and player.name) or _("jemand, der nicht mehr da ist")


def login(names: Names, pk: int) -> str:
    user = names["user"].get(pk)
    return (user and user.get_username()) or _("ein gelöschter Zugang")


def long_ago_sentence(club: Club, on: datetime.date | None, besides: int | None = None) -> str:
    """Return what is odd about a day more than a year before the first evening of a club, `besides` one that is moved;
    empty where nothing is."""
    first = first_evening_day(club, besides) if on else None
    if first is None or on is None or on >= subtract_year(first):
        return ""
    return _("Dieser Tag liegt mehr als ein Jahr vor dem ersten Abend des Clubs (%(day)s).") % {"day": format_day(first)}


def about_person(change: Change, names: Names) -> str:
    return person(names, int(change.subject_id))


def brought(values: Values) -> Told:
    """What an import brought, or what was taken back of it: entries of the books for an old Kasse, people for an opening
    balance, otherwise evenings with their lines."""
    if "entries" in values:
        return {_("Buchungen"): str(values["entries"])}
    if "opened" in values:
        return {_("Personen"): str(values["opened"])}
    told = {_("Abende"): str(values["evenings"])}
    if values.get("lines"):
        told[_("Zeilen")] = str(values["lines"])
    return told


def _player(change: Change, values: Values, names: Names) -> Told:
    told = {_("Gast"): yes_or_no(values["guest"])}
    if values.get("by_initial"):
        told[_("Für Fremde")] = _("nur der Anfangsbuchstabe")
    days = {
        "joined_on": _("Dabei seit"),
        "left_on": _("Ausgeschieden am"),
        "rests_from": _("Pause ab"),
        "rests_until": _("Pause bis"),
    }
    for key, label in days.items():
        if values.get(key):
            told[label] = format_day(datetime.date.fromisoformat(values[key]))
    if values["user"]:
        told[_("Zugang")] = login(names, values["user"])
    if values.get("renamed"):
        told[_("Name")] = _("geändert")
    return told


def _member(change: Change, values: Values, names: Names) -> Told:
    rights = {"scorer": _("schreibt"), "treasurer": _("führt die Kasse"), "admin": _("verwaltet")}
    told = {_("Rechte"): ", ".join([_("liest"), *(name for role, name in rights.items() if values[role])])}
    if values.get("reset_link"):
        return told | {_("Passwort"): _("Link für ein neues gemacht")}
    return told | {_("Passwort"): _("neu vergeben")} if values.get("new_password") else told


def _link(change: Change, values: Values, names: Names) -> Told:
    return {
        **_member(change, values, names),
        _("Für wie viele"): str(values["most_uses"]),
        _("Gilt bis"): format_day(datetime.date.fromisoformat(values["ends_on"])),
    }


def _about_login(change: Change, names: Names) -> str:
    return login(names, int(change.subject_id))


def _shown(change: Change, values: Values, names: Names) -> Told:
    return {str(one.verbose_name): yes_or_no(values[one.name]) for one in Club._meta.fields if one.name in values}


def _kept(change: Change, values: Values, names: Names) -> Told:
    years = values["years"]
    if years is None:
        return {_("Verlauf bleibt"): _("für immer")}
    return {_("Verlauf bleibt"): ngettext("%(years)s Jahr", "%(years)s Jahre", years) % {"years": years}}


CHANGES: Final[Tellings] = {
    **dict.fromkeys(
        (Verb.PLAYER_ADDED, Verb.PLAYER_CHANGED, Verb.PLAYER_ERASED), Telling(_player, about_person, subject="players")
    ),
    **dict.fromkeys(
        (Verb.MEMBER_INVITED, Verb.MEMBER_UNINVITED, Verb.MEMBER_JOINED, Verb.MEMBER_CHANGED),
        Telling(_member, _about_login, subject="user"),
    ),
    **dict.fromkeys((Verb.LINK_MADE, Verb.LINK_ENDED), Telling(_link)),
    Verb.CLUB_SHOWN: Telling(_shown),
    Verb.HISTORY_KEPT: Telling(_kept),
    Verb.ARCHIVE_TAKEN: Telling(lambda change, values, names: brought(values)),
}
