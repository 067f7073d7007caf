"""The pages of rule sets: list, sentences, editor, and preview."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils.html import strip_tags

from scoring.club.actions import Actor
from scoring.models import Change, Player, RuleSet, Table, Verb
from scoring.rules import labels
from scoring.rules.constants import SPECIALS
from scoring.rules.settings import PLAIN_BOCK, get_preset_data, resolve
from scoring.rulesets.actions import change_rule_set, found_club
from scoring.rulesets.forms.settings import SettingsForm
from scoring.rulesets.rules import PROPOSED, build_settings, get_answers
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


pytestmark = pytest.mark.django_db

ADDRESS = "/c/karo/rules/questions/"


def proposed(**instead: Any) -> dict[str, Any]:
    """Return the data of the form with the proposed answers, changed by `instead`."""
    answers = get_answers(get_preset_data(PROPOSED))._asdict() | {"own": "", "texts": [], "name": "Unsere Regeln"}
    del answers["text"]
    return answers | instead


def read(response: HttpResponse) -> str:
    """Return the text of the page without tags."""
    return " ".join(strip_tags(text(response)).split())


@pytest.fixture
def founder(client: Client) -> Client:
    """The first admin of a club that has nothing but its rule sets."""
    found_club(name="Karo", admin="vera")
    client.force_login(User.objects.get(username="vera"))
    return client


def test_every_answer_shows_what_the_sample_game_is_worth(admin: Client) -> None:
    page = read(admin.get(ADDRESS))
    assert "Zwei Punkte dazu → 5 Punkte" in page
    assert "Ein Punkt dazu → 4 Punkte" in page
    assert "Jede Ansage verdoppelt → 6 Punkte" in page
    assert "Keine Ansagen → 3 Punkte, ohne Ansage" in page
    assert "Nur ein verlorenes Re zählt doppelt → Re −8, Kontra −3" in page
    assert "Nach dem Verdoppeln, aber vor dem Bock → 10 Punkte, hier wie darüber" in page
    assert "Mit jedem abgerechnet → Solist +6, jeder andere −2" in page
    assert "Doppelbock, mehr nicht; der Rest kommt hinten dran → 2, 4, 4, 4, 4, 2, 2, 2" in page
    assert "Der zweite kommt hinten dran → 12-mal 2" in page
    assert "Wer spielt mit?" not in page


def test_the_proposed_answers_are_the_preset(admin: Client, cast: Cast) -> None:
    response = admin.post(ADDRESS, proposed(), follow=True)
    assert "Das Regelwerk „Unsere Regeln“ gilt." in text(response)
    rule_set = RuleSet.objects.get(club=cast.club, name="Unsere Regeln")
    assert response.redirect_chain == [(f"/c/karo/rules/{rule_set.pk}/", 302)]
    assert rule_set.settings == get_preset_data(PROPOSED)
    change = Change.objects.get(verb=Verb.RULES_ADDED)
    assert (change.actor, change.subject_id, change.after) == (cast.admin, str(rule_set.pk), {"version": 1})


def test_answers_become_settings_own_special_points_by_name(admin: Client) -> None:
    sent = proposed(cards="no_nines_armut", re_kontra="times", own=" Schweinchen,, Gans ,gans", triggers=["manual"])
    assert admin.post(ADDRESS, sent).status_code == 302
    settings = RuleSet.objects.get(name="Unsere Regeln").settings
    answers = get_answers(get_preset_data(PROPOSED))._replace(
        cards="no_nines_armut", re_kontra="times", own=["Schweinchen", "gans"], triggers=["manual"]
    )
    assert settings == build_settings(answers)
    assert (settings["deck"], settings["re_kontra"]) == (40, {"times": 2})
    assert settings["specials"]["schweinchen"] == {"name": "Schweinchen", "points": 1, "most": 2}


def test_common_special_points_and_house_rules_are_offered(admin: Client) -> None:
    """A name that is typed as well is added once; a rule without points is added to the text of house rules."""
    sent = proposed(specials=["fuchs", "charlie", "schweinchen", "hyperschwein"], own="schweinchen, Gans", texts=["second_dulle"])
    sent["triggers"] = ["lost_re"]
    assert admin.post(ADDRESS, sent).status_code == 302
    rule_set = RuleSet.objects.get(name="Unsere Regeln")
    assert rule_set.settings["specials"] == {
        "fuchs": 1,
        "karlchen": {"name": "Charlie", "points": 1},
        "schweinchen": {"name": "Schweinchen", "points": 1, "most": 2},
        "hyperschwein": {"name": "Hyperschwein", "points": 1, "most": 2},
        "gans": {"name": "Gans", "points": 1, "most": 2},
    }
    assert rule_set.settings["text"] == "Die zweite Dulle sticht die erste."
    assert "Die zweite Dulle sticht die erste." in read(admin.get(f"/c/karo/rules/{rule_set.pk}/"))


def test_short_answers_show_their_result(admin: Client) -> None:
    page = read(admin.get(ADDRESS))
    assert "zu viert folgen so viele Bockspiele: → Re 4, Kontra 4" in page
    assert "So viele Spiele hat ein Abend, an dem jeder seines spielt: → beliebig viele" in page
    page = read(admin.post(ADDRESS, proposed(triggers=["lost_re"], duty="5", count="1")))
    assert "zu viert folgen so viele Bockspiele: → Re 4, Kontra 0" in page
    assert "So viele Spiele hat ein Abend, an dem jeder seines spielt: → zu viert 24, zu fünft 30" in page


def test_the_sample_games_fit_the_answers(admin: Client) -> None:
    page = read(admin.get(ADDRESS))
    assert "Re gewinnt im Bock mit 155 Augen, Re gesagt, und hat einen Sonderpunkt:" in page
    page = read(admin.post(ADDRESS, proposed(re_kontra="none", count="1")))
    assert "Ohne Ansagen gibt es auch keinen Bock nach Ansagen." in page
    assert "Ein Solo geht mit 110 Augen verloren; zu viert folgen so viele Bockspiele: → 4" in page
    assert "Re gewinnt im Bock mit 155 Augen und hat einen Sonderpunkt:" in page
    page = read(admin.post(ADDRESS, proposed(re_kontra="none", triggers=["lost_re"], count="1")))
    assert "Re gewinnt mit 155 Augen und hat einen Sonderpunkt:" in page
    page = read(admin.post(ADDRESS, proposed(lost="double", count="1")))
    assert "Re sagt im Bock an, verliert mit 110 Augen und hat einen Sonderpunkt: Vor dem Verdoppeln → −12" in page
    response = admin.post(ADDRESS, proposed(re_kontra="times", name="", own="Gans", count="1"))
    assert (response.status_code, "⚠" in text(response), "Bitte hier nachsehen" in text(response)) == (200, False, False)
    # Twice for Re and twice for the Bock, and the fox before or after.
    assert "Vor dem Verdoppeln → 12 Punkte" in read(response) and "Nach dem Verdoppeln → 9 Punkte" in read(response)
    assert response.context["form"]["own"].value() == "Gans"
    assert not Change.objects.filter(verb=Verb.RULES_ADDED).exists()


def test_a_fault_is_shown_and_the_input_is_kept(admin: Client) -> None:
    for wrong, says in (
        ({"name": " "}, "Bitte einen Namen für das Regelwerk angeben."),
        ({"name": "ddv"}, "Ein Regelwerk dieses Namens gibt es schon"),
        ({"own": "a\u202eb"}, "sichtbare Zeichen"),
        ({"own": "x" * 41}, "ist zu lang: höchstens 40 Zeichen"),
        ({"own": ",".join(f"p{n}" for n in range(25))}, "24"),
        ({"own": "Gans, fuchs GEFANGEN"}, "„fuchs GEFANGEN“ steht schon oben zum Antippen. Bitte hier weglassen."),
        ({"own": "Charlie"}, "„Charlie“ steht schon oben zum Antippen."),
        ({"cards": "skat"}, "keine gültige Auswahl"),
        ({"duty": "8"}, "keine gültige Auswahl"),
        ({"texts": ["skat"]}, "keine gültige Auswahl"),
        ({"triggers": ["skat"]}, "keine gültige Auswahl"),
        ({"overlap": ""}, "zwingend erforderlich"),
    ):
        sent = proposed(re_kontra="times", own="Schweinchen", specials=["dulle_gefangen"]) | wrong
        response = admin.post(ADDRESS, sent)
        assert (response.status_code, says in text(response)) == (422, True), wrong
        assert {name: response.context["form"][name].value() for name in sent} == sent
    assert not Change.objects.filter(verb=Verb.RULES_ADDED).exists()


def test_a_founder_names_the_people_and_begins_the_evening(founder: Client) -> None:
    assert ADDRESS in text(founder.get("/c/karo/"))
    response = founder.post(ADDRESS, proposed(people="Zora\nAnton, Berta\n\n Çelik "), follow=True)
    rule_set = RuleSet.objects.get(name="Unsere Regeln")
    assert response.redirect_chain == [(f"/c/karo/evenings/new/?rule_set={rule_set.pk}", 302)]
    assert list(Player.objects.order_by("pk").values_list("name", flat=True)) == ["Zora", "Anton", "Berta", "Çelik"]
    form = response.context["form"]
    assert form["rule_set"].value() == rule_set.pk
    assert [player.name for player in form.last] == ["Zora", "Anton", "Berta", "Çelik"]
    assert "Wer spielt mit?" not in text(founder.get(ADDRESS))


def test_a_founder_can_take_a_preset_at_once(founder: Client) -> None:
    before = RuleSet.objects.count()
    response = founder.post(ADDRESS, proposed(people="A\nB\nC\nD", source="vln"))
    rule_set = RuleSet.objects.get(name=labels.PRESETS["vln"])
    assert response.headers["Location"] == f"/c/karo/evenings/new/?rule_set={rule_set.pk}"
    assert (RuleSet.objects.count(), Player.objects.count()) == (before, 4)


def test_invalid_people_leave_no_rule_set_and_no_player(founder: Client) -> None:
    before, number = RuleSet.objects.count(), "Bitte 4 bis 40 verschiedene Namen"
    for people, fault in (
        ("", number),
        ("A\nB\nC", number),
        ("\n".join(f"Gast {n}" for n in range(41)), number),
        ("A\nB\nC\na", "Zeile 4 „a“ ist dieselbe Person wie Zeile 1 „A“."),
        ("A\nB\nC\nD\u202e", "sichtbare Zeichen"),
        ("A\nB\nC\n" + "x" * 200, "höchstens"),
    ):
        response = founder.post(ADDRESS, proposed(people=people, own="Gans"))
        assert response.status_code == 422
        assert fault in response.context["form"]["people"].errors[0]
        assert (response.context["form"]["people"].value(), response.context["form"]["own"].value()) == (people, "Gans")
    assert (RuleSet.objects.count(), Player.objects.count()) == (before, 0)
