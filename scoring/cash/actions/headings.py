"""Accounts of a club's own: other kinds of income and expense than those that every club has."""

from __future__ import annotations

from django.db import transaction

from scoring.cash.errors import HeadingTaken
from scoring.cash.models.beside import BookYear, Heading
from scoring.club.actions import Actor, lock_club, record
from scoring.club.models import Club, Verb
from scoring.core.text import build_code, text_key, tidy


@transaction.atomic
def add_heading(*, club: Club, actor: Actor, side: str, name: str, taken: dict[str, str]) -> Heading:
    """Another account of income or expense, whose code follows from its name; `taken` are the names of those that every club
    has, by code. Raises HeadingTaken, ValidationError."""
    lock_club(club)
    name = tidy(name)
    known = taken | dict(Heading.objects.filter(club=club).values_list("code", "name"))
    if any(code.startswith(f"{side}:") and text_key(other) == text_key(name) for code, other in known.items()):
        raise HeadingTaken
    codes = {code.removeprefix(f"{side}:") for code in known if code.startswith(f"{side}:")}
    heading = Heading(club=club, code=f"{side}:{build_code(name, codes)}", name=name)
    heading.full_clean()
    heading.save()
    record(club=club, actor=actor, verb=Verb.CASH_HEADING_ADDED, subject=heading.pk, after={"code": heading.code})
    return heading


@transaction.atomic
def set_first_month(*, club: Club, actor: Actor, first_month: int) -> None:
    """In which month a year of the Kasse begins from now on."""
    lock_club(club)
    year, _made = BookYear.objects.get_or_create(club=club, defaults={"first_month": 1})
    before, year.first_month = year.first_month, first_month
    if before != first_month:
        year.save()
        record(
            club=club,
            actor=actor,
            verb=Verb.CASH_YEAR_SET,
            subject=year.pk,
            before={"first_month": before},
            after={"first_month": first_month},
        )
