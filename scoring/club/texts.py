"""Turn log entries into sentences. Names are looked up with a few queries for a whole page."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import DateField
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from scoring.club.models import PLAYER_FIELDS, ROLES, Change, Club, Player, Verb, describe_roles
from scoring.club.queries import Lookups, get_first_evening_day
from scoring.core.dates import subtract_year
from scoring.core.formats import format_day, yes_or_no

Values = Mapping[str, Any]
LabeledValues = dict[str, str]  # one side of a change (before or after): labels and texts
# The rows whose ids are in log entries, by the key of the ids. Deleted rows are missing.
Names = Mapping[str, Mapping[int, Any]]


@dataclass(frozen=True)
class ChangeFormat:
    """Functions that describe a kind of change: `values` one side of it, `about` its subject, `done` the verb.
    `subject` is the key to look it up with; "" for none, None if its id is no number (a game or a table)."""

    values: Callable[[Change, Values, Names], LabeledValues]
    about: Callable[[Change, Names], str] = lambda change, names: ""
    done: Callable[[Change], str] = lambda change: change.done
    subject: str | None = ""


ChangeFormats = Mapping[str, ChangeFormat]
# The formats and lookups of all topics. apps.py adds them when the program starts, because most topics are right of this one.
FORMATS: Final[dict[str, ChangeFormat]] = {}
LOOKUPS: Final[dict[str, Callable[[set[int]], Mapping[int, Any]]]] = {}
_PLAYER_KEYS = ("players", "guests", "excused", "unexcused", "free")  # keys of log entries with lists of player ids
# The subject of these changes is gone afterwards.
_REMOVALS = {
    *(Verb.EVENING_DISCARDED, Verb.EVENING_DROPPED, Verb.EVENING_REMOVED),
    *(Verb.GAME_DELETED, Verb.CASH_REVERSED, Verb.CASH_UNFINED),
}
_DEFAULT_FORMAT = ChangeFormat(lambda change, values, names: {}, subject=None)  # for a verb without a format


@dataclass(frozen=True)
class ChangeDescription:
    """A change in words; `place` is its table and day, `number` that of its game. `struck`: the game is deleted now.
    The `differences` have the label of a field and its text before and after, None where the thing did not exist."""

    change: Change
    done: str
    about: str
    place: str
    differences: list[dict[str, str | None]]
    number: int | None = None
    struck: bool = False

    @property
    def is_removal(self) -> bool:
        return self.change.verb in _REMOVALS

    @property
    def is_usual(self) -> bool:
        return self.change.verb == Verb.GAME_ADDED and self.done == self.change.done

    @property
    def batch(self) -> tuple[object, ...]:
        """The key that groups changes of one kind by one person within a minute, or games of one sheet."""
        change = self.change
        at = None if self.is_usual else change.at.replace(second=0, microsecond=0)
        return change.verb, change.actor_id, change.spoken_as_id, change.table_id, at

    @property
    def is_correction(self) -> bool:
        """True if a game was corrected: its differences tell more than its main facts."""
        return self.change.verb == Verb.GAME_CORRECTED and bool(self.differences)

    @property
    def parts(self) -> list[str]:
        """The parts of `about`; a line does not break inside one. Empty for a correction."""
        return self.about.split(" · ") if self.about and not self.is_correction else []


def describe_changes(
    changes: Sequence[Change], formats: ChangeFormats = FORMATS, lookups: Lookups = LOOKUPS
) -> list[ChangeDescription]:
    names = _look_up_names(changes, formats, lookups)
    descriptions = []
    for change in changes:
        done, about, before, after = _describe_sides(change, formats.get(change.verb, _DEFAULT_FORMAT), names)
        place = format_table_and_day(change.table.number, change.table.evening.held_on) if change.table else ""
        descriptions.append(ChangeDescription(change, done, about, place, _list_differences(before, after)))
    return descriptions


def are_describable(changes: Sequence[Change]) -> bool:
    """Return whether imported changes can be described, without author and place. The texts are in no language, which is faster."""
    try:
        with override(None):
            names = _look_up_names(changes, FORMATS, LOOKUPS)
            for change in changes:
                _describe_sides(change, FORMATS[change.verb], names)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return False
    return True


def format_table_and_day(number: int, held_on: datetime.date) -> str:
    return _("Tisch %(number)s am %(day)s") % {"number": number, "day": format_day(held_on)}


def get_evening_day(change: Change, names: Names) -> str:
    evening = names["evening"].get(int(change.subject_id))
    return format_day(evening.held_on) if evening else ""


def _describe_sides(change: Change, change_format: ChangeFormat, names: Names) -> tuple[str, str, LabeledValues, LabeledValues]:
    before, after = (
        {} if values is None else change_format.values(change, values, names) for values in (change.before, change.after)
    )
    return change_format.done(change), change_format.about(change, names), before, after


def _look_up_names(changes: Sequence[Change], formats: ChangeFormats, lookups: Lookups) -> Names:
    wanted = _collect_ids(changes, formats, lookups)
    return {key: look_up(wanted[key]) if wanted[key] else {} for key, look_up in lookups.items()}


def _collect_ids(changes: Iterable[Change], formats: ChangeFormats, lookups: Lookups) -> dict[str, set[int]]:
    wanted: dict[str, set[int]] = defaultdict(set)
    for change in changes:
        subject = formats.get(change.verb, _DEFAULT_FORMAT).subject
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


def _list_differences(before: LabeledValues, after: LabeledValues) -> list[dict[str, str | None]]:
    """Return the fields that differ, in their order; all fields if the thing was created or deleted."""
    values = {label: (before.get(label), after.get(label)) for label in (*after, *before)}
    return [{"label": label, "before": old, "after": new} for label, (old, new) in values.items() if old != new]


def get_person_name(names: Names, pk: int) -> str:
    player = names["players"].get(pk)
    return (player and player.name) or _("jemand, der nicht mehr da ist")


def get_login_name(names: Names, pk: int) -> str:
    user = names["user"].get(pk)
    return (user and user.get_username()) or _("ein gelöschter Zugang")


def build_long_ago_warning(club: Club, on: datetime.date | None, besides: int | None = None) -> str:
    """Return a warning for a day more than a year before the club's first evening, not counting the evening `besides`; else ""."""
    first = get_first_evening_day(club, besides) if on else None
    if first is None or on is None or on >= subtract_year(first):
        return ""
    return _("Dieser Tag liegt mehr als ein Jahr vor dem ersten Abend des Clubs (%(day)s).") % {"day": format_day(first)}


def get_subject_name(change: Change, names: Names) -> str:
    return get_person_name(names, int(change.subject_id))


def describe_import(values: Values) -> LabeledValues:
    """Return what an import added or removed: entries of an old Kasse, people of an opening balance, or evenings with lines."""
    if "entries" in values:
        return {_("Buchungen"): str(values["entries"])}
    if "opened" in values:
        return {_("Personen"): str(values["opened"])}
    result = {_("Abende"): str(values["evenings"])}
    if values.get("lines"):
        result[_("Zeilen")] = str(values["lines"])
    return result


def _describe_player(change: Change, values: Values, names: Names) -> LabeledValues:
    result = {_("Gast"): yes_or_no(values["guest"])}
    if values.get("by_initial"):
        result[_("Für Fremde")] = _("nur der Anfangsbuchstabe")
    for name in PLAYER_FIELDS:
        value = values.get(name)
        if value and name not in ("guest", "by_initial"):
            field: Any = Player._meta.get_field(name)
            if name == "user":
                value = get_login_name(names, value)
            elif isinstance(field, DateField):
                value = format_day(datetime.date.fromisoformat(value))
            result[capfirst(field.verbose_name)] = str(value)
    if values.get("renamed"):
        result[_("Name")] = _("geändert")
    return result


def _describe_member(change: Change, values: Values, names: Names) -> LabeledValues:
    result = {_("Rechte"): ", ".join(describe_roles(role for role in ROLES if values.get(role)))}
    if values.get("reset_link"):
        return result | {_("Passwort"): _("Link für ein neues gemacht")}
    return result | {_("Passwort"): _("neu vergeben")} if values.get("new_password") else result


def _describe_link(change: Change, values: Values, names: Names) -> LabeledValues:
    return {
        **_describe_member(change, values, names),
        _("Für wie viele"): str(values["most_uses"]),
        _("Gilt bis"): format_day(datetime.date.fromisoformat(values["ends_on"])),
    }


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
        ChangeFormat(_describe_member, lambda change, names: get_login_name(names, int(change.subject_id)), subject="user"),
    ),
    **dict.fromkeys((Verb.LINK_MADE, Verb.LINK_ENDED), ChangeFormat(_describe_link)),
    Verb.CLUB_SHOWN: ChangeFormat(_describe_visibility),
    Verb.HISTORY_KEPT: ChangeFormat(_describe_retention),
    Verb.ARCHIVE_TAKEN: ChangeFormat(lambda change, values, names: describe_import(values)),
}
