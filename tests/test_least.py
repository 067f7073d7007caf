"""What is the least that each field of a request must be able to name? Every field by which somebody could name a thing that
is not theirs, for whoever came by the link of a table or of an invitation, the scorer, the reader and the admin, with things
of another club and with such of the own club that have nothing to do with it: refused or not found, nothing changed, and no
name told. Numbers in addresses are in `test_access.py`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.club.actions import Actor
from scoring.evenings.actions import add_table, close_evening
from scoring.models import Table
from scoring.table.actions.games import Typed
from scoring.table.actions.late import keep_late_entry
from scoring.table.actions.tables import renew_link
from tests.factories import Cast, add_game, make_join_link, make_player, make_rule_set, make_table, make_user
from tests.months import make_season

pytestmark = pytest.mark.django_db

# No answer may tell any of these; all that is foreign here bears one of them.
OUTSIDE, ASIDE = "Fremdling", "Unbeteiligt"
NEW = {"login": "neu", "new_password1": "Vier ganz andere Wörter", "new_password2": "Vier ganz andere Wörter"}
BOOKED = {"key": "0" * 8 + "-0000-4000-8000-" + "0" * 12, "cents": "1", "date": "2026-03-06"}
CARRIED = {"triggers": ["manual"], "per_game": "each", "carry": True}


@dataclass
class Scene:
    """A table, a phone for everybody, and by its kind every thing that a request should not be able to name there."""

    cast: Cast
    phones: dict[str, Client]
    foreign: dict[str, list[Any]]


@pytest.fixture
def scene(cast: Cast) -> Scene:
    # Another table of the same evening, an earlier evening, and another club, each with people who are nowhere else.
    aside, outside = (
        [make_player(club, f"{name} {n}") for n in range(4)]
        for club, name in ((cast.club, ASIDE), (cast.other_club, OUTSIDE))
    )
    beside = add_table(evening=cast.table.evening, actor=Actor(), rule_set=cast.table.rule_set, players=aside)
    earlier = make_table(cast.club, aside)
    elsewhere = make_table(
        cast.other_club, outside, rule_set=make_rule_set(cast.other_club, name=OUTSIDE, bock=CARRIED)
    )
    tables = [beside, earlier, elsewhere]
    games = [add_game(table).game for table in tables]
    add_game(elsewhere, starts_bock=2)
    phones = {name: Client() for name in ("link", "invited", "reader", "scorer", "treasurer", "admin")}
    for name in ("reader", "scorer", "treasurer", "admin"):
        user = getattr(cast, name)
        phones[name].force_login(user)
    phones["link"].get(reverse("link_open", args=[renew_link(table=cast.table, actor=Actor()).token]))
    phones["invited"].get(reverse("join_open", args=[make_join_link(cast.club, cast.admin).token]))
    here = cast.table.rounds.get().seats.all()[0].player_id
    phones["link"].post(reverse("link_speaker"), {"player": here})
    return Scene(
        cast,
        phones,
        {
            "person": [*aside, *outside],
            "person of the club": outside,
            "person without a login": [*outside, make_player(cast.club, ASIDE, user=cast.reader)],
            "round": [table.rounds.get() for table in tables],
            "line": games,
            "change": [table.changes.order_by("-id")[0] for table in tables],
            "late": [waiting_at(table) for table in (earlier, elsewhere)],
            "table": [elsewhere],
            "evening": [elsewhere.evening],
            "rules": [elsewhere.rule_set],
            "season": [make_season(cast.other_club, name=OUTSIDE)],
            "login": [make_user(f"{OUTSIDE.lower()}", cast.other_club)],
        },
    )


def waiting_at(table: Table) -> Any:
    typed = Typed("played", {"kind": "normal", "re": [0, 1], "eyes": 140})
    return keep_late_entry(table=table, actor=Actor(), key=uuid4(), after=None, typed=typed)


FOREIGN_PERSON = ("person of the club", (422,))
IN_ADDRESS = ""
LINES = ("games", "game", "game_insert")
# Who, which page, what is sent with it, the field in question, what it names, and the answers that refuse it.
SENT: list[tuple[str, str, dict[str, Any], str, str, tuple[int, ...]]] = [
    *((who, "games", {"round": 10**17}, "people", "person", (409,)) for who in ("link", "scorer", "admin")),
    *((who, "games", {}, "round", "round", (409,)) for who in ("link", "scorer")),
    *((who, "games", {}, "after", "line", (409,)) for who in ("link", "scorer")),
    *((who, "games", {}, "key", "line", (422,)) for who in ("link", "scorer")),
    # Without a login it is the login that is asked for.
    *((who, "game", {"version": 1, "confirm": True}, IN_ADDRESS, "line", (401, 404)) for who in ("link", "scorer")),
    *((who, "game_delete", {"version": 1}, IN_ADDRESS, "line", (302, 404)) for who in ("link", "scorer")),
    *((who, "undo", {}, "change", "change", (302,)) for who in ("link", "scorer")),
    ("link", "link_speaker", {}, "player", "person of the club", (200,)),
    ("invited", "join", NEW, "person", "person without a login", (422,)),
    ("scorer", "game_insert", {"confirm": True}, IN_ADDRESS, "line", (404,)),
    ("scorer", "game_up", {"version": 1, "confirm": True}, IN_ADDRESS, "line", (404,)),
    ("scorer", "late_enter", {"confirm": "1"}, IN_ADDRESS, "late", (302,)),
    ("scorer", "late_discard", {}, IN_ADDRESS, "late", (302,)),
    ("scorer", "late_discard_all", {}, "key", "late", (302,)),
    ("scorer", "seats", {}, "seat_0", "person of the club", (422,)),
    ("scorer", "evening_new", {}, "seat_0", "person of the club", (422,)),
    ("scorer", "evening_new", {}, "rule_set", "rules", (422,)),
    ("scorer", "evening_new", {"carry": "on"}, "offered", "table", (422,)),
    ("scorer", "table_new", {}, "seat_0", "person of the club", (422,)),
    ("scorer", "table_new", {}, "rule_set", "rules", (422,)),
    ("scorer", "table_rules", {"seen": "1"}, "rule_set", "rules", (422,)),
    ("scorer", "table_carry", {"seen": "1"}, "earlier", "table", (422,)),
    ("scorer", "evening_close", {}, "present", "person of the club", (422,)),
    ("treasurer", "cash_entry_new", {**BOOKED, "reason": "Wette"}, "person", "person of the club", (422,)),
    ("treasurer", "cash_entry_new", {**BOOKED, "reason": "Wette"}, "other", "person of the club", (422,)),
    ("treasurer", "cash_count", {**BOOKED, "booked": "0"}, "counter", "person of the club", (422,)),
    ("treasurer", "cash_count", {**BOOKED, "booked": "0"}, "witness", "person of the club", (422,)),
    ("treasurer", "cash_dues", {"status": "none", "month": f"{timezone.localdate():%Y-%m}"}, "person", *FOREIGN_PERSON),
    *(("treasurer", "evening_people", {"seen": "|"}, name, "person of the club", (422,)) for name in ("also", "host")),
    ("treasurer", "evening_fine", {**BOOKED, "code": "late"}, "player", "person of the club", (302, 422)),
    ("treasurer", "evening_collect", BOOKED, "players", "person of the club", (302,)),
    ("treasurer", "cash_settle", {**BOOKED, "seen": "0"}, "players", *FOREIGN_PERSON),
    ("treasurer", "cash_settle", {**BOOKED, "seen": "0"}, "evening", "evening", (404,)),
    ("admin", "merge", {}, "into", "person of the club", (422,)),
    ("admin", "player_new", {"name": "Neu"}, "user", "login", (422,)),
    ("admin", "rule_set_new", {"name": "Neu"}, "source", "rules", (422,)),
]
ASKED: list[tuple[str, str, str, str]] = [
    ("reader", "whatif", "rules", "rules"),
    ("reader", "whatif", "evening", "evening"),
    ("reader", "whatif", "season", "season"),
    ("reader", "standings", "season", "season"),
    ("reader", "by_evening", "season", "season"),
    ("reader", "records", "season", "season"),
    ("reader", "matrix", "season", "season"),
    ("reader", "compare", "other", "person of the club"),
    ("reader", "rule_set", "other", "rules"),
    ("treasurer", "cash_entries", "person", "person of the club"),
    ("treasurer", "cash_entry_new", "person", "person of the club"),
    ("treasurer", "cash_dues", "person", "person of the club"),
    ("scorer", "evening_new", "rule_set", "rules"),
    ("scorer", "table_rules", "rule_set", "rules"),
    ("scorer", "table_carry", "earlier", "table"),
]
OF_CLUB = (
    "evening_new", "player_new", "rule_set_new", "whatif", "standings", "matrix", "cash_entries", "cash_count", "cash_dues",
    "cash_settle", "by_evening", "records",
)  # fmt: skip


def address(cast: Cast, name: str, thing: Any = None) -> str:
    """The page of the table, the evening or the person of this scene; `thing` where the address names it."""
    if name in ("link_speaker", "join"):
        return reverse(name)
    if name == "cash_entry_new":
        return reverse("cash_entry_new", args=["karo", "handover"])
    if name in OF_CLUB:
        return reverse(name, args=["karo"])
    if name in ("table_new", "evening_close", "evening_people", "evening_fine", "evening_collect"):
        return reverse(name, args=["karo", cast.table.evening_id])
    if name in ("merge", "compare"):
        return reverse(name, args=["karo", cast.table.rounds.get().seats.all()[0].player_id])
    if name == "rule_set":
        return reverse(name, args=["karo", cast.table.rule_set_id])
    return reverse(name, args=["karo", cast.table.pk, *([thing.pk] if thing else [])])


def rows() -> list[list[dict[str, Any]]]:
    models: Any = apps.get_app_config("scoring").get_models()
    return [list(model.objects.order_by("pk").values()) for model in models]


@pytest.mark.parametrize("who", ["link", "invited", "scorer", "treasurer", "admin"])
def test_nobody_can_name_what_is_not_theirs_to_name(scene: Scene, who: str) -> None:
    before = rows()
    for _who, name, more, field, kind, answers in (sent for sent in SENT if sent[0] == who):
        for thing in scene.foreign[kind]:
            response = post(scene, who, name, more, field, thing)
            assert response.status_code in answers, (name, field, kind)
            told = response.content.decode()
            assert OUTSIDE not in told, (name, field, kind)
            # The question who one is offers everybody at a table of the evening.
            assert who != "link" or name == "link_speaker" or ASIDE not in told, (name, field, kind)
        assert rows() == before, (name, field, kind)


def post(scene: Scene, who: str, name: str, more: dict[str, Any], field: str, thing: Any) -> HttpResponse:
    """One request that names this thing in this field: of people, all that are foreign in the same way."""
    sent: dict[str, Any] = {}
    if name in LINES:
        sent = {"key": str(uuid4()), "after": str(scene.cast.game.key), "kind": "normal", "re": [0, 1], "eyes": 130}
    sent |= more
    if field == "people":
        sent[field] = [one.pk for one in scene.foreign["person"] if one.club_id == thing.club_id]
    elif field != IN_ADDRESS:
        sent[field] = thing.pk
    where = address(scene.cast, name, thing if field == IN_ADDRESS else None)
    if name not in LINES:
        return scene.phones[who].post(where, sent)
    return scene.phones[who].post(where, json.dumps(sent, default=str), content_type="application/json")


@pytest.mark.parametrize("who", ["reader", "scorer", "treasurer"])
def test_nobody_can_ask_for_what_is_not_theirs_to_see(scene: Scene, who: str) -> None:
    for _who, name, field, kind in (asked for asked in ASKED if asked[0] == who):
        for thing in scene.foreign[kind]:
            rules = {"rules": scene.cast.table.rule_set_id} if name == "whatif" else {}
            response = scene.phones[who].get(address(scene.cast, name), {**rules, field: thing.pk})
            assert response.status_code == 200, (name, field)
            assert OUTSIDE not in response.content.decode(), (name, field)


def test_the_link_names_nobody_in_whose_name_it_speaks(scene: Scene) -> None:
    """Neither by the header nor by opening the question again: who is at a table of the evening can be said, no other."""
    phone, cast, before = scene.phones["link"], scene.cast, rows()
    line = {"key": str(uuid4()), "after": str(cast.game.key), "kind": "normal", "re": [0, 1], "eyes": 130}
    for typist in (str(cast.scorer.pk), f"link-{scene.foreign['person'][0].pk}", "link-None", "9" * 400):
        where = reverse("games", args=["karo", cast.table.pk])
        answer = phone.post(where, json.dumps(line), content_type="application/json", headers={"Typed-By": typist})
        assert answer.status_code == 401
    assert rows() == before


def test_a_line_that_comes_too_late_names_no_other_table(scene: Scene) -> None:
    """The link has ended: what is handed in is for a line-up of this table as well."""
    cast, phone = scene.cast, scene.phones["link"]
    close_evening(evening=cast.table.evening, actor=Actor(cast.admin))
    before = rows()
    line = {"after": "", "kind": "normal", "re": [0, 1], "eyes": 130, "people": [1, 2, 3, 4]}
    for seated in scene.foreign["round"]:
        sent = json.dumps({**line, "key": str(uuid4()), "round": seated.pk})
        answer = phone.post(reverse("games", args=["karo", cast.table.pk]), sent, content_type="application/json")
        assert (answer.status_code, list(answer.json())) == (409, ["error"])
    assert rows() == before
