"""Open, close, reopen, discard and correct an evening."""

from __future__ import annotations

import datetime
import re

import pytest
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused
from scoring.evenings.actions import close_evening, correct_evening, discard_evening, open_evening, reopen_evening
from scoring.models import Change, Club, Entry, Evening, Player, Table, TableLink, TableResult, Verb, YearCareer
from scoring.play.queries import read_records
from scoring.play.replay import EveningIsClosed, WrongLineUp
from scoring.table.actions.games import delete_game
from scoring.table.actions.tables import renew_link
from tests.cash.books import book, owes
from tests.cash.kasse import closed as close_kasse
from tests.cash.tariffs import give_tariff
from tests.client import visit
from tests.factories import Cast, add_game, make_club, make_player, make_rule_set, make_table, make_user
from tests.html import flat
from tests.imports.uploads import everything, verified
from tests.months import close, make_season

pytestmark = pytest.mark.django_db

FRIDAY = datetime.date(2026, 3, 6)


def people(club: Club, number: int) -> list[Player]:
    return [make_player(club, f"Person {place}") for place in range(number)]


def test_an_evening_opens_with_one_table_in_seating_order(club: Club) -> None:
    writer, rules, players = make_user("schorsch", club, ["scorer"]), make_rule_set(club), people(club, 5)[::-1]
    given = {"held_on": FRIDAY, "rule_set": rules, "players": players, "place": "Gasthaus Zur Linde"}
    table = open_evening(club=club, actor=Actor(writer), **given)
    evening = Evening.objects.get()
    assert (evening.held_on, evening.place, evening.is_open) == (FRIDAY, "Gasthaus Zur Linde", True)
    assert (table.evening, table.number, table.rule_set) == (evening, 1, rules)
    records = read_records(table)
    assert (records.current, records.games, len(records.rounds)) == (players, [], 1)
    change = Change.objects.get(verb=Verb.EVENING_OPENED)
    assert (change.actor, change.subject_id, change.club) == (writer, str(evening.pk), club)
    assert change.after == {"held_on": "2026-03-06", "rule_set": rules.pk, "players": [p.pk for p in players]}
    assert add_game(table, re=[1, 2]).game.dealer == 0


def test_line_ups_and_rules_that_are_refused(club: Club) -> None:
    players, other = people(club, 9), make_club("Pik Dame")
    stranger = make_player(other, "Fred")
    for line_up in ([], players[:3], players, [*players[:3], players[0]], [*players[:3], stranger]):
        with pytest.raises(WrongLineUp):
            make_table(club, players=line_up)
    with pytest.raises(WrongLineUp):
        make_table(club, players=players[:4], rule_set=make_rule_set(other))
    assert not Evening.objects.exists()


def test_unsaved_players_are_found_by_name_or_added_as_guests(club: Club) -> None:
    players, given = people(club, 4), {"club": club, "actor": Actor(), "held_on": FRIDAY, "rule_set": make_rule_set(club)}
    new, known = Player(club=club, name="Sabine"), Player(club=club, name="person 3")
    table = open_evening(**given, players=[players[0], new, known, *players[1:3]])
    guest = Player.objects.get(name="Sabine")
    assert guest.guest
    assert read_records(table).current == [players[0], guest, players[3], *players[1:3]]
    with pytest.raises(WrongLineUp):
        open_evening(**given, players=[*players, known, Player(club=club, name="Jörn")])
    assert not Player.objects.filter(name="Jörn").exists(), "a refused evening adds no guest"


def test_closing_stores_login_and_time_and_refuses_games_until_it_is_reopened(club: Club) -> None:
    writer, admin = make_user("schorsch", club, ["scorer"]), make_user("anna", club, ["admin"])
    table = make_table(club)
    add_game(table)
    link = renew_link(table=table, actor=Actor())
    closed = close_evening(evening=table.evening, actor=Actor(writer))
    stored = Evening.objects.get()
    assert (stored.is_open, stored.closed_by, stored.closed_at) == (False, writer, closed.closed_at)
    assert TableLink.objects.get(pk=link.pk).ended_at == closed.closed_at
    with pytest.raises(EveningIsClosed):
        add_game(table)
    with pytest.raises(EveningIsClosed):
        close_evening(evening=table.evening, actor=Actor())
    assert Evening.objects.get().closed_at == closed.closed_at
    assert Change.objects.get(verb=Verb.EVENING_CLOSED).actor == writer
    reopen_evening(evening=table.evening, actor=Actor(admin))
    stored = Evening.objects.get()
    assert (stored.is_open, stored.closed_by) == (True, None)
    assert Change.objects.get(verb=Verb.EVENING_REOPENED).actor == admin
    assert add_game(table).change is not None
    with pytest.raises(ActionRefused, match="Der Abend läuft noch"):
        reopen_evening(evening=table.evening, actor=Actor(admin))


def test_only_an_evening_without_lines_is_discarded(club: Club) -> None:
    """One with a deleted line stays as it is, one with bookings stays as dropped."""
    table, booked, played = (make_table(club) for _ in range(3))
    renew_link(table=table, actor=Actor())
    entry = book(club, owes(club.players.all()[0], 5), evening=booked.evening)
    delete_game(table=played, actor=Actor(), key=add_game(played).game.key, version=1)
    for one in (table, booked):
        discard_evening(evening=one.evening, actor=Actor())
    with pytest.raises(ActionRefused, match="wurde schon etwas eingetragen"):
        discard_evening(evening=played.evening, actor=Actor())
    assert Change.objects.get(verb=Verb.EVENING_DISCARDED).subject_id == str(table.evening_id)
    assert list(Evening.objects.order_by("pk").values_list("pk", "dropped")) == [
        (booked.evening_id, True),
        (played.evening_id, False),
    ]
    assert list(Table.objects.all()) == [played]
    assert list(Entry.objects.all()) == [entry]


ADMIN = Actor(admin=True)
MARCH, APRIL = datetime.date(2026, 3, 6), datetime.date(2026, 4, 10)


def get_address(evening: Evening) -> str:
    return reverse("evening_correction", args=[evening.club.slug, evening.pk])


def list_effects(page: HttpResponse) -> list[str]:
    """Return the changes that the page announces."""
    (listed,) = re.findall(r'<h2 id="changes">.*?<ul>(.*?)</ul>', page.content.decode(), re.DOTALL)
    return [" ".join(line.split()) for line in re.findall(r"<li>(.*?)</li>", listed, re.DOTALL)]


def make_closed_table(cast: Cast, held_on: datetime.date = MARCH) -> Table:
    table = make_table(cast.club, held_on=held_on)
    add_game(table)
    close_evening(evening=table.evening, actor=Actor())
    table.evening.refresh_from_db()
    return table


def move(table: Table, held_on: datetime.date, actor: Actor = ADMIN, place: str = "") -> bool:
    return correct_evening(evening=table.evening, actor=actor, held_on=held_on, place=place)


def test_day_and_place_are_previewed_saved_and_logged(cast: Cast) -> None:
    table = make_closed_table(cast)
    admin, typed = visit(cast.admin), {"held_on": "2025-12-30", "place": " Bei  Anton "}
    assert 'value="2026-03-06"' in flat(admin.get(get_address(table.evening)))
    before = everything()
    page = admin.post(get_address(table.evening), typed)
    assert list_effects(page) == [
        "Der Tag: 06.03.2026 wird 30.12.2025",
        "Der Ort: – wird Bei Anton",
        "Ewige Liste: Der Abend zählt zum Jahr 2025 statt 2026.",
    ]
    assert everything() == before, "the preview changes nothing"
    seen = page.context["form"].fingerprint
    answer = admin.post(get_address(table.evening), {**typed, "save": "1", "seen": seen}, follow=True)
    assert "Der Abend ist berichtigt." in flat(answer)
    table.evening.refresh_from_db()
    assert (str(table.evening), table.evening.place) == ("30.12.2025", "Bei Anton")
    change = Change.objects.get(verb=Verb.EVENING_MENDED)
    assert change.before == {"held_on": "2026-03-06", "place": ""}
    assert change.after == {"held_on": "2025-12-30", "place": "Bei Anton"}
    history = flat(admin.get("/c/karo/history/"))
    assert "Abend berichtigt" in history and "Bei Anton" in history
    assert set(YearCareer.objects.filter(club=cast.club).values_list("year", flat=True)) == {2025}
    assert verified().startswith("Alles stimmt")


def test_only_previewed_values_are_saved(cast: Cast) -> None:
    table, admin = make_closed_table(cast), visit(cast.admin)
    seen = admin.post(get_address(table.evening), {"held_on": "2026-04-10", "place": ""}).context["form"].fingerprint
    answer = admin.post(get_address(table.evening), {"held_on": "2026-04-11", "place": "", "save": "1", "seen": seen})
    assert (answer.status_code, "Bitte noch einmal ansehen und dann speichern." in flat(answer)) == (422, True)
    table.evening.refresh_from_db()
    assert table.evening.held_on == MARCH
    same = admin.post(get_address(table.evening), {"held_on": "2026-03-06", "place": ""})
    assert "Es ändert sich nichts." in flat(same)


def test_the_preview_names_months_seasons_and_bookings(cast: Cast) -> None:
    """From a season with a published month into another one, and from one month of the Kasse to another."""
    give_tariff(cast.club)
    make_season(cast.club, "Frühjahr", datetime.date(2026, 1, 1), datetime.date(2026, 3, 31), rule_sets=["ddv"])
    make_season(cast.club, "Sommer", datetime.date(2026, 4, 1), datetime.date(2026, 9, 30), rule_sets=["ddv"])
    make_season(cast.club, "Nur VLN", rule_sets=["vln"])
    make_season(cast.club, "In Cent", unit="cents")
    close_evening(evening=cast.table.evening, actor=Actor())
    table = make_closed_table(cast)
    close(cast.club.seasons.get(name="Frühjahr"), "2026-03")
    admin = visit(cast.admin)
    page = admin.post(get_address(table.evening), {"held_on": "2026-04-10", "place": ""})
    number = Entry.objects.get(evening=table.evening)
    assert list_effects(page) == [
        "Der Tag: 06.03.2026 wird 10.04.2026",
        "Liga: Der Abend zählt nicht mehr im März 2026 · Frühjahr.",
        "Liga: Der Abend zählt dann im April 2026 · Sommer.",
        "Liga: März 2026 · Frühjahr ist abgeschlossen und zählt dann anders als veröffentlicht. "
        "Das wird ein Nachtrag oder eine neue Fassung.",
        f"Kasse: Buchung {number} wird am 06.03.2026 storniert.",
        "Kasse: Neu gebucht wird am 10.04.2026.",
    ]
    seen = page.context["form"].fingerprint
    typed = {"held_on": "2026-04-10", "place": "", "save": "1", "seen": seen}
    answer = flat(admin.post(get_address(table.evening), typed, follow=True))
    assert "Dadurch zählt anders als veröffentlicht:" in answer
    season = cast.club.seasons.get(name="Frühjahr")
    assert list(season.waits["undecided"]) == ["2026-03"]
    back = admin.post(get_address(table.evening), {"held_on": "2026-03-06", "place": ""})
    assert "Liga: März 2026 · Frühjahr zählt dann wieder wie veröffentlicht." in list_effects(back)


def test_a_booking_into_a_closed_month_of_the_kasse_is_shown_as_late(cast: Cast) -> None:
    give_tariff(cast.club)
    close_evening(evening=cast.table.evening, actor=Actor())
    make_closed_table(cast)
    table = make_closed_table(cast, APRIL)
    close_kasse(cast.club, "2026-03")
    page = visit(cast.admin).post(get_address(table.evening), {"held_on": "2026-03-20", "place": ""})
    today = f"{timezone.localdate():%d.%m.%Y}"
    assert list_effects(page)[1:] == [
        f"Kasse: Buchung {Entry.objects.get(evening=table.evening)} wird am 10.04.2026 storniert.",
        f"Kasse: Neu gebucht wird am {today}, als Nachtrag für März 2026.",
    ]


def test_scorers_correct_open_evenings_and_admins_closed_ones(cast: Cast) -> None:
    """A dropped evening cannot be corrected."""
    scorer, table = Actor(cast.scorer), make_closed_table(cast)
    with pytest.raises(EveningIsClosed):
        move(table, APRIL, scorer)
    assert move(cast.table, APRIL, scorer) is True
    clients = {who: visit(getattr(cast, who)) for who in ("scorer", "admin", "reader")}
    for evening, allowed in ((cast.table.evening, {"scorer", "admin"}), (table.evening, {"admin"})):
        statuses = {who: client.get(get_address(evening)).status_code for who, client in clients.items()}
        assert statuses == {who: 200 if who in allowed else 403 for who in clients}
        result = reverse("result", args=["karo", evening.pk])
        shown = {who for who, client in clients.items() if get_address(evening) in flat(client.get(result))}
        assert shown == allowed
    Evening.objects.filter(pk=table.evening_id).update(dropped=True)
    with pytest.raises(ActionRefused, match="Dieser Abend zählt nicht mehr"):
        move(table, APRIL)
    assert clients["admin"].get(get_address(table.evening)).status_code == 302


def test_a_day_later_than_tomorrow_is_refused_everywhere(cast: Cast) -> None:
    """By the actions and by the form. Tomorrow is allowed."""
    tomorrow = timezone.localdate() + datetime.timedelta(days=1)
    too_late = tomorrow + datetime.timedelta(days=1)
    sentence = f"Dieser Tag liegt in der Zukunft. Bitte einen Tag bis morgen ({tomorrow:%d.%m.%Y}) angeben."
    with pytest.raises(ValidationError) as refused:
        move(cast.table, too_late)
    assert refused.value.message_dict == {"held_on": [sentence]}
    with pytest.raises(ValidationError) as refused:
        make_table(cast.club, held_on=too_late)
    assert refused.value.message_dict == {"held_on": [sentence]}
    page = visit(cast.admin).post(get_address(cast.table.evening), {"held_on": too_late.isoformat(), "place": ""})
    assert (page.status_code, page.context["form"].errors) == (422, {"held_on": [sentence]})
    assert move(cast.table, tomorrow) is True


def test_a_day_long_before_all_others_is_asked_about_in_the_preview(cast: Cast) -> None:
    """The moved evening itself is not among those that it is compared with."""
    table, admin = make_closed_table(cast, APRIL), visit(cast.admin)
    odd = "Dieser Tag liegt mehr als ein Jahr vor dem ersten Abend des Clubs (06.03.2026). Bitte das Jahr prüfen."
    for day, asks in (("2025-03-05", True), ("2025-03-06", False)):
        assert (odd in flat(admin.post(get_address(table.evening), {"held_on": day, "place": ""}))) is asks


def test_open_bock_games_keep_their_evenings_in_order() -> None:
    """An evening can move only between the evening that it continues and the one that continues it."""
    club = make_club()
    rules = make_rule_set(club, bock={"triggers": ["manual"], "per_game": "each", "carry": True})
    first = make_table(club, rule_set=rules, held_on=datetime.date(2026, 3, 6))
    people = [seat.player for seat in first.rounds.get().seats.order_by("place")]
    tables = [first]
    for day in (13, 20):
        given = {"rule_set": rules, "players": people, "held_on": datetime.date(2026, 3, day)}
        tables.append(open_evening(club=club, actor=ADMIN, carries_on=tables[-1], **given))
    middle = tables[1]
    for day, other in ((5, "06.03.2026"), (21, "20.03.2026")):
        with pytest.raises(ActionRefused, match="Übrige Böcke verbinden") as refused:
            move(middle, datetime.date(2026, 3, day))
        assert f"mit dem vom {other}" in str(refused.value)
    assert move(middle, datetime.date(2026, 3, 6)), "on one day the evening opened first is the earlier one"
    assert move(middle, datetime.date(2026, 3, 19))
    with pytest.raises(ActionRefused, match="Übrige Böcke verbinden"):
        move(tables[0], datetime.date(2026, 3, 20))
    assert verified().startswith("Alles stimmt")


def test_results_with_games_cannot_be_rewritten(cast: Cast) -> None:
    table = make_closed_table(cast)
    before = list(TableResult.objects.filter(table=table).values_list("player", "points"))
    sent = {f"points_{player}": "99" for player, _points in before}
    admin = visit(cast.admin)
    page = admin.post(get_address(table.evening), {"held_on": "2026-04-10", "place": "", **sent})
    seen = page.context["form"].fingerprint
    admin.post(get_address(table.evening), {"held_on": "2026-04-10", "place": "", **sent, "save": "1", "seen": seen})
    assert list(TableResult.objects.filter(table=table).values_list("player", "points")) == before
