"""Decides who of an evening's people can be named elsewhere in it (section 9): who is there, and who is a guest."""

from __future__ import annotations

from typing import Any

from tests.cash.rules.reference.judging import is_text

ABSENCES = ["excused", "unexcused", "free"]


class Company:
    """The people as they are read where some of their values are refused: a refused value is its default.

    Where an id is refused, or the people as a whole, nobody is called unknown: that could follow from the fault alone.
    """

    def __init__(self, people: Any) -> None:
        self.guests: dict[str, bool] = {}
        self.absent: dict[str, bool] = {}
        self.is_complete = isinstance(people, list) and 1 <= len(people) <= 60
        for person in people if self.is_complete else []:
            name = person.get("id") if isinstance(person, dict) else None
            if not is_text(name, 1, 40) or name in self.guests:
                self.is_complete = False
                continue
            self.guests[name] = person.get("guest") is True
            self.absent[name] = person.get("absence") in ABSENCES

    def is_unknown(self, name: str) -> bool:
        return self.is_complete and name not in self.guests

    def is_not_there(self, name: str) -> bool:
        return self.is_unknown(name) or self.absent.get(name, False)

    def is_no_member(self, name: str) -> bool:
        return self.is_unknown(name) or self.guests.get(name, False)
