"""The lines of the sheet that are no games: points by hand as a penalty or a correction, and a new deal with who and
why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy

from scoring.core.text import parse_whole
from scoring.play.models import Game
from scoring.rules.judge import MAX_REASON_LENGTH

from .games import LineForm

# What the tournament rules give: the offender's points, everybody else's at the table, the usual reason, and whether a
# deal is used up by it.
PENALTIES: Final = {
    "3": (-3, 1, gettext_lazy("Regelverstoß"), False),
    "12": (-12, 4, gettext_lazy("Spiel ungültig"), True),
}


class PointsForm(LineForm):
    """Points for each person and a reason. They need not sum to 0."""

    reason = forms.CharField(required=False, max_length=MAX_REASON_LENGTH, label=gettext_lazy("Grund"))
    dealt = forms.BooleanField(required=False, label=gettext_lazy("Das Spiel war schon gegeben und zählt als gegeben"))

    def __init__(self, *args: Any, people: Iterable[tuple[int, Any]], **kwargs: Any) -> None:
        """`people` are the seats of the table with their names."""
        super().__init__(*args, **kwargs)
        self.seats = []
        for seat, player in people:
            self.seats.append(seat)
            self.fields[f"points_{seat}"] = forms.CharField(required=False, max_length=7, label=str(player))

    @property
    def rows(self) -> list[Any]:
        """The field of every person, in seating order."""
        return [self[f"points_{seat}"] for seat in self.seats]

    def facts(self, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"points": [_signed(data[f"points_{seat}"]) for seat in self.seats], "reason": data["reason"].strip()}

    def dealer_typed(self, data: Mapping[str, Any]) -> Any:
        """A line by hand has no dealer, unless the deal it speaks of counts. What stands keeps the one it has."""
        return super().dealer_typed(data) if data["dealt"] else None


class RedealForm(LineForm):
    """A new deal: whose fault it was and why, where somebody wants to know."""

    reason = forms.CharField(required=False, max_length=MAX_REASON_LENGTH, label=gettext_lazy("Grund"))

    def __init__(self, *args: Any, people: Iterable[tuple[int, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats = [(str(seat), str(player)) for seat, player in people]
        self.fields["seat"] = forms.ChoiceField(choices=seats, required=False, widget=forms.RadioSelect)

    def facts(self, data: Mapping[str, Any]) -> dict[str, Any]:
        said = {"seat": int(data["seat"])} if data["seat"] else {}
        return {**said, "reason": data["reason"].strip()} if data["reason"] else said


def penalty_entry(size: str | None, offender: int | None, people: int) -> dict[str, Any]:
    """The points of one of PENALTIES for this seat; nothing where the address names none."""
    if size not in PENALTIES or offender is None or offender >= people:
        return {}
    lost, won, reason, dealt = PENALTIES[size]
    points = {f"points_{seat}": lost if seat == offender else won for seat in range(people)}
    return {**points, "reason": str(reason), "dealt": dealt}


def line_as_typed(game: Game) -> dict[str, Any]:
    """What the form for correcting such a line begins with."""
    facts: Mapping[str, Any] = game.facts
    points: Sequence[int] = facts.get("points", ())
    return {
        "form": game.form,
        "version": game.version,
        "round": game.round_id,
        "dealer": "" if game.dealer is None else game.dealer,
        "note": game.note,
        "dealt": game.dealer is not None,
        "reason": facts.get("reason", ""),
        "seat": "" if facts.get("seat") is None else str(facts["seat"]),
        **{f"points_{seat}": value for seat, value in enumerate(points)},
    }


def _signed(text: str) -> Any:
    """A whole number with its sign, 0 where nothing was typed; anything else as it came, for the rules to refuse."""
    parts = re.fullmatch(r"\s*([+-]?)([0-9]+)\s*", text.replace("−", "-"))
    number = parse_whole(parts[2]) if parts else None
    if number is None:
        return text.strip() or 0
    return -number if parts and parts[1] == "-" else number
