"""A club's own name for a built-in kind or special point."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from django.test import Client
from openpyxl import load_workbook

from scoring.models import RuleSet, Table
from scoring.players.queries import read_own_names
from scoring.rules.settings import RuleSettings, resolve
from scoring.rules.sheet import Line, fold
from scoring.rules.validation import Refused
from scoring.rulesets.texts.rule_sets import list_house_rules
from tests.factories import Cast, add_game, make_rule_set, make_table

pytestmark = pytest.mark.django_db

JUCKEL = {"name": "Juckel", "points": 1}
GEHT_RUM = {"farbsolo_herz": {"name": "Herz geht rum"}}
NAMED = {"specials": {"fuchs": JUCKEL}, "per_kind": GEHT_RUM}
FOX = {"kind": "normal", "re": [0, 1], "eyes": 130, "re_specials": {"fuchs": 1}}


@pytest.fixture
def table(cast: Cast) -> Table:
    table = make_table(cast.club, 4, rule_set=make_rule_set(cast.club, "ddv", "Unsere", **NAMED))
    add_game(table, **FOX)
    add_game(table, kind="farbsolo_herz", re=[2], eyes=130)
    return table


def test_an_own_name_changes_no_points_and_no_key() -> None:
    lines = [Line("played", range(4), 0, FOX), Line("played", range(4), 1, {"kind": "farbsolo_herz", "re": [2], "eyes": 155})]
    plain, named = (fold(lines, RuleSettings.from_data(resolve(rules))) for rules in ("ddv", {"base": "ddv", **NAMED}))
    assert [one.outcome for one in named] == [one.outcome for one in plain]
    assert named[0].outcome.value == 2


@pytest.mark.parametrize(
    ("key", "settings"),
    [
        ("specials", {"specials": {"fuchs": {"name": " ", "points": 1}}}),
        ("specials", {"specials": {"fuchs": {"name": "x" * 41, "points": 1}}}),
        ("per_kind", {"per_kind": {"solo": {"name": "Allein"}}}),
        ("per_kind", {"per_kind": {"damensolo": {"name": "Damen", "like": "bubensolo"}}}),
    ],
)
def test_an_invalid_own_name_is_refused(key: str, settings: dict[str, object]) -> None:
    with pytest.raises(Refused) as refused:
        RuleSettings.from_data(resolve({"base": "ddv", **settings}))
    assert [*refused.value.fields] == [key]


def test_an_own_name_is_shown_on_all_pages(client: Client, cast: Cast, table: Table) -> None:
    client.force_login(cast.admin)
    club, evening = f"/c/{cast.club.slug}", table.evening_id
    page = client.get(f"{club}/tables/{table.pk}/")
    html = page.content.decode()
    assert "Juckel" in html and "Herz geht rum" in html and "Fuchs gefangen" not in html and "Herzsolo" not in html
    data = html.split('id="table-data" type="application/json">')[1].split("</script>")[0]
    assert json.loads(data)["labels"] == {"fuchs": "Juckel"}
    games = [str(key) for key in table.rounds.get().games.order_by("position").values_list("key", flat=True)]
    fox, solo = (client.get(f"{club}/tables/{table.pk}/games/{key}/").content.decode() for key in games)
    assert "Juckel" in fox and "Fuchs gefangen" not in fox
    assert "Herz geht rum" in solo
    book = load_workbook(BytesIO(client.get(f"{club}/evenings/{evening}/excel/").getvalue()))
    cells = {str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row}
    assert any("Juckel" in cell for cell in cells) and any("Herz geht rum" in cell for cell in cells)
    assert not any("Fuchs gefangen" in cell or "Herzsolo" in cell for cell in cells)


def test_the_house_rules_use_the_own_name() -> None:
    told = {key: text for _title, lines in list_house_rules(resolve({"base": "ddv", **NAMED})) for key, text in lines}
    assert "Juckel 1 Punkt" in told["specials"]
    assert told["kinds"].count("Herz geht rum") == 1
    assert told["per_kind.farbsolo_herz"] == "Herz geht rum (Herzsolo)."


def test_lists_use_an_own_name_if_all_played_rule_sets_have_it(cast: Cast, table: Table) -> None:
    no_names = {"kinds": {}, "specials": {}}
    assert read_own_names(cast.club.pk) == no_names, "the other table was played by rules with the usual names"
    for rule_set in RuleSet.objects.filter(club=cast.club):
        rule_set.settings = resolve({"base": "ddv", **NAMED})
        rule_set.save()
    own = {"kinds": {"farbsolo_herz": "Herz geht rum"}, "specials": {"fuchs": "Juckel"}}
    assert read_own_names(cast.club.pk) == own
