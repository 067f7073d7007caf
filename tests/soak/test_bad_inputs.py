"""What a stranger with a program types: every valid request of the site, changed in one field. Nothing of it is answered
with a 5xx, and nothing of it leaves a row that no page would write. Short in every run, 20,000 with `make soak`; SEED
repeats a run."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.cookies import SimpleCookie
from itertools import islice
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection, models, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve, reverse

from scoring.accounts.actions import build_reset_path
from scoring.administration.actions import make_founding_link
from scoring.archive.queries import KINDS, build_archive
from scoring.club.actions import Actor
from scoring.core.text import text_key
from scoring.models import Attendance, Club, Player, Table
from scoring.play.queries import read_records
from scoring.play.verify import verify
from scoring.table.actions.games import Typed
from scoring.table.actions.late import keep_late_entry
from scoring.table.actions.tables import renew_link
from scoring.table.views import games as game_views
from tests.browser.charged import charged_evening
from tests.effort import LONG
from tests.factories import PASSWORD, make_cast, make_join_link
from tests.soak import bad_inputs
from tests.soak.bad_inputs import Changed, Valid, changes, forms_of
from tests.test_access import PAGES
from tests.test_query_counts import make_world

pytestmark = pytest.mark.django_db

OLD_LIST = "Datum;Anton;Berta;Cäsar\n20.03.22;28;-12;-16\n03.04.22;-4;;4\n".encode()
NEW_PASSWORD = {"new_password1": "Vier ganz andere Wörter", "new_password2": "Vier ganz andere Wörter"}
LINES: tuple[dict[str, Any], ...] = (
    {
        "kind": "normal",
        "re": [0, 1],
        "eyes": 130,
        "re_said": "said",
        "kontra_said": "none",
        "re_specials": {"fuchs": 1},
        "kontra_specials": {"doppelkopf": 1},
        "note": "gut",
    },
    {"kind": "damensolo", "re": [0], "band": "121-150", "duty": False, "no_trick": "none", "last_said": "re"},
    {"winners": [0, 1], "base": 3, "solo": False},
    {"form": "penalty", "points": [-3, 1, 1, 1, 0], "reason": "falsch bedient"},
    {"form": "correction", "points": [0, 0, 2, -2, 0], "reason": "verzählt"},
    {"form": "redeal", "seat": 2, "reason": "fünf Neunen"},
)


# --- Everything that can be asked -------------------------------------------------------------------------------------


@dataclass
class World:
    """A club with something on every page, another one, and everybody's browser."""

    club: Club
    other: Club
    table: Table
    clients: dict[str, Client]
    addresses: dict[str, str]
    foreign: tuple[str, ...]
    # The admin as somebody who plays.
    own: int
    # Where somebody without a login, who opened a link to a new password, chooses it.
    reset: str

    def valid(self) -> list[Valid]:
        """Every form that one of them meets, the lines of the sheet as data, and what no page of this club offers now."""
        found: dict[tuple[Any, ...], Valid] = {}
        for who, client in self.clients.items():
            for address in self.pages(who):
                for request in self.forms(who, client, address):
                    found.setdefault((request.method, request.address, frozenset(request.fields)), request)
        edit, preview = self.addresses["rule_set_edit"], self.addresses["rule_set_preview"]
        # The same form has a second button.
        previews = [
            replace(one, address=preview) for one in found.values() if (one.method, one.address) == ("POST", edit)
        ]
        looks = [Valid(who, "GET", self.pages(who)[0], {}) for who in self.clients]
        return [*found.values(), *previews, *self.lines(), *self.unseen(), *looks]

    def pages(self, who: str) -> list[str]:
        table = self.addresses["table"]
        if who == "link":
            return [
                table,
                f"{table}?form=penalty",
                f"{table}?form=short",
                self.addresses["game"],
                reverse("link_speaker"),
            ]
        if who == "nobody":
            return [reverse("login"), reverse("founding"), reverse("join"), self.reset]
        return [*self.addresses.values(), f"{table}?form=correction", f"{table}?form=redeal"]

    def forms(self, who: str, client: Client, address: str) -> Iterator[Valid]:
        response = client.get(address, follow=True)
        if not response.headers["Content-Type"].startswith("text/html"):
            return
        page = response.redirect_chain[-1][0] if response.redirect_chain else address
        file = ("karo.json", build_archive(self.other)) if page == reverse("archive_upload") else ("liste.csv", OLD_LIST)
        yield from forms_of(who, page, response.content.decode(), self.known(), file)

    def known(self) -> dict[str, dict[str, Any]]:
        """What a form needs and does not say itself, by its address."""
        people = [
            str(pk) for pk in Player.objects.filter(club=self.club).order_by("pk").values_list("pk", flat=True)[:4]
        ]
        return {
            reverse("login"): {"username": "anna", "password": PASSWORD},
            reverse("founding"): {"people": "Zora\nAnton\nBerta\nÇelik", "source": "", "count": ""},
            reverse("password_change"): {"old_password": PASSWORD},
            reverse("set_language"): {"language": "de"},
            reverse("mail_address"): {"password": PASSWORD},
            reverse("join"): {"login": "neuling", "person": "none", **NEW_PASSWORD},
            self.reset: NEW_PASSWORD,
            self.addresses["evening_new"]: {"players": people},
            self.addresses["table_new"]: {"players": people},
            self.addresses["season_new"]: {"name": "Neu", "first_day": "2031-01-01", "last_day": "2031-12-31"},
            self.addresses["member_new"]: {"username": "neuling"},
            self.addresses["cash_entry_new"]: {"cents": "3,50", "person": people[0]},
            self.addresses["opening_standing"]: {"until": "2019-12-31", "points_0": "3"},
            self.addresses["cash_report"]: {"cents": "3,50"},
            self.addresses["cash_dues"]: {"person": people[0]},
            self.addresses["cash_count"]: {"cents": "0", "reason": "Leer", "counter": people[0], "witness": people[1]},
            f"{self.addresses['table']}games/": {"kind": "normal", "re": ["0", "1"], "band": "121-150", "dealer": "4"},
        }

    def lines(self) -> Iterator[Valid]:
        """What the script of the table sends."""
        records = read_records(self.table)
        seated, last = records.rounds[-1].pk, records.games[-1]
        people = [player.pk for player in records.current]
        where = self.addresses["table"] + "games/"
        for who in ("admin", "link"):
            for line in LINES:
                envelope = {"key": str(uuid4()), "after": str(last.key), "round": seated, "dealer": 4, "people": people}
                yield Valid(who, "POST", where, {**envelope, **line}, as_json=True)
            change = {"version": last.version, "confirm": True, "dealer": 4}
            yield Valid(who, "POST", f"{where}{last.key}/", {**change, **LINES[0]}, as_json=True)
        for beside in ("insert", "insert-behind"):
            inserted = {"key": str(uuid4()), "confirm": True, "dealer": 4, **LINES[2]}
            yield Valid("admin", "POST", f"{where}{last.key}/{beside}/", inserted, as_json=True)
        fine = {"key": str(uuid4()), "who": Attendance.objects.latest("pk").player_id, "code": "late", "amount": 5}
        yield Valid("admin", "POST", self.addresses["table_cash of what is charged"], fine, as_json=True)
        yield Valid("admin", "POST", f"{where}{last.key}/up/", {"version": last.version, "confirm": True}, as_json=True)

    def unseen(self) -> Iterator[Valid]:
        """Requests to addresses whose form is on no page now, since there is nothing to do there."""
        closed = Table.objects.filter(
            evening__club=self.club, evening__closed_at__isnull=False, without_games=False
        ).first()
        merged = Player.objects.filter(club=self.club).exclude(merged_into=None).first()
        assert closed is not None and merged is not None
        month, mend = self.addresses["month_close"], self.addresses["evening_correction"]
        yield Valid("admin", "POST", mend, {"held_on": "2019-03-06", "save": "1", "seen": "0" * 16})
        yield Valid("admin", "POST", mend, {"remove": "1", "sure": "1"})
        for address, fields in {
            reverse("evening_reopen", args=["karo", closed.evening_id]): {},
            reverse("evening_discard", args=["karo", self.table.evening_id]): {},
            reverse("table_carry", args=["karo", self.table.pk]): {"carries_on": str(closed.pk)},
            self.addresses["game_down"]: {"version": "1", "confirm": "1"},
            reverse("evening_fine_accept", args=["karo", closed.evening_id, uuid4()]): {"seen": "0" * 64},
            month: {"seen": "0" * 64, "confirmed": "on"},
            month.replace("close", "supplement"): {"seen": "0" * 64, "reason": "Verzählt"},
            reverse("unmerge", args=["karo", merged.pk]): {},
            reverse("archive_undo", args=["karo"]): {},
            reverse("evening_fines_discard", args=["karo", closed.evening_id]): {},
            reverse("late_discard_all", args=["karo", self.table.pk]): {},
            reverse("cash_left", args=["karo", self.own]): {},
            reverse("cash_month_sign", args=["karo", "2026-01"]): {},
            self.addresses["cash_dues_month"]: {"seen": "0" * 64},
            self.addresses["cash_opening"]: {"cash": "3,50", "date": "2026-01-01", f"amount_{self.own}": "1,20"},
            reverse("archive_preview"): {"seen": "0" * 64},
            reverse("club_delete", args=["karo"]): {"name": "karo"},
            reverse("devices"): {"device": "others"},
            reverse("password_reset"): {"email": "anna"},
            reverse("player_initial", args=["karo", self.own]): {"by_initial": "1"},
            reverse("rule_set_same_dealer", args=["karo", self.table.rule_set_id]): {},
        }.items():
            yield Valid("admin", "POST", address, {**fields, "nothing": ""})


@pytest.fixture
def world() -> World:
    cast = make_cast_beside()
    admin, addresses = make_world(1)
    club = Club.objects.get(slug="karo")
    table = Table.objects.get(pk=resolve(addresses["table"]).kwargs["pk"])
    charged_table = charged_evening(club, User.objects.get(username="anna"))
    addresses["table_cash of what is charged"] = reverse("table_cash", args=["karo", charged_table.pk])
    charged = charged_table.evening_id
    for page in ("evening_cash", "evening_people", "evening_drinks", "evening_tariff"):
        addresses[f"{page} of what is charged"] = reverse(page, args=["karo", charged])
    addresses["evening_tariff to none"] = addresses["evening_tariff of what is charged"] + "?tariff=none"
    late = Typed(form="short", facts={"winners": [0, 1], "base": 2}, dealer=4)
    keep_late_entry(table=table, actor=Actor(), key=uuid4(), after=None, typed=late)
    link = Client()
    link.get(f"/t/{renew_link(table=table, actor=Actor()).token}/open/")
    clients = {"admin": admin, "link": link, "nobody": Client()}
    clients["nobody"].get(reverse("founding_open", args=[make_founding_link()]))
    clients["nobody"].get(reverse("join_open", args=[make_join_link(club, User.objects.get(username="anna")).token]))
    reset = clients["nobody"].get(build_reset_path(cast.reader)).headers["Location"]
    for client in clients.values():
        client.get(reverse("login"))
    link.post(reverse("link_speaker"), {"player": read_records(table).current[0].pk})
    for client in clients.values():
        client.raise_request_exception = False
        client.handler.enforce_csrf_checks = True
    foreign = [
        cast.table.pk,
        cast.table.evening_id,
        cast.club.players.latest("pk").pk,
        cast.table.rule_set_id,
        cast.game.key,
    ]
    own = Player.objects.get(club=club, user__username="anna").pk
    return World(club, cast.club, table, clients, addresses, tuple(map(str, foreign)), own, reset)


def make_cast_beside() -> Any:
    """Another club with its own people, table and game, under another address than that of the world."""
    cast = make_cast()
    for slug, name, club in (("anderswo", "Anderswo", cast.club), ("fern", "Fern", cast.other_club)):
        Club.objects.filter(pk=club.pk).update(slug=slug, name=name)
        club.refresh_from_db()
    cast.admin.username = "anna-anderswo"
    cast.admin.save()
    return cast


# --- What must hold ---------------------------------------------------------------------------------------------------


@contextmanager
def written() -> Iterator[set[str]]:
    """The tables that somebody writes into meanwhile."""
    found: set[str] = set()

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        words = sql.replace('"', " ").split(None, 3)
        if words[0] in ("INSERT", "UPDATE", "DELETE"):
            found.add(words[1] if words[0] == "UPDATE" else words[2].split()[0])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield found


def faults(world: World, tables: set[str], elsewhere: bytes) -> Iterator[str]:
    """What is wrong with the rows of the club, now that these tables were written into."""
    if build_archive(world.other) != elsewhere:
        yield "a row of another club changed"
    if not Club.objects.filter(pk=world.club.pk).exists():
        # Its name was said right, so it was removed: nothing is left to look at.
        return
    for checked in verify(world.club):
        yield from checked.findings
    for model in apps.get_app_config("scoring").get_models():
        if model._meta.db_table in tables:
            yield from _unfit(model)
    yield from _strangers(world.club)


def _unfit(model: type[models.Model]) -> Iterator[str]:
    """Values that their column, or the judge of a text, would refuse."""
    for row in model._default_manager.all():
        try:
            models.Model.clean_fields(row)
        except ValidationError as error:
            yield f"{model.__name__} {row.pk}: {error.message_dict}"


def _strangers(club: Club) -> Iterator[str]:
    """Rows that refer to those of another club: in an archive they have no number."""
    document = json.loads(build_archive(club))
    for kind in KINDS:
        for name in kind.targets:
            wrong = [row["row"] for row in document[kind.name] if row[name] is not None and row[name] < 1]
            if wrong:
                yield f"{kind.name} {wrong}: {name} is of another club"


def try_out(world: World, changed: Changed, elsewhere: bytes, counts: Counter[str]) -> Iterator[str]:
    """Send it, look at the answer and at what it left, and have it gone again."""
    client = world.clients[changed.request.who]
    cookies = dict(client.cookies)
    with transaction.atomic():
        with written() as tables:
            response = changed.request.send(client)
        counts[met(response)] += 1
        if response.status_code >= 500 and response.status_code != 503:
            yield f"{changed}: {response.status_code}"
        elif any(table.startswith("scoring_") for table in tables):
            counts["wrote"] += 1
            yield from (f"{changed}: {fault}" for fault in faults(world, tables, elsewhere))
        transaction.set_rollback(True)
    client.cookies = SimpleCookie(cookies)


def met(response: HttpResponse) -> str:
    """How far a request got."""
    if response.status_code == 403 or response.headers.get("Location", "").startswith(reverse("login")):
        return "door"
    return "form"


def run(world: World, most: int, dice: random.Random, valid: list[Valid]) -> tuple[list[str], Counter[str]]:
    """So many bad inputs at most, spread over these requests; the faults that were found, and how far they got."""
    elsewhere, counts, found = build_archive(world.other), Counter[str](), []
    every = [list(changes(request, world.foreign)) for request in valid]
    for several in every:
        dice.shuffle(several)
    for changed in islice(taken_in_turn(every), most):
        counts["sent"] += 1
        found += try_out(world, changed, elsewhere, counts)
    return found, counts


def taken_in_turn(several: list[list[Changed]]) -> Iterator[Changed]:
    """One of each, then another of each, until nothing is left."""
    waiting = [iter(one) for one in several]
    while waiting:
        still = []
        for one in waiting:
            if (changed := next(one, None)) is not None:
                yield changed
                still.append(one)
        waiting = still


def short_and_long(short: int, long: int) -> list[Any]:
    return [pytest.param(short, id="short"), pytest.param(long, id="long", marks=pytest.mark.soak)]


@pytest.mark.parametrize("most", short_and_long(40, 20_000))
def test_bad_inputs_are_refused_and_leave_nothing_wrong(world: World, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each address that takes something has a valid request, and what is spoiled in it is refused; planted faults are found."""
    seed, valid = int(os.environ.get("SEED", "2026")), world.valid()
    asked = {name_of(request) for request in valid if request.method == "POST"}
    # The tap of the demo has no field.
    assert asked == {name for name, page in PAGES.items() if page.post is not None} - {"demo-visit"}
    found, counts = run(world, most, random.Random(seed), valid)
    print(f"SEED={seed}", dict(counts))
    assert found == []
    assert counts["sent"] == most
    assert counts["form"] >= most * 0.8
    planted_faults_are_found(world, monkeypatch)


def name_of(request: Valid) -> str:
    return str(resolve(urlsplit(request.address).path).url_name)


def planted_faults_are_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of the kinds that are looked for: a number that is read without a look at it, and a name that nobody judged."""
    monkeypatch.setattr(bad_inputs, "BAD_TEXTS", ("__all__", "Ber\u202eta"))
    monkeypatch.setattr(game_views, "parse_whole", int)
    monkeypatch.setattr(Player, "clean_fields", lambda self, exclude=None: setattr(self, "name_key", text_key(self.name)))
    pages = [world.addresses["table"], world.addresses["seats"]]
    every = [valid for page in pages for valid in world.forms("admin", world.clients["admin"], page)]
    only = [valid for valid in every if name_of(valid) in ("undo", "guest")]
    found, _counts = run(world, 200 if LONG else 50, random.Random(1), only)
    assert any("/undo/" in fault and "500" in fault for fault in found)
    assert any("Player" in fault for fault in found)
