"""The page on which a rule set is edited: how it helps while something is typed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from scoring.models import RuleSet
from scoring.rules.constants import SPECIALS
from scoring.rules.settings import RuleSettings, get_preset_data, resolve
from scoring.rules.sheet import Line, fold
from scoring.rulesets.forms.settings import SettingsForm
from tests.factories import Cast
from tests.typed import sent, typed

pytestmark = pytest.mark.django_db

RULES = "/c/karo/rules/"


@pytest.fixture
def admin(client: Client, cast: Cast) -> Client:
    client.force_login(cast.admin)
    return client


def edit_page(client: Client, rule_set: RuleSet) -> str:
    return client.get(f"{RULES}{rule_set.pk}/edit/").content.decode()


def posted(client: Client, rule_set: RuleSet, **instead: Any) -> str:
    """The page that comes back when the form is sent with something else typed."""
    address = f"{RULES}{rule_set.pk}/edit/"
    form = client.get(address).context["form"]
    return client.post(address, dict(typed(form, **instead).lists())).content.decode()


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ({"add": "special"}, '<fieldset class="special-row" id="added" tabindex="-1"'),
        ({"add": "kind"}, '<summary id="added">'),
        ({"add": "row", "row_word": "solo", "row_key": "won"}, '<div class="kind-line" id="added" tabindex="-1"'),
        ({"add": "row", "row_word": "0", "row_key": "won"}, '<div class="kind-line" id="added" tabindex="-1"'),
        ({"add": "row", "row_word": "solo", "row_key": "name"}, "So umbenennen lässt sich nur eine einzelne Spielart"),
        ({"add": "row", "row_word": "solo"}, "Bitte in beiden Zeilen etwas wählen."),
    ],
)
def test_a_row_more_is_where_the_page_is_then(admin: Client, cast: Cast, asked: dict[str, str], leads_to: str) -> None:
    page = posted(admin, cast.table.rule_set, **asked)
    assert page.count('id="added"') == 1
    assert leads_to in page
    assert page.count(f'formaction="{RULES}{cast.table.rule_set_id}/edit/#added"') == 3


def test_how_several_numbers_are_typed_is_said_where_they_are(admin: Client, cast: Cast) -> None:
    page = edit_page(admin, cast.table.rule_set)
    hints = re.findall(r'<p class="quiet small mb-2" id="(id_specials__[^"]*-points)_helptext">„5, 10“: der erste 5', page)
    assert len(hints) == sum(most > 1 for most in SPECIALS.values()) + 1
    assert all(re.search(rf'<input[^>]* aria-describedby="{hint}_helptext"[^>]* id="{hint}"', page) for hint in hints)


def test_no_sentence_points_somewhere_else_without_saying_where(admin: Client, cast: Cast) -> None:
    address = f"{RULES}{cast.table.rule_set_id}/edit/"
    addresses = (address, f"{address}?people=6", f"{RULES}recipes/", f"{RULES}questions/")
    pages = [admin.get(page).content.decode() for page in addresses]
    assert not [riddle for page in pages for riddle in re.findall("wie oben gesagt|wie eben|gilt weiter von dort", page)]
    assert "Was hier nicht geändert wird, gilt wie an allen anderen Tischen." in " ".join(pages[1].split())


GANS = {"name": "Gans", "points": 1, "kinds": ["armut"]}
NEVER = "„Gans“ zählt nie: In keinem Spiel, das es hier gibt, wird er gerechnet."


def notes(stored: dict[str, Any], **instead: Any) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """What the form says beside the settings and beside the rows of special points, once this was typed."""
    form = sent(stored, **instead)
    assert form.is_valid(), form.errors
    lines = {line.key: line.notes for _title, lines in form.sections for line in lines if line.notes}
    for key in ("solo_times", "soloist_share"):
        lines.pop(key)
    assert lines.get("duty_solo") == lines.get("kinds")
    lines.pop("duty_solo", None)
    lines.pop("specials_in_solo", None)
    return lines, {row.key: row.notes for row in form.special_rows if row.notes}


def test_a_special_point_that_can_never_count_is_named_while_it_is_typed() -> None:
    ddv = get_preset_data("ddv")
    with_armut = [*ddv["kinds"], "armut"]
    typed_in = {"specials__0-name": " Gans ", "specials__0-kinds": ["duty"]}
    assert notes(ddv, **typed_in) == ({}, {})
    assert notes(ddv, **typed_in, duty_solo="no") == ({"kinds": [NEVER]}, {"0": [NEVER]})
    stored = resolve({"base": "ddv", "kinds": with_armut, "specials": {"gans": GANS}})
    assert notes(stored) == ({}, {})
    assert notes(stored, kinds=ddv["kinds"]) == ({"kinds": [NEVER]}, {"gans": [NEVER]})
    # What counts nothing anyway may be entered for its own sake, and what is not there says nothing.
    assert notes(stored, kinds=ddv["kinds"], **{"specials__gans-points": "0"}) == ({}, {})
    assert notes(stored, kinds=ddv["kinds"], specials__gans="False") == ({}, {})


def test_special_points_of_a_club_that_plays_solos_alone_need_them_there() -> None:
    solos = resolve({"base": "ddv", "kinds": ["damensolo"], "specials_in_solo": "all"})
    assert notes(solos) == ({}, {})
    lines, rows = notes(solos, specials_in_solo="none")
    assert set(rows) == set(solos["specials"])
    told = [note for row in rows.values() for note in row]
    # One of them stands among the solos, which the page says besides.
    assert sorted(lines["kinds"]) == sorted(told)
    assert notes(solos, specials_in_solo="by_kind")[1].keys() == {key for key in solos["specials"] if key != "doppelkopf"}


def test_an_amount_that_is_never_reached_is_named() -> None:
    typed_in = {"specials__0-name": "Gans", "specials__0-points": "5, 10"}
    once = ["„Gans“ gibt es höchstens 1-mal im Spiel: Die Zahlen dahinter zählen nie."]
    assert notes(get_preset_data("ddv"), **typed_in) == ({}, {"0": once})
    assert notes(get_preset_data("ddv"), **typed_in, **{"specials__0-most": "2"}) == ({}, {})


def test_a_bock_after_a_game_that_there_is_not_is_named() -> None:
    bock = resolve({"base": "ddv", "bock": {"triggers": ["kind:armut", "kind:solo", "kind:duty"]}})
    says = ["Nach „Armut“ gibt es nie Bock: Dieses Spiel gibt es hier nicht."]
    assert notes(bock) == ({"bock__triggers": says, "kinds": says}, {})
    assert notes(bock, kinds=[*bock["kinds"], "armut"]) == ({}, {})
    duty = notes(bock, kinds=[*bock["kinds"], "armut"], duty_solo="no")[0]["bock__triggers"]
    assert duty == ["Nach „Pflichtsolo“ gibt es nie Bock: Dieses Spiel gibt es hier nicht."]


def test_what_an_own_kind_says_is_told_while_it_is_typed() -> None:
    typed_in = {"per_kind__0-name": "Nullo", "per_kind__0-like": "fleischlos", "per_kind__0-won-set": "on", "per_kind__0-won": "4"}
    (row,) = sent(get_preset_data("ddv"), **typed_in).kind_rows
    assert row.said == "Nullo, gespielt wie Fleischloses Solo: Ein gewonnenes Spiel zählt 4 Punkte."
    (row,) = sent(get_preset_data("ddv")).kind_rows
    assert row.said == "Eine eigene Spielart dazunehmen"


def test_one_ramsch_is_offered_once() -> None:
    kinds = {"mau": {"name": "Ramsch", "like": "ramsch"}}
    stored = resolve({"base": "ddv", "kinds": ["normal", "mau"], "per_kind": kinds})
    assert list(SettingsForm(settings=stored).words.values()).count("Ramsch") == 1
    stored["per_kind"] = {"mau": {"name": "Mauer", "like": "ramsch"}, "schieber": {"name": "Schieberamsch", "like": "ramsch"}}
    assert list(SettingsForm(settings=stored).words.values()).count("Ramsch") == 1


@pytest.mark.parametrize("levels", [2, 3, 4, 5])
def test_an_example_says_that_winning_is_a_level_of_cowardice(levels: int) -> None:
    coward = resolve({"base": "ddv", "cowardice": {"levels": levels, "then": "loses"}})
    (note,) = notes(coward)[0]["cowardice"]
    eyes, fewer = map(int, re.findall("mit ([0-9]+) Augen", note))
    rules = RuleSettings.from_data(coward)
    games = [{"kind": "normal", "re": [0, 1], "eyes": held, **said} for held in (eyes, fewer) for said in ({}, {"re_said": "said"})]
    played = fold([Line("played", 4, 3, facts) for facts in games], rules)
    assert [one.outcome.winner for one in played] == ["kontra", "re", "re", "re"]
    assert f"{levels} Stufen" in note


def test_a_bock_after_announcements_that_there_are_not_is_named() -> None:
    bock = resolve({"base": "ddv", "bock": {"triggers": ["lost_re", "both_said", "tie_120"]}})
    assert notes(bock) == ({}, {})
    says = ["Ohne Ansagen löst das nie Bock aus: Re gesagt und verloren, Re und Kontra gesagt."]
    assert notes(bock, re_kontra="none") == ({"bock__triggers": says}, {})


def test_an_own_kind_can_be_different_in_anything_before_it_is_saved(admin: Client, cast: Cast) -> None:
    rule_set = cast.table.rule_set
    address = f"{RULES}{rule_set.pk}/edit/"
    form = admin.get(address).context["form"]
    assert form.new_kinds == {"0": "Neue eigene Spielart"}
    named = {"per_kind__0-name": "Nullo", "per_kind__0-like": "fleischlos"}
    asked = typed(form, **named, add="row", row_word="0", row_key="lost_times")
    form = admin.post(address, dict(asked.lists())).context["form"]
    assert (form.new_kinds, form.shown_pairs) == ({"0": "Nullo"}, ["0.lost_times"])
    assert admin.post(address, dict(typed(form, **{"per_kind__0-lost_times": "2"}).lists())).status_code == 302
    newest = RuleSet.objects.filter(name=rule_set.name).latest("version")
    assert newest.settings["per_kind"] == {"nullo": {"name": "Nullo", "like": "fleischlos", "lost_times": 2}}
    assert newest.settings["kinds"][-1] == "nullo"


def test_a_kind_that_was_just_ticked_can_be_different_at_once(admin: Client, cast: Cast) -> None:
    rule_set = cast.table.rule_set
    assert "armut" not in rule_set.settings["kinds"]
    choice = edit_page(admin, rule_set).partition('id="row_word"')[2].partition("</select>")[0]
    assert re.findall('<option value="(armut)">(.*?)</option>', choice) == [("armut", "Armut")]
    kinds = [*rule_set.settings["kinds"], "armut"]
    address = f"{RULES}{rule_set.pk}/edit/"
    asked = typed(admin.get(address).context["form"], kinds=kinds, add="row", row_word="armut", row_key="won")
    form = admin.post(address, dict(asked.lists())).context["form"]
    (row,) = [row for row in form.kind_rows if row.key == "armut"]
    assert (row.open, [line.added for line in row.lines]) == (True, [True])
    assert admin.post(address, dict(typed(form, **{"per_kind__armut-won": "3"}).lists())).status_code == 302
    newest = RuleSet.objects.filter(name=rule_set.name).latest("version")
    before = get_preset_data("ddv")
    kinds = ["normal", "hochzeit", "armut", *before["kinds"][2:]]
    assert newest.settings == before | {"kinds": kinds, "per_kind": {"armut": {"won": 3}}}
