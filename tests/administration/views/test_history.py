"""The history page: each kind of change has a sentence with present names, and the number of queries is constant."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from scoring.administration import forms
from scoring.club.actions import Actor, add_member, add_player, change_member, change_player, remove_member
from scoring.club.queries import list_changes
from scoring.club.texts import FORMATS, describe_changes
from scoring.evenings.actions import close_evening, reopen_evening
from scoring.models import Change, Player, Seat, Verb
from scoring.play.queries import read_records
from scoring.rules.labels import KINDS
from scoring.rulesets.actions import add_rule_set, change_rule_set, copy_rule_set
from scoring.table.actions.games import Typed, correct_game, delete_game, undo
from scoring.whatif.actions import move_to_rules, preview_move
from tests.factories import Cast, add_game, make_player, make_table
from tests.html import flat

PAGE = "/c/karo/history/"


@pytest.fixture
def shown(client: Client, cast: Cast) -> Callable[[], list[str]]:
    """Return the text of each entry of the page, the latest first."""
    client.force_login(cast.reader)

    def read() -> list[str]:
        html = client.get(PAGE).content.decode()
        found = re.findall(r'<li class="panel">(.*?)</li>\s*(?=<li class="panel">|</ol>)', html, re.DOTALL)
        return [" ".join(unescape(re.sub(r"<[^>]+>", " ", item)).split()) for item in found]

    return read


def typed(**facts: Any) -> Typed:
    return Typed(form="played", facts={"kind": "normal", "re": [0, 1], "eyes": 130, **facts}, dealer=0)


def correct(cast: Cast, new: Typed) -> Any:
    version = type(cast.game).objects.get(pk=cast.game.pk).version
    return correct_game(table=cast.table, actor=Actor(cast.scorer), key=cast.game.key, version=version, typed=new)


def test_an_evening_and_a_game_are_told_with_their_people(shown: Callable[[], list[str]], cast: Cast) -> None:
    game, evening = shown()
    assert "ohne Zugang Spiel 1 eingetragen Tisch 1 am 06.03.2026 Re Ärmel, Bodo 130 Augen Geber" in game
    assert game.endswith(" Tisch 1 am 06.03.2026 ›")
    assert f"Geber: Ärmel Spielart: {KINDS['normal']} Re: Ärmel, Bodo Augen von Re: 130" in game
    assert "Abend begonnen 06.03.2026 Regelwerk: ddv Am Tisch: Ärmel, Bodo, Çelik, Özlem" in evening


def test_a_correction_shows_what_changed_and_nothing_else(shown: Callable[[], list[str]], cast: Cast) -> None:
    correct(cast, typed(re=[0, 2], eyes=95, kontra_said="no90", kontra_specials={"fuchs": 2, "karlchen": 1}))
    said = shown()[0]
    assert "schorsch Spiel 1 berichtigt" in said
    assert "Re: Ärmel, Bodo → wird Ärmel, Çelik" in said
    assert "Augen von Re: 130 → wird 95" in said
    assert "Kontra hat gesagt: nichts → wird keine 90" in said
    assert "Sonderpunkte Kontra: nichts → wird Fuchs gefangen ×2, Karlchen" in said
    assert "Geber" not in said
    assert "Spielart:" not in said


def test_the_line_of_a_correction_says_what_changed(client: Client, cast: Cast) -> None:
    """Two corrections of a game look different before anything is opened; of more than two differences the rest is behind a
    tap."""
    correct(cast, typed(eyes=151))
    correct(cast, typed(eyes=151, re=[0, 2], kontra_said="no90"))
    correct(cast, typed(eyes=100, kontra_said="no90", re_specials={"fuchs": 1}))
    lines = re.findall(r"<summary>(.*?)</summary>", asked(client, cast))
    said = [" ".join(re.sub(r"<[^>]+>", " ", line[line.index("<strong>") :]).split()) for line in lines[:3]]
    place = "Spiel 1 berichtigt Tisch 1 am 06.03.2026"
    assert said == [
        f"{place} Re: Ärmel, Çelik → wird Ärmel, Bodo Augen von Re: 151 → wird 100 …",
        f"{place} Re: Ärmel, Bodo → wird Ärmel, Çelik Kontra hat gesagt: nichts → wird keine 90",
        f"{place} Augen von Re: 130 → wird 151",
    ]
    assert "<li><bdi>Re Ärmel, Bodo · 100 Augen</bdi></li>" in asked(client, cast), "the game itself is behind the tap"


def test_a_deletion_tells_what_stood_there_and_undoing_says_so(
    client: Client, shown: Callable[[], list[str]], cast: Cast
) -> None:
    saved = delete_game(table=cast.table, actor=Actor(cast.scorer), key=cast.game.key, version=1)
    assert "Spiel 1 gestrichen Tisch 1 am 06.03.2026 Re Ärmel, Bodo 130 Augen Geber: Ärmel Spielart:" in shown()[0]
    assert "Spiel 1 eingetragen Tisch 1 am 06.03.2026 Re Ärmel, Bodo 130 Augen später gestrichen" in shown()[1]
    undo(table=cast.table, actor=Actor(cast.scorer), change_id=saved.change.pk)
    at = timezone.localtime(saved.change.at)
    restored, struck = shown()[:2]
    assert "Spiel 1 wiederhergestellt Tisch 1 am 06.03.2026 Re Ärmel, Bodo 130 Augen macht" in restored
    assert f"macht den Eintrag von {at:%H:%M} rückgängig" in restored
    assert "Spiel 1 gestrichen Tisch 1 am 06.03.2026 Re Ärmel, Bodo 130 Augen später rückgängig gemacht" in struck
    assert "später gestrichen" not in "".join(shown())
    first, second = asked(client, cast).split('<li class="panel">')[1:3]
    assert ("dotted struck" in first, "macht den Eintrag" in first) == (False, True)
    assert ("dotted struck" in second, "macht den Eintrag" in second) == (True, False)
    Change.objects.filter(pk=saved.change.pk).update(at=at - timedelta(days=1))
    assert f"macht den Eintrag vom {at - timedelta(days=1):%d.%m.%Y} rückgängig" in shown()[0]


def test_a_login_that_belongs_to_a_person_has_their_name(shown: Callable[[], list[str]], cast: Cast) -> None:
    bodo = Player.objects.get(name="Bodo", club=cast.club)
    change_player(player=bodo, actor=Actor(cast.admin), name="Bodo", user=cast.scorer)
    Player.objects.create(club=cast.other_club, name="Schorschi", name_key="schorschi", user=cast.scorer)
    add_game(cast.table, actor=cast.scorer)
    assert "Bodo Spiel 2 eingetragen" in shown()[0]
    assert "anna Person geändert" in shown()[1]


def test_other_lines_of_the_sheet_are_told(shown: Callable[[], list[str]], cast: Cast) -> None:
    add_game(cast.table, form="penalty", points=[-3, 1, 1, 1], reason="falsch bedient", note="Zeuge: Bodo")
    assert "Strafpunkte eingetragen Tisch 1 am 06.03.2026 Ärmel −3, Bodo +1, Çelik +1, Özlem +1" in shown()[0]
    assert "Zeile: Strafpunkte" in shown()[0]
    assert "Punkte: Ärmel −3, Bodo +1, Çelik +1, Özlem +1 Grund: falsch bedient Bemerkung: Zeuge: Bodo" in shown()[0]
    add_game(cast.table, form="redeal", seat=2, reason="Karte lag offen")
    assert "Neues Geben eingetragen Tisch 1 am 06.03.2026 Çelik" in shown()[0]
    assert "Zeile: Neu gegeben" in shown()[0]
    assert "Wegen: Çelik Grund: Karte lag offen" in shown()[0]
    add_game(cast.table, kind="damensolo", re=[1], eyes=130)
    assert f"Spiel 2 eingetragen Tisch 1 am 06.03.2026 {KINDS['damensolo']} Bodo 130 Augen" in shown()[0]
    add_game(cast.table, form="short", winners=[0, 3], base=4)
    assert "Gewinner: Ärmel, Özlem Punkte vor Bock: 4" in shown()[0]
    add_game(cast.table, eyes=0, no_trick="none")
    assert "Augen von Re: 0 Ohne Stich: niemand" in shown()[0]
    add_game(cast.table, band="121-150")
    assert "Augen von Re, ungefähr: 121–150" in shown()[0]


def test_closing_and_opening_are_told(shown: Callable[[], list[str]], cast: Cast) -> None:
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    assert shown()[0].endswith("schorsch Abend abgeschlossen 06.03.2026")
    reopen_evening(evening=cast.table.evening, actor=Actor(cast.admin))
    assert shown()[0].endswith("anna Abend wieder geöffnet 06.03.2026")


def test_people_and_rights_are_told(shown: Callable[[], list[str]], cast: Cast) -> None:
    player = add_player(club=cast.club, actor=Actor(cast.admin), name="Gerda", guest=True)
    assert shown()[0].endswith("anna Person aufgenommen Gerda Gast: ja")
    change_player(
        player=player, actor=Actor(cast.admin), name="Gerd", guest=False, joined_on=None, left_on=None, user=cast.reader
    )
    assert "Person geändert Gerd Gast: ja → wird nein Zugang: nichts → wird rita Name: nichts → wird geändert" in shown()[0]
    member = add_member(club=cast.club, actor=Actor(cast.admin), login="fred", roles=["treasurer"])
    assert shown()[0].endswith("Rechte geändert fred Rechte: liest, führt die Kasse")
    change_member(membership=member, actor=Actor(cast.admin), roles=["scorer", "admin"])
    assert shown()[0].endswith("Rechte: liest, führt die Kasse → wird liest, schreibt, verwaltet")
    remove_member(membership=member, actor=Actor(cast.admin))
    assert shown()[0].endswith("Rechte geändert fred Rechte: liest, schreibt, verwaltet")
    add_rule_set(club=cast.club, actor=Actor(cast.admin), preset="vln", name="Am See")
    assert shown()[0].endswith("Regelwerk angelegt Am See")


def test_changed_rules_are_told_with_what_they_were(shown: Callable[[], list[str]], cast: Cast) -> None:
    rules = copy_rule_set(source=cast.table.rule_set, actor=Actor(cast.admin), name="Am See")
    assert shown()[0].endswith("Regelwerk angelegt Am See Vorlage: ddv")
    change_rule_set(rule_set=rules, actor=Actor(cast.admin), settings={**rules.settings, "won": 2})
    assert shown()[0].endswith(
        "Regelwerk geändert, ehe danach gespielt wurde Am See Was ein Spiel zählt: "
        "Ein gewonnenes Spiel zählt 1 Punkt. → wird Ein gewonnenes Spiel zählt 2 Punkte."
    )
    rules.refresh_from_db()
    seen = preview_move(records=read_records(cast.table), rule_set=rules)["seen"]
    move_to_rules(table=cast.table, actor=Actor(cast.admin, admin=True), rule_set=rules, seen=seen)
    assert "Tisch nach anderen Regeln gewertet Tisch 1 am 06.03.2026 Am See" in shown()[0]
    assert "Regelwerk: ddv → wird Am See" in shown()[0]


def test_a_name_is_the_one_of_today(shown: Callable[[], list[str]], cast: Cast) -> None:
    Player.objects.filter(club=cast.club, name="Ärmel").update(name="Person 7")
    assert not [line for line in shown() if "Ärmel" in line]
    assert "Re: Person 7, Bodo" in shown()[0]


def test_what_is_gone_is_told_without_a_name(shown: Callable[[], list[str]], cast: Cast) -> None:
    add_player(club=cast.club, actor=Actor(cast.scorer), name="Gerda", user=cast.treasurer).delete()
    cast.treasurer.delete()
    cast.scorer.delete()
    assert "ein gelöschter Zugang Person aufgenommen jemand, der nicht mehr da ist" in shown()[0]
    assert "Zugang: ein gelöschter Zugang" in shown()[0]


def test_another_club_sees_nothing_of_it(client: Client, cast: Cast) -> None:
    client.force_login(cast.stranger)
    page = client.get("/c/pik/history/").content.decode()
    assert page.count('<li class="panel">') == 2
    assert f"/tables/{cast.table.pk}/" not in page


def test_every_verb_has_its_sentence(cast: Cast) -> None:
    """Every verb has a format, and is described even without values."""
    for verb in Verb.values:
        subject = cast.game.key if verb.startswith("game.") else 1
        Change.objects.create(club=cast.club, verb=verb, subject_id=str(subject))
    told = describe_changes(list(list_changes(cast.club)[: len(Verb.values)]))
    assert [entry.change.verb for entry in told] == Verb.values[::-1]
    assert all(entry.differences == [] for entry in told)


def test_long_histories_have_pages(client: Client, cast: Cast) -> None:
    client.force_login(cast.reader)
    for n in range(60):
        Change.objects.create(club=cast.club, verb=Verb.PLAYER_ADDED, subject_id=str(n))
    first, second = flat(client.get(PAGE)), flat(client.get(PAGE, {"page": 2}))
    assert first.count('<li class="panel">') == 50
    assert second.count('<li class="panel">') == 12
    assert re.search(r'href="\?page=2">\s*Ältere', first)
    assert re.search(r'href="\?page=1">\s*Neuere', second)
    assert client.get(PAGE, {"page": "x"}).status_code == 200


def test_names_are_shown_as_text(client: Client, cast: Cast) -> None:
    client.force_login(cast.reader)
    make_player(cast.club, "<script>alert(1)</script>")
    seat = Seat.objects.filter(round__table=cast.table).first()
    Player.objects.filter(pk=seat.player_id).update(name="<b>Bodo</b>")
    assert "<b>Bodo" not in client.get(PAGE).content.decode()


def test_every_verb_is_told_by_a_topic() -> None:
    assert FORMATS.keys() == set(Verb)


# --- A part of it ---------------------------------------------------------------------------------------------------


def asked(client: Client, cast: Cast, **chosen: object) -> str:
    client.force_login(cast.reader)
    return flat(client.get(PAGE, chosen))


def test_a_person_filters_the_changes_by_and_about_them(client: Client, cast: Cast) -> None:
    """Changes by their login, by the link of a table, and about them. A login without a person is offered by its name."""
    bodo = Player.objects.get(name="Bodo", club=cast.club)
    change_player(player=bodo, actor=Actor(cast.admin), name="Bodo", guest=True)
    add_game(cast.table, spoken_as=bodo)
    add_game(cast.table, actor=cast.scorer)
    page = asked(client, cast, who=f"person-{bodo.pk}")
    assert page.count('<li class="panel">') == 2
    assert "Bodo, über den Link für den Tisch" in page
    assert "Person geändert" in page
    page = asked(client, cast, who=f"login-{cast.scorer.pk}")
    assert page.count('<li class="panel">') == 1
    assert "schorsch" in page
    change_player(player=bodo, actor=Actor(cast.admin), name="Bodo", user=cast.scorer)
    page = asked(client, cast, who=f"person-{bodo.pk}")
    assert f"login-{cast.scorer.pk}" not in page
    assert page.count('<li class="panel">') == 4


def test_only_one_evening_and_only_one_kind(client: Client, cast: Cast) -> None:
    other = make_table(cast.club, held_on=cast.table.evening.held_on.replace(day=20))
    add_game(other)
    page = asked(client, cast, evening=other.evening_id)
    assert page.count('<li class="panel">') == 2
    assert "Abend begonnen" in page
    assert "Spiel 1 eingetragen" in page
    page = asked(client, cast, evening=other.evening_id, kind="games")
    assert page.count('<li class="panel">') == 1
    assert "Nichts gefunden." in asked(client, cast, kind="lists")


def test_changes_are_found_by_a_text(client: Client, cast: Cast) -> None:
    """Search verbs, subjects, authors and typed texts in any case, but nothing that the page does not show."""
    bodo = Player.objects.get(name="Bodo", club=cast.club)
    add_game(cast.table, spoken_as=bodo)
    add_game(cast.table, form="penalty", points=[-3, 1, 1, 1], reason="Ärger am Tisch", note="Zeuge: Ida", actor=cast.scorer)
    change_player(player=Player.objects.get(name="Ärmel", club=cast.club), actor=Actor(cast.admin), name="Ärmel", guest=True)
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin))
    Change.objects.create(
        club=cast.club, verb=Verb.CASH_BOOKED, subject_id="1", after={"number": "2026-049", "kind": "payment", "date": "2026-03-06"}
    )
    for text, found in {
        "abgeschlossen": ["Abend abgeschlossen"], "SCHORSCH": ["Strafpunkte eingetragen"],
        "bodo": ["Spiel 2 eingetragen"], "aermel": ["Person geändert"], "ärger AM": ["Strafpunkte eingetragen"],
        "zeuge": ["Strafpunkte eingetragen"], "strafpunkte": ["Strafpunkte eingetragen"],
        "2026-049": ["In der Kasse gebucht"], "eyes": [], "%": [], "(": [],
    }.items():
        page = asked(client, cast, text=text)
        assert re.findall(r"<(?:strong|span)>([^<:]+)", page[page.index("<ol") :] if found else "") == found, text
        assert ("Nichts gefunden." in page) is not found
    parts = re.findall(r"<span><bdi>(.*?)</bdi></span>", asked(client, cast, text="2026-049"))
    assert parts == ["2026-049", "Einzahlung", "06.03.2026"], "each stays in one line"
    for n in range(60):
        Change.objects.create(club=cast.club, verb=Verb.PLAYER_ADDED, subject_id=str(n))
    page = asked(client, cast, text="aufgenommen", kind="people")
    assert 'href="?text=aufgenommen&kind=people&page=2"' in page
    assert 'value="aufgenommen"' in page


def test_each_day_has_its_heading(client: Client, cast: Cast) -> None:
    first = Change.objects.filter(club=cast.club).earliest("pk")
    Change.objects.filter(pk=first.pk).update(at="2026-03-06T22:59:00Z")
    Change.objects.exclude(pk=first.pk).update(at="2026-03-06T23:01:00Z")
    page = asked(client, cast)
    assert re.search(r'<span class="quiet">\s*Tisch 1 am 06.03.2026\s*</span>', page)
    said = re.findall(r"<h2>(.*?)</h2>|<time[^>]*>(.*?)</time>", page)
    assert said == [("Samstag, 7. März 2026", ""), ("", "00:01"), ("Freitag, 6. März 2026", ""), ("", "23:59")]
    Change.objects.update(at="2026-03-06T22:00:00Z")
    page = asked(client, cast)
    assert re.search(r'<span class="quiet">\s*Tisch 1\s*</span>', page), "its day is the heading"
    assert re.search(rf'/tables/{cast.table.pk}/">Tisch 1 am 06.03.2026 ›</a>', page), "the way there is behind a tap"


def test_each_kind_of_change_is_offered_once() -> None:
    for verb in Verb.values:
        kinds = [kind for kind, (_name, begins) in forms.KINDS.items() if verb.startswith(begins)]
        assert kinds == (["tables", "rules"] if verb == Verb.RULES_MOVED else kinds[:1]) != [], verb


def test_what_cannot_be_chosen_is_named_and_everything_is_shown(client: Client, cast: Cast) -> None:
    page = asked(client, cast, who="login-1000000", kind="x", evening="y")
    assert page.count("invalid-feedback") == 3
    assert page.count('<li class="panel">') == 2


def test_the_latest_is_first_by_its_time(client: Client, cast: Cast) -> None:
    """An archive contains rows that are older than the present ones."""
    first = Change.objects.filter(club=cast.club).earliest("pk")
    Change.objects.filter(pk=first.pk).update(at=timezone.now())
    page = asked(client, cast)
    assert page.index("Abend begonnen") < page.index("Spiel 1 eingetragen")


def test_more_than_four_equal_changes_of_one_minute_are_one_entry(client: Client, cast: Cast) -> None:
    client.force_login(cast.admin)
    names = ["Gerda", "Heinz", "Irma", "Jost", "Käte"]
    for name in names:
        assert name != names[-1] or "auf einmal" not in flat(client.get(PAGE))
        add_player(club=cast.club, actor=Actor(cast.admin), name=name)
        Change.objects.filter(actor=cast.admin).update(at=timezone.now().replace(second=0))
    said = flat(client.get(PAGE))
    assert "5 Einträge auf einmal" in said
    assert all(name in said for name in names)


def test_more_than_four_games_of_one_sheet_are_one_entry(client: Client, cast: Cast) -> None:
    table = make_table(cast.club)
    for number in range(1, 6):
        add_game(table, eyes=130, actor=cast.admin)
        if number > 3:
            page = asked(client, cast)
            assert ("Spiele 1–5 eingetragen" in page) == ("5 Einträge ab" in page) == (number == 5)
    assert "<details open>" not in page
    assert "<details open>" in asked(client, cast, kind="games"), "what was asked for is seen at once"
    game = Change.objects.filter(table=table, verb=Verb.GAME_ADDED).earliest("pk").subject_id
    delete_game(table=table, actor=Actor(cast.scorer), key=UUID(game), version=1)
    page = asked(client, cast)
    assert "Spiele 1–4 eingetragen" in page
    assert re.search(r"5 Einträge ab \d\d:\d\d.*?1 davon gestrichen", page)
    again = add_game(table, eyes=120, actor=cast.admin).game.key
    delete_game(table=table, actor=Actor(cast.scorer), key=again, version=1)
    assert "Spiel 5 gestrichen" in asked(client, cast), "the number that it would have"
