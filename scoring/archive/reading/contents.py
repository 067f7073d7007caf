"""Summarize an archive for its preview."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from scoring.archive.queries import Document
from scoring.club.models import VISIBILITY_FIELDS, Club


@dataclass(frozen=True)
class Contents:
    """The summary of an archive; `days` are those of the first and the last evening."""

    name: str
    slug: str
    shown: list[str]
    people: int
    openings: int
    evenings: int
    days: tuple[datetime.date, datetime.date] | None
    lines: int
    rule_sets: list[str]
    seasons: list[str]
    closed_months: int


def summarize(document: Document) -> Contents:
    """Return the summary of a valid archive. Merged people count once, deleted lines do not count."""
    days = sorted(datetime.date.fromisoformat(row["held_on"]) for row in document["evenings"])
    return Contents(
        name=document["club"]["name"],
        slug=document["club"]["slug"],
        shown=[str(one.verbose_name) for one in Club._meta.fields if one.name in VISIBILITY_FIELDS and document["club"][one.name]],
        people=sum(row["merged_into"] is None for row in document["players"]),
        openings=len(document["openings"]),
        evenings=len(days),
        days=(days[0], days[-1]) if days else None,
        lines=sum(not row["deleted"] for row in document["games"]),
        rule_sets=list(dict.fromkeys(row["name"] for row in document["rule_sets"])),
        seasons=[row["name"] for row in document["seasons"]],
        closed_months=len({(row["season"], row["month"]) for row in document["closings"]}),
    )
