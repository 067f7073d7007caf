"""Forms to open an evening, add a table and close an evening, and the filter of the list of evenings."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from contextlib import suppress
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
from scoring.core.text import parse_whole, text_key, tidy, validate_plain
from scoring.evenings.actions import EveningIsRunning
from scoring.evenings.queries import filter_by_player, list_years, read_open_line_ups
from scoring.evenings.texts import describe_line_up
from scoring.play.models import SEATS, Evening
from scoring.play.replay import WrongLineUp
from scoring.rulesets.models import RuleSet
from scoring.table.forms.seats import (
    SEAT_NAMES,
    CarryingForm,
    build_draw_button,
    build_seats_fieldset,
    draw_seats,
    get_proposed_games,
    propose_games,
)

# The prefix of the value of a seat that holds a name instead of an id.
NEW: Final = "+"
# The buttons that only change the line-up. Without a script the server does what the script does.
STEPS: Final = {"tap", "add", "draw"}


class SeatField(forms.ModelChoiceField):  # type: ignore[type-arg]  # Django's class takes no argument
    """A seat: an active player by id, or a name, which may give an unsaved guest."""

    def __init__(self, club: Club) -> None:
        super().__init__(list_active_players(club), required=False, widget=forms.HiddenInput)
        self.club = club

    def to_python(self, value: Any) -> Player | None:
        if not str(value or "").startswith(NEW):
            return super().to_python(value)
        return get_player_or_guest(self.club, str(value).removeprefix(NEW))


class DayAndPlace(forms.Form):
    held_on = forms.DateField(
        label=gettext_lazy("Datum"),
        widget=DayInput({"min": FIRST_DAY.isoformat()}),
        validators=[MinValueValidator(FIRST_DAY, gettext_lazy("Bitte einen Tag ab 1950 angeben.")), validate_not_in_future],
    )
    place = forms.CharField(label=gettext_lazy("Ort"), max_length=60, required=False, validators=[validate_plain])

    def clean_place(self) -> str:
        return tidy(self.cleaned_data["place"])


class EveningForm(DayAndPlace, CarryingForm, ConfirmingForm):
    """People are tapped in seating order, the first deals first. `last` is the line-up that one button takes."""

    key = forms.UUIDField(required=False, widget=forms.HiddenInput)
    newcomer = forms.CharField(label=gettext_lazy("Neuer Name"), max_length=NAME_LENGTH, required=False)
    # Confirms that these people sit at an open table already.
    beside = forms.BooleanField(required=False, widget=forms.HiddenInput)
    # The script copies this chip for a new name.
    blank_chip: Final = dict.fromkeys(("value", "name", "seat", "letters", "colour"), "")

    def __init__(self, data: QueryDict | None, *, club: Club, last: Sequence[Player], initial: dict[str, object]) -> None:
        games = get_proposed_games(cast("RuleSet | None", initial.get("rule_set")), len(last))
        proposed = {"planned_games": games, "proposed": games}
        data = None if data is None else propose_games(apply_steps(data, club), club)
        super().__init__(data, initial=proposed | initial)
        self.club, self.last = club, last
        # The ids of the last line-up, as its button sends them; empty if they are no valid line-up any more.
        self.last_ids = ",".join(str(player.pk) for player in last) if len(last) in SEATS else ""
        self.is_final = not STEPS & self.data.keys()  # else the button only changes the line-up
        self.add_table(club)
        # Read once: the summary of the settings needs them too. `proposals`: numbers of games by rule set and number of players.
        rules: Any = self.fields["rule_set"]
        rule_sets = list(rules.queryset)
        self._rule_sets = rules.choices = [(rule_set.pk, str(rule_set)) for rule_set in rule_sets]
        self.proposals = {
            rule_set.pk: {size: games for size in SEATS if (games := get_proposed_games(rule_set, size))}
            for rule_set in rule_sets
        }
        self.add_offer(last)

    def add_seats(self, club: Club, also: Sequence[Player] = ()) -> None:
        self.fields |= {name: SeatField(club) for name in SEAT_NAMES}

    def _evening(self, given: dict[str, Any]) -> Evening:
        return Evening(club=self.club, held_on=given["held_on"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if self.is_final:
            self.ask_once("held_on", cleaned.get("held_on"), build_long_ago_warning(self.club, cleaned.get("held_on")))
        return cleaned

    def clean_newcomer(self) -> str:
        """Refuse a name that `apply_steps` left here: it is no valid name, or all seats are taken."""
        if name := self.cleaned_data["newcomer"]:
            get_player_or_guest(self.club, name)
            raise ValidationError(str(WrongLineUp()))
        return ""

    @property
    def seats(self) -> list[BoundField]:
        return [self[name] for name in SEAT_NAMES]

    @property
    def seat_errors(self) -> list[str]:
        return [str(error) for name in SEAT_NAMES for error in self.errors.get(name, [])]

    @property
    def chips(self) -> list[dict[str, Any]]:
        """The people who can be tapped: of the last line-up, then all others by name, then new names. Each has the value of the
        seat, the name, the number of the seat from 1 or None, letters and colour."""
        values, names = self._seat_values, self._names
        drawn = build_letters(dict(enumerate(names.values()))).values()
        colours = {str(player.pk): get_color_class(player.pk, player.name) for player in self._players}
        return [
            {
                "value": value,
                "name": name,
                "seat": values.index(value) + 1 if value in values else None,
                "letters": letters,
                "colour": colours.get(value, ""),
            }
            for (value, name), letters in zip(names.items(), drawn, strict=True)
        ]

    @property
    def is_full(self) -> bool:
        return len(self._seat_values) == len(SEAT_NAMES)

    @property
    def line_up_sentences(self) -> tuple[str, str]:
        values, names = self._seat_values, self._names
        return describe_line_up([names[value] for value in values], [names[v] for v in values if v.startswith(NEW)])

    @cached_property
    def open_tables(self) -> list[dict[str, Any]]:
        """The tables of open evenings with a sentence; the page shows the one with the chosen people and day."""
        chosen = ",".join(sorted(self._seat_values)) or ",".join(sorted(self.last_ids.split(",")))
        rows = []
        for table, people in read_open_line_ups(self.club).items():
            ids, sentence = ",".join(sorted(map(str, people))), str(EveningIsRunning(table, len(people)))
            is_shown = ids == chosen and table.evening.held_on == self.day
            rows.append({"table": table, "people": ids, "sentence": sentence, "is_shown": is_shown})
        return rows

    @property
    def has_offer(self) -> bool:
        # In a template `form.offered` is the field of that name.
        return self.offered is not None

    @property
    def offered_to(self) -> str:
        """The ids of the people to whom open Bock games are offered; "" without an offer."""
        return (",".join(self._seat_values) or self.last_ids) if self.offered else ""

    @property
    def day(self) -> datetime.date | None:
        with suppress(ValidationError):
            return cast("datetime.date", self.fields["held_on"].clean(self["held_on"].value()))
        return None

    @property
    def rule_set_name(self) -> str:
        """The name of the chosen rule set; without a choice the browser takes the first."""
        chosen = str(self["rule_set"].value())
        names = {str(value): name for value, name in self._rule_sets}
        return names.get(chosen) or next(iter(names.values()), "")

    @property
    def games(self) -> int | None:
        return parse_whole(self["planned_games"].value() or "")

    @property
    def has_setting_errors(self) -> bool:
        return not {"held_on", "place", "rule_set", "planned_games"}.isdisjoint(self.errors)

    @property
    def _seat_values(self) -> list[str]:
        return [str(seat.value()) for seat in self.seats if seat.value()]

    @cached_property
    def _players(self) -> list[Player]:
        return [*self.last, *list_active_players(self.club)]

    @cached_property
    def _names(self) -> dict[str, str]:
        """The names by the value of the seat: active players, new names, and chosen people who left meanwhile."""
        names = {str(player.pk): player.name for player in self._players}
        return names | {
            value: value.removeprefix(NEW) if value.startswith(NEW) else _("Unbekannt")
            for value in self._seat_values
            if value not in names
        }


def get_player_or_guest(club: Club, name: str) -> Player:
    """Return the player of the club with this name, else an unsaved guest. Raise ValidationError."""
    guest = Player(club=club, name=name, guest=True)
    try:
        guest.clean_fields(exclude={"club"})
    except ValidationError as error:
        raise ValidationError(error.messages) from error
    return find_player(club, guest.name) or guest


def apply_steps(data: QueryDict, club: Club) -> QueryDict:
    """Return the input with the step of its button applied to the seats: take the last line-up, add or remove a person, add a
    typed name, or draw. A name that cannot be seated stays in its field."""
    last = data.get("line_up", "")
    people = last.split(",") if last else [data.get(name, "") for name in SEAT_NAMES if data.get(name)]
    result, tapped, typed = data.copy(), data.get("tap", ""), data.get("newcomer", "")
    if tapped in people:
        people.remove(tapped)
    elif tapped:
        people.append(tapped)
    if typed.strip() and len(people) < len(SEAT_NAMES):
        with suppress(ValidationError):
            person = get_player_or_guest(club, typed)
            value = str(person.pk) if person.pk and is_active_player(person) else NEW + person.name
            people += [value] if value not in people else []
            result["newcomer"] = ""
    for name, value in zip_longest(SEAT_NAMES, people[: len(SEAT_NAMES)], fillvalue=""):
        result[name] = value
    return draw_seats(result) if "draw" in data else result


class TableForm(CarryingForm):
    def __init__(self, data: QueryDict | None, *, evening: Evening, initial: dict[str, object]) -> None:
        super().__init__(data and propose_games(data, evening.club), initial=initial)
        self.evening = evening
        self.add_table(evening.club)
        self.helper = build_post_helper(
            "offered",
            "proposed",
            "rule_set",
            "planned_games",
            build_seats_fieldset(),
            build_draw_button(),
            Submit("open", _("Tisch dazustellen"), css_class="btn-primary w-100"),
        )
        self.add_offer()

    def _evening(self, given: dict[str, Any]) -> Evening:
        return self.evening

    def _find(self, rule_set: RuleSet | None, players: Sequence[Player], evening: Evening) -> None:
        super()._find(rule_set, players, evening)
        if self.offered:
            # Directly above the button.
            self.helper.layout.insert(-1, "carry")


class CloseForm(forms.Form):
    """The players who confirm the sheet; at first all who sat at a table are checked."""

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
        self.helper = build_post_helper("present", Submit("close", _("Abend abschließen"), css_class="btn-primary w-100"))


class EveningsForm(ListFilterForm):
    """The filter of the list: year and month, for members also place and player. Without a choice it is the last year."""

    def __init__(self, data: Any, *, access: Access, evenings: QuerySet[Evening]) -> None:
        self.years = [str(year) for year in list_years(evenings)]
        self._evenings = evenings
        choices_of = {"year": (_("Jahr"), {year: year for year in self.years})}
        choices_of["month"] = (_("Monat"), {str(number): str(name) for number, name in MONTHS.items()})
        if access.member:
            places = Evening.objects.filter(club=access.club).exclude(place="").values_list("place", flat=True)
            names = sorted(places.order_by("place").distinct(), key=text_key)
            choices_of["place"] = (_("Ort"), {place: place for place in names})
            choices_of["person"] = (_("Person"), {str(one.pk): str(one) for one in list_people(access.club)})
        super().__init__(data if choices_of.keys() & data.keys() else {"year": self.years[0] if self.years else ""})
        self._choices = {name: choices for name, (_label, choices) in choices_of.items()}
        for name, (label, choices) in choices_of.items():
            options = [("", _("alle")), *choices.items()]
            self.fields[name] = forms.ChoiceField(choices=options, label=label, required=False)
            self.fields[name].widget.attrs |= NAME_ATTRS if name in ("place", "person") else {}
        show = Submit("", _("Anzeigen"), css_class="btn-primary")
        self.helper = build_filter_helper(build_columns_layout(*self.fields), show)

    @property
    def _selection(self) -> dict[str, str]:
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def summary(self) -> str:
        return " · ".join(self._choices[name][value] for name, value in self._selection.items()) or _("Alle Jahre")

    @property
    def evenings(self) -> QuerySet[Evening]:
        """The selected evenings. An invalid choice is ignored and shown as an error of its field."""
        lookups = {"year": "held_on__year", "month": "held_on__month", "place": "place"}
        selection = self._selection
        evenings = self._evenings.filter(**{lookups[name]: value for name, value in selection.items() if name in lookups})
        return filter_by_player(evenings, int(selection["person"])) if "person" in selection else evenings
