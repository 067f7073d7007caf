"""The forms for a new evening and for another table: when, where, under which rules, how long, and who sits where."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final, cast

from crispy_forms.layout import Submit
from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db.models import QuerySet
from django.forms import BoundField
from django.http import QueryDict
from django.utils.dates import MONTHS
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.access import Access
from scoring.club.models import NAME_LENGTH, Club, Player
from scoring.club.names import build_letters, get_color_class
from scoring.club.queries import find_player, is_active_player, list_active_players, list_people
from scoring.club.texts import build_long_ago_warning
from scoring.core.dates import FIRST_DAY, validate_not_in_future
from scoring.core.formats import NAME_ATTRS, mark_as_name
from scoring.core.forms import (
    ConfirmingForm,
    DayInput,
    ListFilterForm,
    build_columns_layout,
    build_filter_helper,
    build_post_helper,
)
from scoring.core.text import parse_whole, tidy, validate_plain
from scoring.evenings.actions import RunsAlready
from scoring.evenings.queries import places_of, running_line_ups, with_person, years_of
from scoring.evenings.texts import line_up_said
from scoring.play.actions import WrongLineUp
from scoring.play.models import SEATS, Evening, Table
from scoring.rulesets.models import RuleSet
from scoring.table.forms.carry import CarryingForm
from scoring.table.forms.seats import SEAT_NAMES, draw_button, drawn, games_proposed, places, propose_games

# How the value of a seat begins that holds a name instead of an id: no id does.
NEW: Final = "+"
# The buttons that seat people and begin nothing; each does without a script what the script does at once.
STEPS: Final = {"tap", "add", "draw"}


@dataclass(frozen=True)
class Chip:
    """Somebody who can be tapped: the value of their seat, their name, at which place they sit, from 1, and the letters that
    stand for them in a colour of their own."""

    value: str
    name: str
    place: int | None
    letters: str = ""
    colour: str = ""


@dataclass(frozen=True)
class Running:
    """A table of an open evening: the ids of its people as text, what is said to them, and whether the form shows it."""

    table: Table
    people: str
    sentence: str
    shown: bool


class SeatField(forms.ModelChoiceField):  # type: ignore[type-arg]  # Django's class takes no argument
    """A place: somebody who can sit down today, by id, or a name: whoever has it, else a guest who is not stored yet."""

    def __init__(self, club: Club) -> None:
        super().__init__(list_active_players(club), required=False, widget=forms.HiddenInput)
        self.club = club

    def to_python(self, value: Any) -> Player | None:
        if not str(value or "").startswith(NEW):
            return super().to_python(value)
        return named(self.club, str(value).removeprefix(NEW))


class DayAndPlace(forms.Form):
    """When and where an evening is held."""

    held_on = forms.DateField(
        label=gettext_lazy("Datum"),
        widget=DayInput({"min": FIRST_DAY.isoformat()}),
        validators=[
            MinValueValidator(FIRST_DAY, gettext_lazy("Bitte einen Tag ab 1950 angeben.")),
            validate_not_in_future,
        ],
    )
    place = forms.CharField(label=gettext_lazy("Ort"), max_length=60, required=False, validators=[validate_plain])

    def clean_place(self) -> str:
        return tidy(self.cleaned_data["place"])


class EveningForm(DayAndPlace, CarryingForm, ConfirmingForm):
    """People are tapped in seating order, the first of them deals first. `last` is the line-up to begin with in one tap."""

    key = forms.UUIDField(required=False, widget=forms.HiddenInput)
    newcomer = forms.CharField(label=gettext_lazy("Neuer Name"), max_length=NAME_LENGTH, required=False)
    # The same people sit at a running table, and it is meant so.
    beside = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, data: QueryDict | None, *, club: Club, last: Sequence[Player], initial: dict[str, object]
    ) -> None:
        games = games_proposed(cast("RuleSet | None", initial.get("rule_set")), len(last))
        proposed = {"planned_games": games, "proposed": games}
        super().__init__(None if data is None else propose_games(seated(data, club), club), initial=proposed | initial)
        self.club, self.last = club, last
        self.whole = not STEPS & self.data.keys()
        self.add_table(club)
        # Asked for once: the line that says what is chosen needs them too.
        rules: Any = self.fields["rule_set"]
        rule_sets = list(rules.queryset)
        self._rule_sets = rules.choices = [(rule_set.pk, str(rule_set)) for rule_set in rule_sets]
        self.proposals = {
            rule_set.pk: {size: games for size in SEATS if (games := games_proposed(rule_set, size))}
            for rule_set in rule_sets
        }
        self.add_offer(last)

    def add_seats(self, club: Club, also: Sequence[Player] = ()) -> None:
        self.fields |= {name: SeatField(club) for name in SEAT_NAMES}

    def _evening(self, given: dict[str, Any]) -> Evening:
        return Evening(club=self.club, held_on=given["held_on"])

    def clean(self) -> dict[str, Any]:
        told = super().clean()
        if self.whole:
            self.ask_once("held_on", told.get("held_on"), build_long_ago_warning(self.club, told.get("held_on")))
        return told

    def clean_newcomer(self) -> str:
        """A name that could be seated was: what is left cannot be a name, or finds no place."""
        if name := self.cleaned_data["newcomer"]:
            named(self.club, name)
            raise ValidationError(str(WrongLineUp()))
        return ""

    # --- What the page shows

    @property
    def seats(self) -> list[BoundField]:
        return [self[name] for name in SEAT_NAMES]

    @property
    def seat_faults(self) -> list[str]:
        return [str(fault) for name in SEAT_NAMES for fault in self.errors.get(name, [])]

    @property
    def chips(self) -> list[Chip]:
        """Who sat there last, everybody else by name, and who is new."""
        order, names = self._order, self._names
        drawn = build_letters(dict(enumerate(names.values()))).values()
        colours = {str(player.pk): get_color_class(player.pk, player.name) for player in self._people}
        return [
            Chip(value, name, order.index(value) + 1 if value in order else None, initials, colours.get(value, ""))
            for (value, name), initials in zip(names.items(), drawn, strict=True)
        ]

    @property
    def blank_chip(self) -> Chip:
        """What the script makes the chip of a new name from."""
        return Chip("", "", None)

    @property
    def is_full(self) -> bool:
        return len(self._order) == len(SEAT_NAMES)

    @property
    def said(self) -> tuple[str, str]:
        """Who deals and who follows; who is missing or new."""
        order, names = self._order, self._names
        return line_up_said([names[value] for value in order], [names[v] for v in order if v.startswith(NEW)])

    @property
    def as_last(self) -> str:
        """The last line-up as its button sends it; nothing where it is no line-up any more."""
        return ",".join(str(player.pk) for player in self.last) if len(self.last) in SEATS else ""

    @cached_property
    def running(self) -> list[Running]:
        """The tables that run on any day; the page shows the one at which those who are chosen sit."""
        chosen = ",".join(sorted(self._order)) or ",".join(sorted(self.as_last.split(",")))
        found = []
        for table, people in running_line_ups(self.club).items():
            ids = ",".join(sorted(map(str, people)))
            shown = ids == chosen and table.evening.held_on == self.day
            found.append(Running(table, ids, str(RunsAlready(table, len(people))), shown))
        return found

    @property
    def has_offer(self) -> bool:
        # A page takes `form.offered` for the field.
        return self.offered is not None

    @property
    def offered_to(self) -> str:
        """For whom the open Bock games are that the page shows."""
        return (",".join(self._order) or self.as_last) if self.offered else ""

    @property
    def day(self) -> datetime.date | None:
        try:
            day: datetime.date = self.fields["held_on"].clean(self["held_on"].value())
        except ValidationError:
            return None
        return day

    @property
    def rules(self) -> str:
        """The rule set that is chosen; at first the browser takes the first one."""
        chosen = str(self["rule_set"].value())
        names = {str(value): name for value, name in self._rule_sets}
        return names.get(chosen) or next(iter(names.values()), "")

    @property
    def games(self) -> int | None:
        """How many games are planned, as far as that can be read."""
        return parse_whole(self["planned_games"].value() or "")

    @property
    def is_unfolded(self) -> bool:
        return not {"held_on", "place", "rule_set", "planned_games"}.isdisjoint(self.errors)

    @property
    def _order(self) -> list[str]:
        return [str(seat.value()) for seat in self.seats if seat.value()]

    @cached_property
    def _people(self) -> list[Player]:
        return [*self.last, *list_active_players(self.club)]

    @cached_property
    def _names(self) -> dict[str, str]:
        """By the value of their seat: everybody who can sit down, who is new, and who was tapped and has left meanwhile."""
        names = {str(player.pk): player.name for player in self._people}
        return names | {
            value: value.removeprefix(NEW) if value.startswith(NEW) else _("Unbekannt")
            for value in self._order
            if value not in names
        }


def named(club: Club, name: str) -> Player:
    """Whoever has this name in the club, else a guest who is not stored yet. Raises ValidationError."""
    guest = Player(club=club, name=name, guest=True)
    try:
        guest.clean_fields(exclude={"club"})
    except ValidationError as error:
        raise ValidationError(error.messages) from error
    return find_player(club, guest.name) or guest


def seated(data: QueryDict, club: Club) -> QueryDict:
    """What was sent, with everybody seated who was tapped or named in it: the whole last line-up, one person more or less,
    a new name, or all of them at random places. A name that cannot be seated stays where it was typed."""
    last = data.get("line_up", "")
    people = last.split(",") if last else [data.get(name, "") for name in SEAT_NAMES if data.get(name)]
    sent, tapped, typed = data.copy(), data.get("tap", ""), data.get("newcomer", "")
    if tapped in people:
        people.remove(tapped)
    elif tapped:
        people.append(tapped)
    if typed.strip() and len(people) < len(SEAT_NAMES):
        with suppress(ValidationError):
            person = named(club, typed)
            value = str(person.pk) if person.pk and is_active_player(person) else NEW + person.name
            people += [value] if value not in people else []
            sent["newcomer"] = ""
    for name, person_there in zip_longest(SEAT_NAMES, people[: len(SEAT_NAMES)], fillvalue=""):
        sent[name] = person_there
    return drawn(sent) if "draw" in data else sent


class TableForm(CarryingForm):
    """One more table on an evening."""

    def __init__(self, data: QueryDict | None, *, evening: Evening, initial: dict[str, object]) -> None:
        super().__init__(data and propose_games(data, evening.club), initial=initial)
        self.evening = evening
        self.add_table(evening.club)
        self.helper = build_post_helper(
            "offered",
            "proposed",
            "rule_set",
            "planned_games",
            places(),
            draw_button(),
            Submit("open", _("Tisch dazustellen"), css_class="btn-primary w-100"),
        )
        self.add_offer()

    def _evening(self, given: dict[str, Any]) -> Evening:
        return self.evening

    def _find(self, rule_set: RuleSet | None, players: Sequence[Player], evening: Evening) -> None:
        super()._find(rule_set, players, evening)
        if self.offered:
            # Right above the button.
            self.helper.layout.insert(-1, "carry")


class CloseForm(forms.Form):
    """Everybody who sat at a table is ticked to begin with."""

    def __init__(self, data: QueryDict | None, people: Sequence[Player]) -> None:
        super().__init__(data)
        by_id = {str(player.pk): player for player in people}
        self.fields["present"] = forms.TypedMultipleChoiceField(
            choices=[(pk, mark_as_name(player)) for pk, player in by_id.items()],
            coerce=by_id.__getitem__,
            initial=list(by_id),
            required=False,
            label=_("Wer war da und hat den Zettel gesehen?"),
            widget=forms.CheckboxSelectMultiple,
        )
        self.helper = build_post_helper(
            "present", Submit("close", _("Abend abschließen"), css_class="btn-primary w-100")
        )


class EveningsForm(ListFilterForm):
    """Offers the years of `evenings` and the months, to members also the places and people of the club. Where nothing is chosen
    it is the last year."""

    def __init__(self, data: Any, *, access: Access, evenings: QuerySet[Evening]) -> None:
        self.years = [str(year) for year in years_of(evenings)]
        self._evenings = evenings
        named = {"year": (_("Jahr"), {year: year for year in self.years})}
        named["month"] = (_("Monat"), {str(number): str(name) for number, name in MONTHS.items()})
        if access.member:
            named["place"] = (_("Ort"), {place: place for place in places_of(access.club)})
            named["person"] = (_("Person"), {str(one.pk): str(one) for one in list_people(access.club)})
        super().__init__(data if named.keys() & data.keys() else {"year": self.years[0] if self.years else ""})
        self._named = {name: choices for name, (_label, choices) in named.items()}
        for name, (label, choices) in named.items():
            shown = [("", _("alle")), *choices.items()]
            self.fields[name] = forms.ChoiceField(choices=shown, label=label, required=False)
            self.fields[name].widget.attrs |= NAME_ATTRS if name in ("place", "person") else {}
        show = Submit("", _("Anzeigen"), css_class="btn-primary")
        self.helper = build_filter_helper(build_columns_layout(*self.fields), show)

    @property
    def _chosen(self) -> dict[str, str]:
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def summary(self) -> str:
        """What is chosen, in words."""
        return " · ".join(self._named[name][value] for name, value in self._chosen.items()) or _("Alle Jahre")

    @property
    def evenings(self) -> QuerySet[Evening]:
        """The evenings that were asked for; a choice that does not exist counts as none and is named at its field."""
        lookups = {"year": "held_on__year", "month": "held_on__month", "place": "place"}
        chosen = self._chosen
        found = self._evenings.filter(**{lookups[name]: value for name, value in chosen.items() if name in lookups})
        return with_person(found, int(chosen["person"])) if "person" in chosen else found
