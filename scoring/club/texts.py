"""Turn log entries into sentences.

Only ids and values are stored; names are looked up here, with a few queries for a whole page.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.club.models import Change, Club, Verb
from scoring.club.queries import Lookups, get_first_evening_day
from scoring.core.dates import subtract_year
from scoring.core.formats import format_day, yes_or_no

Values = Mapping[str, Any]
# What was kept of one side of a change, as label and text.
LabeledValues = dict[str, str]
# The rows that the ids of some changes name, by the key under which an id stands; what is gone is not there any more.
Names = Mapping[str, Mapping[int, Any]]


@dataclass(frozen=True)
class ChangeFormat:
    """How a change is told: what its `told` sides say, what was `done` if its verb does not say it, and what it is `about`.
    `subject` is the key under which the subject is looked up; "" is a row that is not looked up, None the line or the table
    whose place is told."""

    told: Callable[[Change, Values, Names], LabeledValues]
    about: Callable[[Change, Names], str] = lambda change, names: ""
    done: Callable[[Change], str] = lambda change: change.done
    subject: str | None = ""


ChangeFormats = Mapping[str, ChangeFormat]
# Under these keys stand ids of people.
_PLAYER_KEYS = ("players", "guests", "excused", "unexcused", "free")
# What these changes are about is gone.
_REMOVALS = (
    Verb.EVENING_DISCARDED,
    Verb.EVENING_DROPPED,
    Verb.EVENING_REMOVED,
    Verb.GAME_DELETED,
    Verb.CASH_REVERSED,
    Verb.CASH_UNFINED,
)
# What a page has no words for.
_DEFAULT_FORMAT = ChangeFormat(lambda change, values, names: {}, subject=None)


@dataclass(frozen=True)
class Difference:
    """One thing that a change touched; None where it was not there."""

    label: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class ChangeDescription:
    """One change as people read it: what was `done`; `about` names the person, rule set or evening; `place` the table of a game;
    `number` the one that this game has on its sheet."""

    change: Change
    done: str
    about: str
    place: str
    differences: list[Difference]
    number: int | None = None

    @property
    def is_striking(self) -> bool:
        return self.change.verb in _REMOVALS

    @property
    def is_usual(self) -> bool:
        """True for a game that was entered, which is what most changes are."""
        return self.change.verb == Verb.GAME_ADDED and self.done == self.change.done

    @property
    def batch(self) -> tuple[object, ...]:
        """The common part of changes of one kind that one person makes within one minute; games on one sheet."""
        change = self.change
        at = None if self.is_usual else change.at.replace(second=0, microsecond=0)
        return change.verb, change.actor_id, change.spoken_as_id, change.table_id, at

    @property
    def parts(self) -> list[str]:
        """The parts of `about`, each of which stays in one line."""
        return self.about.split(" · ") if self.about else []


def describe_changes(changes: Sequence[Change], tellings: ChangeFormats, lookups: Lookups) -> list[ChangeDescription]:
    """The changes in sentences, in their order."""
    names = _look_up_names(changes, tellings, lookups)
    return [_describe_change(change, tellings.get(change.verb, _DEFAULT_FORMAT), names) for change in changes]


def check_description(changes: Sequence[Change], tellings: ChangeFormats, lookups: Lookups) -> None:
    """Tells the changes to nobody, to see whether they can be told: without who did it and where. Raises what `tell` would."""
    names = _look_up_names(changes, tellings, lookups)
    for change in changes:
        _describe_sides(change, tellings.get(change.verb, _DEFAULT_FORMAT), names)


def is_describable(change: Change, tellings: ChangeFormats, lookups: Lookups) -> bool:
    """Can this change be told in sentences, whoever it names? Asked of what came from elsewhere, before it is kept."""
    try:
        _collect_ids([change], tellings, lookups)
        _describe_sides(change, tellings[change.verb], {key: {} for key in lookups})
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return False
    return True


def format_table_and_day(number: int, held_on: datetime.date) -> str:
    return _("Tisch %(number)s am %(day)s") % {"number": number, "day": format_day(held_on)}


def get_evening_day(change: Change, names: Names) -> str:
    """The day of the evening that is the subject of a change."""
    evening = names["evening"].get(int(change.subject_id))
    return format_day(evening.held_on) if evening else ""


def _describe_change(change: Change, telling: ChangeFormat, names: Names) -> ChangeDescription:
    done, about, before, after = _describe_sides(change, telling, names)
    place = format_table_and_day(change.table.number, change.table.evening.held_on) if change.table else ""
    return ChangeDescription(change, done, about, place, _list_differences(before, after))


def _describe_sides(change: Change, telling: ChangeFormat, names: Names) -> tuple[str, str, LabeledValues, LabeledValues]:
    before, after = (
        {} if values is None else telling.told(change, values, names) for values in (change.before, change.after)
    )
    return telling.done(change), telling.about(change, names), before, after


def _look_up_names(changes: Sequence[Change], tellings: ChangeFormats, lookups: Lookups) -> Names:
    wanted = _collect_ids(changes, tellings, lookups)
    return {key: look_up(wanted[key]) if wanted[key] else {} for key, look_up in lookups.items()}


def _collect_ids(changes: Iterable[Change], tellings: ChangeFormats, lookups: Lookups) -> dict[str, set[int]]:
    """The ids that these changes name, by the key they stand under."""
    wanted: dict[str, set[int]] = defaultdict(set)
    for change in changes:
        subject = tellings.get(change.verb, _DEFAULT_FORMAT).subject
        if subject is not None:
            wanted[subject].add(int(change.subject_id))
        for values in (change.before or {}, change.after or {}):
            for several in _PLAYER_KEYS:
                wanted["players"].update(values.get(several, ()))
            wanted["players"].update(values[one] for one in ("player", "host") if values.get(one) is not None)
            for key in lookups.keys() - {"players"}:
                if values.get(key) is not None:
                    wanted[key].add(values[key])
    return wanted


def _list_differences(before: LabeledValues, after: LabeledValues) -> list[Difference]:
    """The fields that differ, in the order in which they are told. All fields if the thing was made or deleted."""
    told = list(dict.fromkeys([*after, *before]))
    return [
        Difference(label, before.get(label), after.get(label))
        for label in told
        if before.get(label) != after.get(label)
    ]


def get_person_name(names: Names, pk: int) -> str:
    """Who has a name by now; who is gone has none any more."""
    player = names["players"].get(pk)
    return (player and player.name) or _("jemand, der nicht mehr da ist")


def get_login_name(names: Names, pk: int) -> str:
    user = names["user"].get(pk)
    return (user and user.get_username()) or _("ein gelöschter Zugang")


def build_long_ago_warning(club: Club, on: datetime.date | None, besides: int | None = None) -> str:
    """Return what is odd about a day more than a year before the first evening of a club, `besides` one that is moved;
    empty where nothing is."""
    first = get_first_evening_day(club, besides) if on else None
    if first is None or on is None or on >= subtract_year(first):
        return ""
    return _("Dieser Tag liegt mehr als ein Jahr vor dem ersten Abend des Clubs (%(day)s).") % {"day": format_day(first)}


def get_subject_name(change: Change, names: Names) -> str:
    return get_person_name(names, int(change.subject_id))


def describe_import(values: Values) -> LabeledValues:
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


def _describe_player(change: Change, values: Values, names: Names) -> LabeledValues:
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
        told[_("Zugang")] = get_login_name(names, values["user"])
    if values.get("renamed"):
        told[_("Name")] = _("geändert")
    return told


def _describe_member(change: Change, values: Values, names: Names) -> LabeledValues:
    rights = {"scorer": _("schreibt"), "treasurer": _("führt die Kasse"), "admin": _("verwaltet")}
    told = {_("Rechte"): ", ".join([_("liest"), *(name for role, name in rights.items() if values[role])])}
    if values.get("reset_link"):
        return told | {_("Passwort"): _("Link für ein neues gemacht")}
    return told | {_("Passwort"): _("neu vergeben")} if values.get("new_password") else told


def _describe_link(change: Change, values: Values, names: Names) -> LabeledValues:
    return {
        **_describe_member(change, values, names),
        _("Für wie viele"): str(values["most_uses"]),
        _("Gilt bis"): format_day(datetime.date.fromisoformat(values["ends_on"])),
    }


def _get_subject_login(change: Change, names: Names) -> str:
    return get_login_name(names, int(change.subject_id))


def _describe_visibility(change: Change, values: Values, names: Names) -> LabeledValues:
    return {str(one.verbose_name): yes_or_no(values[one.name]) for one in Club._meta.fields if one.name in values}


def _describe_retention(change: Change, values: Values, names: Names) -> LabeledValues:
    years = values["years"]
    if years is None:
        return {_("Verlauf bleibt"): _("für immer")}
    return {_("Verlauf bleibt"): ngettext("%(years)s Jahr", "%(years)s Jahre", years) % {"years": years}}


CHANGES: Final[ChangeFormats] = {
    **dict.fromkeys(
        (Verb.PLAYER_ADDED, Verb.PLAYER_CHANGED, Verb.PLAYER_ERASED),
        ChangeFormat(_describe_player, get_subject_name, subject="players"),
    ),
    **dict.fromkeys(
        (Verb.MEMBER_INVITED, Verb.MEMBER_UNINVITED, Verb.MEMBER_JOINED, Verb.MEMBER_CHANGED),
        ChangeFormat(_describe_member, _get_subject_login, subject="user"),
    ),
    **dict.fromkeys((Verb.LINK_MADE, Verb.LINK_ENDED), ChangeFormat(_describe_link)),
    Verb.CLUB_SHOWN: ChangeFormat(_describe_visibility),
    Verb.HISTORY_KEPT: ChangeFormat(_describe_retention),
    Verb.ARCHIVE_TAKEN: ChangeFormat(lambda change, values, names: describe_import(values)),
}
