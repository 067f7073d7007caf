"""The pages of rule sets: list, sentences, editor, and preview."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from scoring.club.actions import Actor
from scoring.models import RuleSet, Table
from scoring.rules.constants import SPECIALS
from scoring.rules.settings import PLAIN_BOCK, get_preset_data, resolve
from scoring.rulesets.actions import change_rule_set
from scoring.rulesets.forms.settings import SettingsForm
from tests.factories import Cast, make_next_version, make_rule_set, make_table, own_evening
from tests.html import text
from tests.rulesets.settings_form import fill_lists

RULES = "/c/karo/rules/"


def test_the_printed_rules(client: Client, cast: Cast) -> None:
    """Without settings that do not matter, with the differences at larger tables and the readings of the document."""
    client.force_login(cast.reader)
    pages = {
        preset: " ".join(text(client.get(f"{RULES}{make_rule_set(cast.club, preset, f'Wie {preset}').pk}/")).split())
        for preset in ("anleitung", "klassisch", "vln", "hausrunde")
    }
    assert "Einzeln ausgezahlte Sonderpunkte" not in pages["anleitung"]
    assert "Ein Pflichtsolo gibt es nicht." in pages["anleitung"]
    assert "Ein Pflichtsolo ist ein Bockspiel" not in pages["anleitung"]
    assert "Ein Bock im Bock wird hinten angehängt." in pages["anleitung"]
    for said in ("Mit 8 am Tisch gilt stattdessen", "Gespielt wird mit 64 Karten.", "Ein gewonnenes Spiel zählt 5 Cent."):
        assert said in pages["klassisch"]
    fold = pages["vln"].partition('<details class="fold mt-3" id="readings">')[2].partition("</details>")[0]
    assert "Wie unklare Stellen gelesen sind" in fold
    assert "Diese Regeln folgen „Doppelkopf-Regeln des VLN“." in fold
    assert fold.count("<li>") == 6
    assert 'id="readings"' not in pages["hausrunde"]
    assert "/edit/" not in pages["hausrunde"] and "Gedruckt stehen diese Regeln auf einem Blatt A4." in pages["hausrunde"]


def test_the_list_shows_versions_and_numbers_of_tables(client: Client, cast: Cast) -> None:
    client.force_login(cast.reader)
    old = cast.table.rule_set
    RuleSet.objects.create(club=cast.club, name=old.name, version=2, settings=old.settings, unit=old.unit)
    page = text(client.get(RULES))
    for said in ("Fassung 2, die neueste", "1 Tisch spielte danach", "0 Tische spielten danach"):
        assert said in page
    assert page.index("Fassung 2") < page.index("Fassung 1")
    assert "Alle Fassungen" in text(client.get(f"{RULES}{old.pk}/"))


def test_an_admin_adds_a_rule_set_from_a_preset_or_from_one_of_the_club(client: Client, cast: Cast) -> None:
    client.force_login(cast.admin)
    response = client.post(f"{RULES}new/", {"source": "anleitung", "name": "  Unsere   Regeln "}, follow=True)
    assert "Das Regelwerk „Unsere Regeln“ ist angelegt." in text(response)
    assert RuleSet.objects.get(name="Unsere Regeln").settings == get_preset_data("anleitung")
    own = make_rule_set(cast.club, "vln", "Freitags", won=3)
    page = client.get(f"{RULES}new/?source={own.pk}")
    assert re.search(rf'value="{own.pk}"[^>]*checked', text(page))
    response = client.post(f"{RULES}new/", {"source": own.pk, "name": "Sonntags"}, follow=True)
    assert "Das Regelwerk „Sonntags“ ist angelegt." in text(response)
    assert RuleSet.objects.get(name="Sonntags").settings == own.settings
    for typed, says in (
        ({"source": "ddv", "name": "Sonntags"}, "Ein Regelwerk dieses Namens gibt es schon"),
        ({"source": "skat", "name": "Skat"}, "keine gültige Auswahl"),
        ({"source": cast.other_table.rule_set.pk, "name": "Geklaut"}, "keine gültige Auswahl"),
        ({"source": "ddv", "name": "a\u202eb"}, "sichtbare Zeichen"),
        ({"source": "ddv", "name": ""}, "Bitte einen Namen für das Regelwerk angeben."),
    ):
        response = client.post(f"{RULES}new/", typed)
        assert (response.status_code, says in text(response)) == (422, True), typed


# --- Changing ---------------------------------------------------------------------------------------------------------


def submit(client: Client, rule_set: RuleSet, query: str = "", **instead: Any) -> HttpResponse:
    """Send the edit form of a rule set with changes."""
    address = f"{RULES}{rule_set.pk}/edit/{query}"
    page = client.get(address)
    assert page.status_code == 200
    return client.post(address, fill_lists(page.context["form"], **instead))


@pytest.fixture
def admin(client: Client, cast: Cast) -> Client:
    client.force_login(cast.admin)
    return client


def test_an_edit_becomes_the_next_version(admin: Client, cast: Cast) -> None:
    first = cast.table.rule_set
    response = submit(admin, first, won="3", bock="yes", bock__triggers=["lost_solo", "manual"])
    second = RuleSet.objects.get(name=first.name, version=2)
    assert response.headers["Location"] == f"{RULES}{second.pk}/"
    page = text(admin.get(f"{RULES}{second.pk}/"))
    assert "Gespeichert als Fassung 2." in page
    assert "<del>" in page
    assert "Ein gewonnenes Spiel zählt 1 Punkt.</del>" in page
    assert "Ein gewonnenes Spiel zählt 3 Punkte.</ins>" in page
    assert "Einen Bock löst aus: verlorenes Solo, selbst eingetragen.</ins>" in page
    bock = {**PLAIN_BOCK, "triggers": ["lost_solo", "manual"]}
    assert second.settings == {**first.settings, "won": 3, "bock": bock}
    assert Table.objects.get(pk=cast.table.pk).rule_set == first
    edits = [f"{RULES}{one.pk}/edit/" in text(admin.get(f"{RULES}{one.pk}/")) for one in (first, second)]
    assert edits == [False, True], "only the latest version is changed or copied"
    response = submit(admin, second)
    assert "Sie haben nichts geändert." in text(admin.get(response.headers["Location"]))
    assert RuleSet.objects.filter(club=cast.club).count() == 2
    submit(admin, second, "?people=6", won="2")
    latest = RuleSet.objects.filter(club=cast.club).latest("version")
    assert latest.settings == {**second.settings, "at": {"6": {"won": 2}}}


def test_letting_the_same_seat_deal_again_takes_one_tap(admin: Client, cast: Cast) -> None:
    rules = make_rule_set(cast.club, "ddv", "Alt", deal_stays=["duty_solo"])
    rules.settings["at"] = {"5": {"deal_stays": []}, "6": {"won": 2}}
    rules.save()
    make_table(cast.club, 4, rule_set=rules)
    address, offer = f"{RULES}{rules.pk}/", "Nach „Neu gegeben“ gibt hier der Nächste; üblich ist, dass derselbe noch einmal gibt."
    assert offer in " ".join(text(admin.get(address)).split())
    page = admin.post(f"{address}redeal/", follow=True)
    changed = RuleSet.objects.get(name="Alt", version=2)
    assert page.redirect_chain == [(f"{RULES}{changed.pk}/", 302)]
    assert "Gespeichert als Fassung 2." in text(page)
    assert changed.settings == {
        **rules.settings,
        "deal_stays": ["duty_solo", "redeal"],
        "at": {"5": {"deal_stays": ["redeal"]}, "6": {"won": 2}},
    }
    assert RuleSet.objects.get(pk=rules.pk).settings == rules.settings
    # The old version does not offer it, because it is not the latest.
    assert [offer in " ".join(text(admin.get(f"{RULES}{pk}/")).split()) for pk in (rules.pk, changed.pk)] == [False, False]
    again = admin.post(f"{RULES}{changed.pk}/redeal/", follow=True)
    assert (again.redirect_chain, RuleSet.objects.filter(name="Alt").count()) == ([(f"{RULES}{changed.pk}/", 302)], 2)
    late = admin.post(f"{address}redeal/", follow=True)
    assert (late.redirect_chain, RuleSet.objects.filter(name="Alt").count()) == ([(f"{RULES}{changed.pk}/", 302)], 2)


def test_a_fault_is_shown_at_its_setting_and_the_input_is_kept(admin: Client, cast: Cast) -> None:
    response = submit(admin, cast.table.rule_set, won="-3", limit__n="7", name="x")
    page = text(response)
    assert response.status_code == 422
    assert '<a class="line-link" href="#won">Gewonnen</a>' in page
    assert re.search(r'name="won" value="-3"|value="-3"[^>]*name="won"', page)
    assert re.search(r'value="7"[^>]*name="limit__n"|name="limit__n" value="7"', page)
    assert re.search(r'id="won"\s[^>]*open>', page)
    assert RuleSet.objects.filter(club=cast.club).count() == 1


def test_the_second_of_two_edits_of_a_used_version_is_a_conflict(admin: Client, cast: Cast) -> None:
    first = cast.table.rule_set
    form = fill_lists(admin.get(f"{RULES}{first.pk}/edit/").context["form"])
    second = change_rule_set(rule_set=first, actor=Actor(), settings={**first.settings, "won": 3})
    response = admin.post(f"{RULES}{first.pk}/edit/", {**form, "limit__n": "4"})
    page = text(response)
    assert response.status_code == 409
    assert "Inzwischen gibt es eine neuere Fassung." in page
    assert "Ein gewonnenes Spiel zählt 3 Punkte." in page
    assert f'action="{RULES}{second.pk}/edit/"' in page
    assert admin.post(f"{RULES}{second.pk}/edit/", {**form, "limit__n": "4"}).status_code == 302
    assert RuleSet.objects.get(name=first.name, version=2).settings == {**first.settings, "limit": 4}


def test_the_second_of_two_edits_of_an_unused_version_is_a_conflict(admin: Client, cast: Cast) -> None:
    rules = make_rule_set(cast.club, "ddv", "Neu")
    address = f"{RULES}{rules.pk}/edit/"
    shown = admin.get(address).context
    form = {**fill_lists(shown["form"]), "seen": shown["seen"]}
    said = text(admin.post(address, {**form, "won": "3"}, follow=True))
    assert "Nach Fassung 1 hatte noch niemand gespielt; sie selbst ist geändert." in said
    # A second admin opened the same page, corrects a fault first, and looks at the preview.
    faulty = admin.post(address, {**form, "gegen_die_alten": ""})
    assert (faulty.status_code, faulty.context["seen"] != "") == (422, True)
    form = {**form, "seen": faulty.context["seen"], "gegen_die_alten": "4"}
    assert "Ein gewonnenes Spiel zählt 3 Punkte." not in text(admin.post(f"{RULES}{rules.pk}/preview/", form))
    conflict = admin.post(address, form)
    assert conflict.status_code == 409
    assert "Ein gewonnenes Spiel zählt 3 Punkte." in text(conflict)
    assert admin.post(address, {**form, "seen": conflict.context["seen"]}).status_code == 302
    assert RuleSet.objects.get(name="Neu").settings == {**rules.settings, "gegen_die_alten": 4}


def test_without_valid_seen_settings_the_present_ones_count(admin: Client, cast: Cast) -> None:
    rules = make_rule_set(cast.club, "ddv", "Neu")
    address = f"{RULES}{rules.pk}/edit/"
    form = admin.get(address).context["form"]
    for number, seen in enumerate(("", "x", "e30:1v:y", "\x00"), 3):
        assert admin.post(address, fill_lists(form, won=str(number), seen=seen)).status_code == 302
        assert RuleSet.objects.get(name="Neu").settings == {**rules.settings, "won": number}


def test_a_preview_saves_nothing(admin: Client, cast: Cast) -> None:
    address = f"{RULES}{cast.table.rule_set_id}/"
    typed_in = fill_lists(admin.get(f"{address}edit/").context["form"])
    response = admin.post(f"{address}preview/", {**typed_in, "won": "3"})
    page = text(response)
    assert response.status_code == 200
    assert "So hätte der letzte Abend gezählt" in page
    assert "1 von 1 Spiel zählt anders als bisher." in page
    assert "Gewonnen: +3" in page
    response = admin.get(f"{address}preview/?people=6")
    assert (response.status_code, response.headers["Location"]) == (302, f"{address}edit/?people=6")
    assert RuleSet.objects.filter(club=cast.club).count() == 1


def test_a_preview_names_games_and_special_points_that_new_rules_lack(admin: Client, cast: Cast) -> None:
    own_evening(cast.club)
    rules = make_rule_set(cast.club, "ddv", "Neu", kinds=["normal", "armut", "fleischlos"])
    page = " ".join(text(admin.post(f"{RULES}{rules.pk}/preview/", fill_lists(SettingsForm(settings=rules.settings)))).split())
    assert "Diese Spiele sind gewertet, nur ohne: Gans (1 Spiel), Hirsch (1 Spiel)." in page
    assert "Spiel 3: Kleine Armut, Re " in page
    assert "Spiel 2 lässt sich nicht werten: Die Spielart „Schieberamsch“ gibt es nach diesen Regeln nicht." in page


def test_a_page_compares_any_two_versions(admin: Client, cast: Cast) -> None:
    first = cast.table.rule_set
    second = change_rule_set(rule_set=first, actor=Actor(), settings={**first.settings, "won": 3})
    third = make_next_version(second, limit=2)
    page = text(admin.get(f"{RULES}{third.pk}/"))
    assert "Von Fassung 2 zu Fassung 3:" in page
    assert "Jede dieser Stufen zählt 2 Punkte.</ins>" in page
    assert "Ein gewonnenes Spiel zählt 1 Punkt." not in page
    page = text(admin.get(f"{RULES}{third.pk}/?other={first.pk}"))
    assert "Von Fassung 1 zu Fassung 3:" in page
    assert "Ein gewonnenes Spiel zählt 1 Punkt.</del>" in page
    # The comparison goes from the older to the newer version on both pages.
    older = text(admin.get(f"{RULES}{first.pk}/"))
    assert "Von Fassung 1 zu Fassung 3:" in older
    assert "Ein gewonnenes Spiel zählt 1 Punkt.</del>" in older
    assert "Noch kein Tisch." in page
    assert f"/c/karo/tables/{cast.table.pk}/" in text(admin.get(f"{RULES}{first.pk}/"))


def test_a_rule_set_is_renamed(client: Client, cast: Cast) -> None:
    client.force_login(cast.admin)
    rule_set = make_rule_set(cast.club, "anleitung", "Wir")
    make_rule_set(cast.club, "vln", "Andere")
    address = f"{RULES}{rule_set.pk}/name/"
    assert address in client.get(f"{RULES}{rule_set.pk}/").content.decode()
    taken = client.post(address, {"name": "Andere"})
    assert taken.status_code == 422 and "gibt es schon" in taken.content.decode()
    assert client.post(address, {"name": ""}).status_code == 422
    assert "Stammtisch" in client.post(address, {"name": "Stammtisch"}, follow=True).content.decode()
    assert client.post(address, {"name": "Stammtisch"}).status_code == 302
    history = client.get("/c/karo/history/").content.decode()
    assert "Regelwerk umbenannt" in history and "Wir" in history
    assert history.count("Regelwerk umbenannt") == 1


def test_a_different_bock_at_one_size_explains_open_bocks(client: Client, cast: Cast) -> None:
    client.force_login(cast.admin)
    settings = resolve({"base": "anleitung", "bock": {"carry": True}})
    settings["at"] = {"5": {"bock": {**settings["bock"], "length": 3, "carry": False}}}
    rule_set = RuleSet.objects.create(club=cast.club, name="Wir", settings=settings, unit="points")
    page = client.get(f"{RULES}{rule_set.pk}/").content.decode()
    assert page.count("bleiben übrige Bockspiele übrig") == 1
    assert page.count("gelten am nächsten Abend derselben Leute weiter") == 1
    assert "verfallen am Ende des Abends" not in page
    edit = client.get(f"{RULES}{rule_set.pk}/edit/", {"people": 5})
    assert "bock__carry" not in edit.content.decode()


def test_the_page_jumps_to_an_added_row(admin: Client, cast: Cast) -> None:
    address = f"{RULES}{cast.table.rule_set_id}/edit/"
    form = admin.get(address).context["form"]
    for asked, leads_to in (
        ({"add": "special"}, '<fieldset class="special-row" id="added" tabindex="-1"'),
        ({"add": "kind"}, '<summary id="added">'),
        ({"add": "row", "row_word": "solo", "row_key": "won"}, '<div class="kind-line" id="added" tabindex="-1"'),
        ({"add": "row", "row_word": "0", "row_key": "won"}, '<div class="kind-line" id="added" tabindex="-1"'),
        ({"add": "row", "row_word": "solo", "row_key": "name"}, "So umbenennen lässt sich nur eine einzelne Spielart"),
        ({"add": "row", "row_word": "solo"}, "Bitte in beiden Zeilen etwas wählen."),
    ):
        page = admin.post(address, fill_lists(form, **asked)).content.decode()
        assert (page.count('id="added"'), leads_to in page) == (1, True), asked
        assert page.count(f'formaction="{address}#added"') == 3


def test_fields_of_several_numbers_have_a_hint(admin: Client, cast: Cast) -> None:
    page = admin.get(f"{RULES}{cast.table.rule_set_id}/edit/").content.decode()
    hints = re.findall(r'<p class="quiet small mb-2" id="(id_specials__[^"]*-points)_helptext">„5, 10“: der erste 5', page)
    assert len(hints) == sum(most > 1 for most in SPECIALS.values()) + 1
    assert all(re.search(rf'<input[^>]* aria-describedby="{hint}_helptext"[^>]* id="{hint}"', page) for hint in hints)


def test_sentences_refer_to_other_settings_by_name(admin: Client, cast: Cast) -> None:
    address = f"{RULES}{cast.table.rule_set_id}/edit/"
    addresses = (address, f"{address}?people=6", f"{RULES}recipes/", f"{RULES}questions/")
    pages = [admin.get(page).content.decode() for page in addresses]
    assert not [riddle for page in pages for riddle in re.findall("wie oben gesagt|wie eben|gilt weiter von dort", page)]
    assert "Was hier nicht geändert wird, gilt wie an allen anderen Tischen." in " ".join(pages[1].split())


def test_a_new_own_kind_can_differ_in_any_setting(admin: Client, cast: Cast) -> None:
    rule_set = cast.table.rule_set
    address = f"{RULES}{rule_set.pk}/edit/"
    form = admin.get(address).context["form"]
    assert form.new_kinds == {"0": "Neue eigene Spielart"}
    named = {"per_kind__0-name": "Nullo", "per_kind__0-like": "fleischlos"}
    asked = fill_lists(form, **named, add="row", row_word="0", row_key="lost_times")
    form = admin.post(address, asked).context["form"]
    assert (form.new_kinds, form.rows.shown_pairs) == ({"0": "Nullo"}, ["0.lost_times"])
    assert admin.post(address, fill_lists(form, **{"per_kind__0-lost_times": "2"})).status_code == 302
    newest = RuleSet.objects.filter(name=rule_set.name).latest("version")
    assert newest.settings["per_kind"] == {"nullo": {"name": "Nullo", "like": "fleischlos", "lost_times": 2}}
    assert newest.settings["kinds"][-1] == "nullo"


def test_a_kind_that_was_just_ticked_can_differ_at_once(admin: Client, cast: Cast) -> None:
    rule_set = cast.table.rule_set
    assert "armut" not in rule_set.settings["kinds"]
    page = admin.get(f"{RULES}{rule_set.pk}/edit/").content.decode()
    choice = page.partition('id="row_word"')[2].partition("</select>")[0]
    assert re.findall('<option value="(armut)">(.*?)</option>', choice) == [("armut", "Armut")]
    kinds = [*rule_set.settings["kinds"], "armut"]
    address = f"{RULES}{rule_set.pk}/edit/"
    asked = fill_lists(admin.get(address).context["form"], kinds=kinds, add="row", row_word="armut", row_key="won")
    form = admin.post(address, asked).context["form"]
    (row,) = [row for row in form.kind_rows if row["key"] == "armut"]
    assert (row["open"], [line["added"] for line in row["lines"]]) == (True, [True])
    assert admin.post(address, fill_lists(form, **{"per_kind__armut-won": "3"})).status_code == 302
    newest = RuleSet.objects.filter(name=rule_set.name).latest("version")
    before = get_preset_data("ddv")
    kinds = ["normal", "hochzeit", "armut", *before["kinds"][2:]]
    assert newest.settings == before | {"kinds": kinds, "per_kind": {"armut": {"won": 3}}}
