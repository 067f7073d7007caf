"""The fines of a tariff: the four forms of one, how it is read, and what its rows of an evening cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from scoring.rules.validation import Check, Sentence, _, number, one_of, whole_number

from .fields import CENTS, MOST_CENTS, SOME_CENTS, Fields, characters, entries

LONGEST_NAME: Final = 60
MOST_STEPS: Final = 9
MOST_COUNT: Final = 999
MOST_MINUTES: Final = 1440

_NO_STEPS: Final = Sentence(
    _("Bitte 1 bis 9 Stufen angeben, jede als [Anzahl, Cent]; nur die letzte hat keine Anzahl: [null, Cent].")
)
_ONLY_PER_MINUTES: Final = Sentence(
    _("Eine Obergrenze gibt es nur, wo nach Minuten gezahlt wird. Bitte weglassen oder „minutes“ angeben.")
)
# What a row of an evening says besides who and which fine: the key, its check, and what it is if it is left out.
Amount = tuple[str, Check, int | None]
_COUNT: Final[Amount] = ("count", number(1, MOST_COUNT), 1)
_MINUTES: Final[Amount] = ("minutes", number(0, MOST_MINUTES), None)
_CENTS: Final[Amount] = ("cents", SOME_CENTS, None)


class TariffFine(NamedTuple):
    """One fine of a tariff. Either cents for each event; or for each started `minutes` of a row, `cap` at most; or by
    `steps` of (how many, cents for each), where the last step counts for all further ones; or, if it is `open`, an amount
    that is typed."""

    cents: int = 0
    minutes: int | None = None
    cap: int | None = None
    steps: tuple[tuple[int | None, int], ...] = ()
    lost_games: bool = False
    open: bool = False

    @property
    def amount(self) -> Amount:
        """What a row of this fine says."""
        return _CENTS if self.open else _MINUTES if self.minutes else _COUNT

    def of_row(self, amount: int) -> int:
        """What one row costs, for a fine without steps."""
        if self.open:
            return amount
        if self.minutes is None:
            return self.cents * amount
        cents = self.cents * -(-amount // self.minutes)
        return cents if self.cap is None else min(cents, self.cap)

    def of_count(self, count: int) -> int:
        """What so many cost by the steps."""
        cents = 0
        for many, each in self.steps:
            taken = count if many is None else min(count, many)
            cents += taken * each
            count -= taken
        return cents

    def costs(self, rows: Iterable[tuple[str, int]]) -> Mapping[str, int]:
        """What each person pays for these rows of (who, amount). With steps the amounts of one person are added first."""
        sums: dict[str, int] = {}
        for who, amount in rows:
            sums[who] = sums.get(who, 0) + (amount if self.steps else self.of_row(amount))
        return {who: self.of_count(count) for who, count in sums.items()} if self.steps else sums


def read_fine(fields: Fields) -> TariffFine:
    """The fine that stands there. Its form is that of `steps` or `open` where it has such a key, else of `cents`."""
    fields.get("name", characters(LONGEST_NAME))
    if "steps" in fields:
        fields.only("name", "steps", "counts")
        steps = fields.need("steps", entries(_is_step, 1, MOST_STEPS, _NO_STEPS), [])
        if any((many is None) != (place == len(steps)) for place, (many, _cents) in enumerate(steps, 1)):
            fields.refuse("steps", _NO_STEPS)
        counts = fields.get("counts", one_of("entries", "lost_games"), "entries")
        return TariffFine(steps=tuple(map(tuple, steps)), lost_games=counts == "lost_games")
    if "open" in fields:
        fields.only("name", "open")
        fields.get("open", one_of(True))
        return TariffFine(open=True)
    fields.only("name", "cents", "minutes", "cap")
    if "minutes" not in fields:
        fields.forbid("cap", _ONLY_PER_MINUTES)
        return TariffFine(cents=fields.need("cents", CENTS, 0))
    return TariffFine(
        cents=fields.need("cents", CENTS, 0),
        minutes=fields.get("minutes", number(1, MOST_MINUTES), 1),
        cap=fields.get("cap", SOME_CENTS),
    )


def _is_step(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    many, cents = value
    return (many is None or whole_number(many, 1, MOST_COUNT)) and whole_number(cents, 0, MOST_CENTS)
