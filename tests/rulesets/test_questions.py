"""The page of the five questions, in a club that plays already and in one that begins."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils.html import strip_tags

from scoring.models import Change, Player, RuleSet, Verb
from scoring.rules import labels
from scoring.rules.settings import get_preset_data
from scoring.rulesets.actions import found_club
from scoring.rulesets.rules import PROPOSED, build_settings, get_answers
from tests.factories import Cast
from tests.html import text

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
def admin(client: Client, cast: Cast) -> Client:
    client.force_login(cast.admin)
    return client


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
