"""Ten games from a sheet as a club writes it on paper, entered tap by tap: each costs no more taps than it may, an
ordinary one no scrolling, and the phone says what stands on the paper. `make story` records it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.rules import labels
from tests.factories import Cast, make_table
from tests.stories.table import in_sight, number, sit_down

PAPER = Path(__file__).parents[2] / "fixtures" / "written_sheet.txt"
INITIALS = {"Ä": 0, "B": 1, "Ç": 2, "Ö": 3}
BAND_OF = {label: band for band, label in labels.BANDS.items()}
KIND_OF = {label: kind for kind, label in labels.KINDS.items()}
# Taps by band and by eyes, saving included.
ORDINARY, SOLO, KEINE_90_AND_A_FOX = (4, 6), (5, 7), (8, 10)


@dataclass(frozen=True)
class Written:
    """One line of the paper: the facts of the game, what it brings everybody, and where everybody stands then."""

    facts: dict[str, Any]
    points: list[int]
    totals: list[int]

    @property
    def is_ordinary(self) -> bool:
        return len(self.facts["re"]) == 2 and "re_said" not in self.facts

    @property
    def taps(self) -> int:
        by_band, by_eyes = ORDINARY if self.is_ordinary else SOLO if len(self.facts["re"]) == 1 else KEINE_90_AND_A_FOX
        return by_band if "band" in self.facts else by_eyes


def read_paper() -> list[Written]:
    lines = PAPER.read_text(encoding="utf-8").splitlines()
    return [read_line(line) for line in lines if re.match(r"\s*\d+ \|", line)]


def read_line(line: str) -> Written:
    _number, re_party, played, points, totals, _why = line.split("|")
    facts: dict[str, Any] = {"kind": "normal", "re": [INITIALS[initial] for initial in re_party.split()]}
    for said in played.strip().split(", "):
        facts |= fact(said)
    return Written(facts, [number(cell) for cell in points.split()], [number(cell) for cell in totals.split()])


def fact(said: str) -> dict[str, Any]:
    if said.endswith(" Augen"):
        return {"eyes": int(said.removesuffix(" Augen"))}
    if said.endswith(" Fuchs"):
        return {"re_specials": {"fuchs": int(said.removesuffix(" Fuchs"))}}
    if said == "Pflichtsolo":
        return {"duty": True}
    if said == "keine 90":
        return {"re_said": "no90"}
    return {"band": BAND_OF[said]} if said in BAND_OF else {"kind": KIND_OF[said]}


def test_ten_games_from_a_written_sheet(page: Page, live_server: LiveServer, cast: Cast) -> None:
    paper = read_paper()
    table = sit_down(page, live_server.url, cast.scorer, make_table(cast.club, 4))
    for written in paper:
        table.by("eyes" if "eyes" in written.facts else "band")
        table.taps = 0
        table.before_tap = in_sight if written.is_ordinary else lambda target: None

        table.enter(written.facts)
        table.expect_live_points(dict(zip(table.people, written.points, strict=True)))
        if not written.is_ordinary:
            # However far down the page it was saved, the next game begins at its head.
            page.mouse.wheel(0, 2000)
            expect(page.locator("#head")).not_to_be_in_viewport()
        table.save()
        table.expect_saved()

        assert table.taps == written.taps, written
        assert table.totals() == written.totals, written
        expect(page.locator("#head")).to_be_in_viewport(ratio=1)
    assert [line.totals for line in reversed(table.lines())] == [written.totals for written in paper]
    assert len(paper) == 10
