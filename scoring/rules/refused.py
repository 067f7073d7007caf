"""What a refusal is: sentences for people about what cannot be, each by the field that it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

Values = Mapping[str, object]


class SeatNumber(int):
    """A seat, counted from 0, in a sentence: whoever knows who sits there says their name instead."""

    def __str__(self) -> str:
        return f"Platz {int(self)}"


class Sentence(NamedTuple):
    """One sentence for people: a German template in the manner of `%`, and the values to fill it with."""

    text: str
    values: Values = {}

    def __str__(self) -> str:
        return self.text % self.values if self.values else self.text

    def naming(self, people: Sequence[object]) -> Sentence:
        """The same about `people`, by seat, instead of their seats."""
        named = {name: people[held] if isinstance(held, SeatNumber) else held for name, held in self.values.items()}
        return Sentence(self.text, named)


class Refused(ValueError):
    """Facts or settings that cannot be. `fields` maps each faulty field to its sentence; `line` is the number of the
    line of the sheet (from 0) where a whole sheet was judged.
    """

    def __init__(self, fields: Mapping[str, Sentence], line: int | None = None) -> None:
        super().__init__("; ".join(f"{field}: {sentence}" for field, sentence in fields.items()))
        self.fields = dict(fields)
        self.line = line

    def naming(self, people: Sequence[object]) -> Refused:
        """The same with the people of the table in its sentences."""
        return Refused({field: sentence.naming(people) for field, sentence in self.fields.items()}, self.line)


Faults = dict[str, Sentence]
