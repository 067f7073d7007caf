"""The input of seats for a new evening, a new or running table; planned games; drawing by lot; and carrying on Bock games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random, SystemRandom
from typing import Any, Final

from crispy_forms.bootstrap import StrictButton
from crispy_forms.layout import Fieldset, Submit
from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from scoring.club.models import NAME_LENGTH, Club, Player
from scoring.club.queries import list_active_players
from scoring.core.formats import NAME_ATTRS
from scoring.core.forms import WholeField, build_post_helper
from scoring.core.text import parse_whole, validate_plain
from scoring.play.models import SEATS, Evening, Table
from scoring.play.replay import WrongLineUp
from scoring.rules.sheet import count_list_games
from scoring.rules.validation import Refused, Sentence
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_current_rule_sets
from scoring.table.forms.games import NO_KEY, NO_PEOPLE, are_people, parse_key, parse_object, refuse_fields
from scoring.table.queries import count_open_bocks, find_offer, list_offers

SEAT_NAMES: Final = tuple(f"seat_{place}" for place in range(SEATS[-1]))
MOST_PLANNED: Final = 200


class SeatingForm(forms.Form):
    """A form with a field for each seat, in seating order. The first seat deals the first game of a table."""

    # The number of seats, from the first, that must not be empty.
    taken = SEATS[0]
    # Whether the line-up must be complete. It need not be while the page only seats people.
    is_final = True

    def add_seats(self, club: Club, also: Sequence[Player] = ()) -> None:
        """Add a field for each seat with all active players of the club, and `also` those who have left it but sit there."""
        people = list_active_players(club) | Player.objects.filter(pk__in=[player.pk for player in also])
        # One query for the choices of all seats.
        choices = [(player.pk, str(player)) for player in people]
        for place, name in enumerate(SEAT_NAMES):
            select = forms.Select(attrs=NAME_ATTRS)
            seat = forms.ModelChoiceField(people, label=self.get_seat_label(place), required=place < self.taken, widget=select)
            seat.choices = [("", _("– frei –") if place >= self.taken else _("– wählen –")), *choices]
            self.fields[name] = seat

    def get_seat_label(self, place: int) -> str:
        return _("Sitz 1 (gibt zuerst)") if place == 0 else _("Sitz %(place)s") % {"place": place + 1}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        # Compare names, because new guests have no id yet.
        seen: set[str] = set()
        for name in SEAT_NAMES:
            player = cleaned.get(name)
            if player and player.name_key in seen:
                self.add_error(name, _("%(name)s hat schon einen anderen Sitz.") % {"name": player})
            elif player:
                seen.add(player.name_key)
        if self.is_final and len(seen) < SEATS[0] and not self.errors:
            self.add_error(None, str(WrongLineUp()))
        return cleaned

    @property
    def players(self) -> list[Player]:
        """Return the players in seating order; free seats are closed up."""
        return [self.cleaned_data[name] for name in SEAT_NAMES if self.cleaned_data[name]]


def build_seats_fieldset() -> Fieldset:
    return Fieldset(_("Sitzordnung im Uhrzeigersinn"), *SEAT_NAMES, css_class="seats")


def build_draw_button() -> StrictButton:
    # The answer scrolls to the message about the draw.
    return StrictButton(
        _("Sitze auslosen"),
        type="submit",
        name="draw",
        value="1",
        formaction="#drawn",
        css_class="btn-outline-secondary w-100 mb-2",
    )


def draw_seats(data: QueryDict, dice: Random | None = None) -> QueryDict:
    """Return the submitted data with its players in random order. The default dice cannot be predicted."""
    people = [str(data[name]) for name in SEAT_NAMES if data.get(name)]
    (dice or SystemRandom()).shuffle(people)
    mixed = data.copy()
    for name in SEAT_NAMES:
        mixed[name] = people.pop(0) if people else ""
    return mixed


def build_planned_field() -> WholeField:
    return WholeField(
        label=_("Geplante Spiele"),
        help_text=_("Leer: so viele, wie es werden."),
        required=False,
        min_value=1,
        max_value=MOST_PLANNED,
    )


def propose_games(data: QueryDict, club: Club) -> QueryDict:
    """Return the data with the number of games that the rules propose for so many players, unless another number was typed."""
    if data.get("proposed") is None or data.get("planned_games", "") != data["proposed"]:
        return data
    rule_set = list_current_rule_sets(club).filter(pk=parse_whole(data.get("rule_set")) or 0).first()
    people = sum(bool(data.get(name)) for name in SEAT_NAMES)
    proposed = data.copy()
    proposed["planned_games"] = proposed["proposed"] = get_proposed_games(rule_set, people)
    return proposed


def get_proposed_games(rule_set: RuleSet | None, people: int) -> str:
    games = count_list_games(rule_set.rules.at(people)) if rule_set and people in SEATS else None
    return "" if games is None else str(min(games, MOST_PLANNED))


class SeatsForm(SeatingForm):
    """The line-up of a running table from the next game on. Any seat can be left free."""

    taken = 0

    def __init__(self, data: QueryDict | None = None, *, club: Club, current: Sequence[Player]) -> None:
        super().__init__(data, initial=dict(zip(SEAT_NAMES, current, strict=False)))
        self.add_seats(club, also=current)
        self.helper = build_post_helper(
            build_seats_fieldset(), build_draw_button(), Submit("seat", _("Sitze speichern"), css_class="btn-primary w-100")
        )

    def get_seat_label(self, place: int) -> str:
        return _("Sitz %(place)s") % {"place": place + 1}


def parse_line_up(body: bytes) -> dict[str, Any]:
    """Parse a line-up sent as JSON: `key`, the ids `before`, and `people` as ids or new names, in seating order. Raise Refused."""
    data = parse_object(body)
    faults: dict[str, Sentence] = {}
    key, before, people = parse_key(data.get("key")), data.get("before", []), data.get("people", [])
    if key is None:
        faults["key"] = Sentence(NO_KEY)
    if not are_people(before):
        faults["before"] = Sentence(NO_PEOPLE)
    if not isinstance(people, list) or not all(_is_person(one) for one in people[: SEATS.stop]):
        named = gettext_noop("Bitte die Personen am Tisch als Liste angeben, jede mit ihrer Nummer oder ihrem Namen.")
        faults["people"] = Sentence(named)
    else:
        try:
            for name in filter(lambda one: isinstance(one, str), people):
                # Some databases cannot store invisible or control characters.
                validate_plain(name)
        except ValidationError as error:
            faults["people"] = Sentence("%(text)s", {"text": " ".join(error.messages)})
    faults |= refuse_fields(data.keys() - {"key", "before", "people"})
    if faults or key is None:
        raise Refused(faults)
    return {"key": key, "before": before, "people": people}


def _is_person(value: Any) -> bool:
    return are_people([value]) or (isinstance(value, str) and 0 < len(value.strip()) <= NAME_LENGTH)


class PlannedForm(forms.Form):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["planned_games"] = build_planned_field()
        # The template renders the form tag.
        self.helper = build_post_helper(
            "planned_games", StrictButton(_("So viele"), type="submit", css_class="btn-outline-secondary w-100"), tag=False
        )


class GuestForm(forms.Form):
    guest = forms.CharField(label=gettext_lazy("Name des Gastes"), max_length=NAME_LENGTH)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The template renders the form tag: its address differs from that of the seats.
        self.helper = build_post_helper(
            "guest", StrictButton(_("Dazusetzen"), type="submit", css_class="btn-outline-secondary"), tag=False
        )


class CarryingForm(SeatingForm):
    """Seats players at a new table and offers open Bock games, which follow from players and rules. If the offer is another than
    the page showed, the page is shown again."""

    # The table whose open Bock games are on offer.
    offered: Table | None = None

    def add_table(self, club: Club) -> None:
        self.fields["rule_set"] = forms.ModelChoiceField(list_current_rule_sets(club), label=_("Regelwerk"), empty_label=None)
        self.fields["planned_games"] = build_planned_field()
        # The proposed number of games. As long as `planned_games` equals it, it follows the number of players.
        self.fields["proposed"] = forms.CharField(required=False, widget=forms.HiddenInput)
        self.add_seats(club)

    def add_offer(self, players: Sequence[Player] = ()) -> None:
        self.fields["offered"] = forms.IntegerField(required=False, widget=forms.HiddenInput)
        self.fields["carry"] = forms.BooleanField(required=False)
        if self.is_bound:
            return
        given = dict(self.initial)
        self._find(given.get("rule_set"), players, self._evening(given))
        if self.offered:
            self.initial = given | {"offered": self.offered.pk, "carry": True}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        has_errors = bool(self.errors)
        if not has_errors:
            self._find(cleaned["rule_set"], self.players, self._evening(cleaned))
        found = self.offered and self.offered.pk
        if found != cleaned.get("offered"):
            carry = "on" if found else self.data.get("carry")
            self.data = dict(self.data.items()) | {"offered": found or "", "carry": carry}
            question = _("So wie die Leute jetzt sitzen, gehen keine übrigen Böcke weiter. Bitte noch einmal bestätigen.")
            if found:
                question = _("So wie die Leute jetzt sitzen, gibt es übrige Böcke. Bitte ansehen und noch einmal bestätigen.")
            if not has_errors and (found or cleaned.get("carry")):
                self.add_error(None, question)
        return cleaned

    def _evening(self, given: dict[str, Any]) -> Evening:
        raise NotImplementedError

    def _find(self, rule_set: RuleSet | None, players: Sequence[Player], evening: Evening) -> None:
        # A new player was at no earlier table.
        if rule_set is None or not players or not all(player.pk for player in players):
            return
        self.offered = find_offer(rule_set, players, evening)
        if self.offered:
            self["carry"].label = describe_offer(self.offered)

    @property
    def carries_on(self) -> Table | None:
        """Return the table whose open Bock games go on, if any. The form must be valid."""
        return self.offered if self.cleaned_data["carry"] else None


def describe_offer(table: Table) -> str:
    games = count_open_bocks(table)
    day = date_format(table.evening.held_on, "SHORT_DATE_FORMAT")
    text = ngettext("Böcke vom %(day)s gehen weiter: noch %(n)s", "Böcke vom %(day)s gehen weiter: noch %(n)s", games)
    return text % {"day": day, "n": games}


class CarryForm(forms.Form):
    """The table whose Bock games a running table carries on, or none."""

    def __init__(self, data: Mapping[str, str] | None, table: Table) -> None:
        super().__init__(data)
        self.offers = {str(offer.pk): offer for offer in list_offers(table)}
        self.fields["earlier"] = forms.ChoiceField(
            choices=[("", _("– keine –")), *((pk, _label_offer(offer)) for pk, offer in self.offers.items())],
            initial=table.carries_on_id or "",
            label=_("Übrige Böcke von"),
            required=False,
            widget=forms.Select(attrs={"class": "form-select"}),
        )

    @property
    def chosen(self) -> Table | None:
        return self.offers.get(self.cleaned_data["earlier"])


def _label_offer(table: Table) -> str:
    return _("%(day)s, Tisch %(number)s, %(rules)s: noch %(n)s") % {
        "day": date_format(table.evening.held_on, "SHORT_DATE_FORMAT"),
        "number": table.number,
        "rules": table.rule_set,
        "n": count_open_bocks(table),
    }
