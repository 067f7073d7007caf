"""Who may open what: every address of the site, with GET and POST, for everybody a page can meet. An address that this
table says nothing about fails the test, so nobody adds a page without deciding whose it is."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.converters import IntConverter

from scoring.administration.actions import make_founding_link
from scoring.club.actions import Actor, invite_member
from scoring.evenings.actions import close_evening
from scoring.models import Club, Membership, Session
from tests.cash.kasse import make_kasse
from tests.client import ask, visit
from tests.database import made_once
from tests.effort import LONG, in_soak
from tests.factories import (
    Cast,
    add_game,
    make_cast,
    make_import,
    make_join_link,
    make_player,
    make_table,
    make_user,
    tokens_of,
)
from tests.html import assert_strict, frayed
from tests.imports.examples import waiting_kasse
from tests.months import close, make_season

# Who holds what a page asks for. "login": whoever is logged in, whatever the club; "list", "months", "evenings": everybody
# where the club shows them to strangers, else its readers, "shown" where it shows any of them; "owner": the one login of a
# person, here nobody's; "invited": the one login an invitation is for, and nobody else learns that there is one; "any
# admin": whoever runs a club here, whichever.
MEMBERS, FOREIGN = ("reader", "treasurer", "scorer", "admin"), ("stranger", "foreign reader")
HOLDERS = {
    "everyone": ("nobody", *FOREIGN, *MEMBERS),
    "login": (*FOREIGN, *MEMBERS),
    "reader": MEMBERS,
    "scorer": ("scorer", "admin"),
    "treasurer": ("treasurer",),
    "keeper": ("scorer", "treasurer", "admin"),
    "corrector": ("treasurer", "admin"),
    "admin": ("admin",),
    "invited": ("foreign reader",),
    "any admin": ("stranger", "admin"),
    **dict.fromkeys(("owner", "operator"), ()),
}
# What a reader may (None: nobody), so that scorers and treasurers are asked about the others alone in `make test`.
OF_READERS = {"everyone", "login", "reader", "shown", "list", "months", "evenings", None}
# Of which month a page is asked for, where March is not closed.
OF_CASH = ("cash_month", *(f"cash_month_{what}" for what in ("excel", "csv", "close", "statement", "sign")))
OF_FEBRUARY = ("month", "month_version", *OF_CASH)
SHOWN = {"list": "shows_list", "months": "shows_months", "evenings": "shows_evenings"}


@dataclass(frozen=True)
class Page:
    """What an address asks for with GET and POST (None: it refuses the method), and what it then answers. What is posted
    is empty: a form that asks for anything answers 422."""

    get: str | None = "reader"
    post: str | None = None
    got: int = 200
    posted: int = 422


PAGES = {
    "healthz": Page("everyone"),
    "worker": Page("everyone"),
    "manifest": Page("everyone"),
    "offline": Page("everyone"),
    "guide": Page("everyone"),
    "robots": Page("everyone"),
    "home": Page("login", got=302),
    "club": Page("shown"),
    "login": Page("everyone", "everyone", posted=422),
    "logout": Page(None, "everyone", posted=302),
    "devices": Page("login", "login", posted=302),
    "login_delete": Page("login", "login", posted=409),
    "password_change": Page("login", "login", posted=422),
    "password_change_done": Page("login"),
    "password_reset": Page("everyone", "everyone", posted=302),
    "password_reset_confirm": Page("everyone", "everyone", got=302, posted=302),
    "mail_address": Page("login", "login"),
    "set_language": Page("everyone", "everyone", got=302, posted=302),
    "evenings": Page("evenings"),
    **dict.fromkeys(("evening_new", "table_new"), Page("scorer", "scorer")),
    "evening": Page(got=302),
    "evening_close": Page("scorer", "scorer", posted=302),
    "evening_reopen": Page(None, "admin", posted=302),
    "evening_discard": Page(None, "scorer", posted=302),
    "evening_correction": Page("scorer", "scorer", posted=200),
    "evening_excel": Page(),
    "evening_people": Page("keeper", "keeper"),
    "evening_drinks": Page("keeper", "keeper", got=302, posted=302),
    "evening_fine": Page(None, "keeper", posted=302),
    "evening_fines_discard": Page(None, "keeper", posted=302),
    **dict.fromkeys(("evening_fine_strike", "evening_fine_accept"), Page(None, "keeper", posted=404)),
    "evening_collect": Page(None, "treasurer", posted=302),
    "result": Page("evenings"),
    "result_text": Page(),
    "result_picture": Page(),
    "paper": Page(),
    "table": Page(),
    "seats": Page("scorer", "scorer"),
    "table_cash": Page("reader", "scorer", got=302, posted=302),
    "guest": Page(None, "scorer"),
    "planned": Page(None, "scorer", posted=302),
    "table_carry": Page("scorer", "scorer"),
    "games": Page(None, "scorer"),
    "game": Page("reader", "scorer", posted=409),
    "game_delete": Page("scorer", "scorer", posted=302),
    "game_insert": Page("scorer", "scorer"),
    "game_insert_behind": Page("scorer", "scorer"),
    "game_up": Page("scorer", "scorer", got=302, posted=302),
    "game_down": Page("scorer", "scorer", got=302, posted=302),
    "late_enter": Page(None, "scorer", posted=302),
    "late_discard": Page(None, "scorer", posted=302),
    "late_discard_all": Page(None, "scorer", posted=302),
    "undo": Page(None, "scorer", posted=302),
    "state": Page(),
    "live": Page(got=204),
    "table_link": Page("scorer", "scorer", posted=302),
    "link_preview": Page("everyone"),
    "link_open": Page("everyone", got=302),
    "link_speaker": Page("everyone", "everyone", got=404, posted=404),
    "standings": Page("list"),
    **dict.fromkeys(("standings_excel", "by_evening", "by_evening_excel", "by_evening_csv"), Page("list")),
    "league": Page("months"),
    "season_new": Page("admin", "admin"),
    "season": Page("months"),
    "season_edit": Page("admin", "admin"),
    "month": Page("months"),
    **dict.fromkeys(("month_excel", "month_picture", "season_picture"), Page()),
    "month_close": Page("admin", "admin", posted=409),
    "month_supplement": Page(None, "admin"),
    "month_version": Page("months"),
    **dict.fromkeys(("version_excel", "version_data", "club_file", "club_excel", "club_csv", "export_csv"), Page()),
    **dict.fromkeys(("cash", "evening_cash", "tariff", "cash_month", "cash_month_excel", "cash_month_csv"), Page()),
    **dict.fromkeys(("cash_year", "cash_year_excel", "cash_year_csv"), Page()),
    # What is about somebody is theirs as well, and so is what they report: tests/cash/test_access.py.
    **dict.fromkeys(("cash_entries", "cash_entries_excel", "cash_entries_csv", "cash_kinds"), Page("treasurer")),
    **dict.fromkeys(("cash_entry", "cash_month_statement"), Page("treasurer")),
    **dict.fromkeys(("cash_statement", "cash_statement_excel", "cash_statement_csv"), Page("treasurer")),
    **dict.fromkeys(("cash_headings", "cash_count", "cash_entry_new"), Page("treasurer", "treasurer")),
    **dict.fromkeys(("cash_old", "cash_old_file", "cash_opening"), Page("treasurer", "treasurer")),
    "kasse_template": Page("treasurer"),
    **dict.fromkeys(("cash_dues", "cash_settle"), Page("treasurer", "treasurer")),
    **dict.fromkeys(("cash_old_discard", "cash_old_undo"), Page(None, "treasurer", posted=302)),
    **dict.fromkeys(("cash_entry_reverse", "cash_report_refuse"), Page("treasurer", "treasurer")),
    **dict.fromkeys(("tariff_questions", "tariff_edit"), Page("treasurer", "treasurer")),
    "evening_tariff": Page("corrector", "corrector"),
    "cash_left": Page("corrector", "treasurer", got=302, posted=302),
    "cash_report": Page("owner", "owner"),
    "cash_report_withdraw": Page(None, "owner"),
    "cash_report_confirm": Page(None, "treasurer", posted=302),
    "cash_dues_month": Page("treasurer", "treasurer", posted=409),
    "cash_settlement": Page(),
    "cash_settlement_tick": Page(None, "treasurer", posted=302),
    "cash_months": Page("reader", "treasurer"),
    "cash_month_close": Page(None, "treasurer", posted=409),
    "cash_months_close": Page("treasurer", "treasurer", posted=409),
    "cash_month_sign": Page(None, "reader", posted=302),
    "more": Page(),
    "club_delete": Page("admin", "admin"),
    "installation": Page("operator"),
    "demo-visit": Page(None, "everyone", posted=302),
    # Without the link; what it opens is looked at in tests/administration/views/test_founding.py.
    "founding": Page("everyone", "everyone", got=410, posted=410),
    "founding_link": Page("everyone"),
    "founding_open": Page("everyone", got=302),
    "visibility": Page("admin", "admin", posted=302),
    "player_initial": Page(None, "owner"),
    "players": Page(),
    "player_new": Page("admin", "admin"),
    "player": Page("list"),
    "compare": Page("list"),
    "merge": Page("admin", "admin"),
    "player_erase": Page("admin", "admin"),
    "player_data": Page("admin"),  # who it is about may have it as well: tests/administration/views/test_privacy.py
    "unmerge": Page(None, "admin", posted=302),
    "records": Page("list"),
    "matrix": Page("list"),
    "whatif": Page(),
    "player_edit": Page("admin", "admin"),
    "members": Page("admin"),
    "member_new": Page("admin", "admin"),
    "member": Page("admin", "admin", posted=302),
    "member_password": Page(None, "admin", posted=200),
    "member_remove": Page(None, "admin", posted=302),
    "invitation": Page("invited", "invited", posted=302),
    "invitation_withdraw": Page(None, "admin", posted=302),
    "join_links": Page("admin", "admin"),
    "join_link_end": Page(None, "admin", posted=302),
    "join_preview": Page("everyone"),
    "join_open": Page("everyone", got=302),
    # What the link opens is asked in tests/accounts/views/test_join_links.py.
    "join": Page("everyone", "everyone", got=404, posted=404),
    "rule_sets": Page(),
    "rule_recipes": Page(),
    "rule_set_new": Page("admin", "admin"),
    "rule_set_questions": Page("admin", "admin"),
    "rule_set": Page(),
    "rule_set_edit": Page("admin", "admin"),
    "rule_set_preview": Page("admin", "admin", got=302),
    "rule_set_name": Page("admin", "admin"),
    "rule_set_same_dealer": Page(None, "admin", posted=302),
    "table_rules": Page("scorer", "scorer"),
    "history": Page(),
    "history_retention": Page("admin", "admin", posted=302),
    "privacy": Page(),
    "archive": Page("admin"),
    "archive_imported": Page("admin", got=404),
    "archive_undo": Page(None, "admin", posted=302),
    "archive_upload": Page("any admin", "any admin"),
    "archive_preview": Page("any admin", "any admin", got=302, posted=302),
    "archive_discard": Page(None, "any admin", posted=302),
    **dict.fromkeys(("imports", "opening_standing"), Page("admin", "admin")),
    "list_template": Page("admin"),
    "import": Page("admin", "admin", posted=200),
    "import_discard": Page(None, "admin", posted=302),
    "import_undo": Page("admin", "admin", got=302, posted=302),
}


@dataclass(frozen=True)
class Scene:
    """The cast, a login for every role, and the ids that addresses of a club may hold."""

    cast: Cast
    people: dict[str, User | AnonymousUser]
    ids: dict[str, int]
    foreign_ids: dict[str, int]
    tokens: dict[str, str]

    def address(self, name: str, foreign: bool = False, **instead: int) -> str:
        """The page `name` of the club; `foreign`: with the ids of the other club's things in it; `instead`: with other
        numbers."""
        ids = self.foreign_ids if foreign else self.ids
        game = self.cast.other_game if foreign else self.cast.game
        holes = holes_of(name)
        kwargs: dict[str, Any] = {"slug": self.cast.club.slug, "key": game.key, "name": "games"}
        kwargs |= {"token": self.tokens.get(name), "secret": self.tokens.get(name), "uidb64": self.tokens.get("uid")}
        month = "2026-02" if name in OF_FEBRUARY else "2026-03"
        kwargs |= {"month": month, "version": 1, "place": 1, "kind": "payment", "year": 2026}
        if "pk" in holes:
            kwargs["pk"] = ids.get(name) or ids[kind_of(name)]
        kwargs |= instead
        return reverse(name, kwargs={hole: kwargs[hole] for hole in holes})


def kind_of(name: str) -> str:
    """Which thing the number in the address of this page is: that of evening_close is an evening's."""
    route = _patterns()[name].pattern._route
    return str(route.split("/<int:pk>")[0].rsplit("/", 1)[1])


def holes_of(name: str) -> list[str]:
    return list(_patterns()[name].pattern.converters)


def _patterns() -> dict[str, URLPattern]:
    return {str(pattern.name): pattern for pattern in _walk(get_resolver().url_patterns)}


def _walk(patterns: list[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns)
        else:
            yield pattern


def _ids(game: Any, member: User, club: Any, admin: User, guest: User) -> dict[str, int]:
    table = game.round.table
    closed = make_table(club, held_on=datetime.date(2026, 2, 6))
    add_game(closed)
    close_evening(evening=closed.evening, actor=Actor())
    season = close(make_season(club), "2026-02").season
    somebody = closed.rounds.get().seats.first().player_id
    return {
        # What strangers see as well, where a club shows it.
        "result": closed.evening_id,
        "player": somebody,
        "compare": somebody,
        "invitations": invite_member(club=club, actor=Actor(admin), login=guest.username, roles=["scorer"]).pk,
        "tables": table.pk,
        "evenings": table.evening_id,
        "rules": table.rule_set_id,
        "people": make_player(club, "Wer auch immer").pk,
        "rights": Membership.objects.get(user=member).pk,
        "imports": make_import(club).pk,
        "old": waiting_kasse(club, member).pk,
        "links": make_join_link(club, admin).pk,
        "seasons": close(season, "2026-03").season_id,
        "entries": make_kasse(club, key=game.key).pk,
    }


@pytest.fixture
def scene(request: pytest.FixtureRequest, db: None) -> Scene:
    """A private club, unless a test asks for a public one."""
    return made_once(make_scene, getattr(request, "param", False))


def make_scene(is_public: bool) -> Scene:
    cast = make_cast(**dict.fromkeys(SHOWN.values(), is_public))
    people = {
        "nobody": AnonymousUser(),
        "stranger": cast.stranger,
        "foreign reader": make_user("frieda", cast.other_club),
        "reader": cast.reader,
        "treasurer": cast.treasurer,
        "scorer": cast.scorer,
        "admin": cast.admin,
    }
    return Scene(
        cast=cast,
        people=people,
        ids=_ids(cast.game, cast.reader, cast.club, cast.admin, people["foreign reader"]),
        foreign_ids=_ids(cast.other_game, cast.stranger, cast.other_club, cast.stranger, cast.reader),
        tokens={**tokens_of(cast), **dict.fromkeys(("founding_link", "founding_open"), make_founding_link())},
    )


def expected(page: Page, method: str, who: str, club: Club) -> int:
    """The status that this page owes this person; 302 where the login is meant as well."""
    role = page.post if method == "POST" else page.get
    if role is None:
        return 405
    if role in SHOWN or role == "shown":
        switches = [SHOWN[role]] if role in SHOWN else SHOWN.values()
        role = "everyone" if any(getattr(club, switch) for switch in switches) else "reader"
    if who in HOLDERS[role]:
        return page.posted if method == "POST" else page.got
    if who == "nobody":
        return 200 if page is PAGES["home"] else 302  # who is not logged in sees the front page there
    return 404 if role in ("invited", "operator") or (who in FOREIGN and role != "any admin") else 403


def test_somebody_decided_about_every_address() -> None:
    assert all(pattern.name for pattern in _walk(get_resolver().url_patterns)), "an address without a name"
    assert set(_patterns()) == set(PAGES)


@pytest.mark.parametrize("who", ["nobody", FOREIGN[0], in_soak(FOREIGN[1]), *MEMBERS])
def test_everybody_meets_what_they_may(scene: Scene, who: str) -> None:
    names = [name for name, page in PAGES.items() if LONG or who not in MEMBERS[1:3] or {page.get, page.post} - OF_READERS]
    assert list(faults_of(scene, names, who)) == []


@pytest.mark.parametrize("who", ["nobody", *map(in_soak, FOREIGN)])
@pytest.mark.parametrize("scene", [True], ids=["public club"], indirect=True)
def test_whoever_is_from_elsewhere_meets_what_they_may_in_a_public_club(scene: Scene, who: str) -> None:
    """In `make test` the pages that a club can show; the others are no different from those of a private one."""
    assert list(faults_of(scene, [name for name, page in PAGES.items() if LONG or page.get in {*SHOWN, "shown"}], who)) == []


@pytest.mark.parametrize("switch", SHOWN)
def test_each_switch_opens_its_own_pages_to_strangers(scene: Scene, switch: str) -> None:
    cast = scene.cast
    setattr(cast.club, SHOWN[switch], True)
    cast.club.save()
    pages = [name for name, page in PAGES.items() if page.get in {*SHOWN, "shown"}]
    assert [fault for who in ("nobody", "stranger") for fault in faults_of(scene, pages, who)] == []
    # Another evening, of the same club, that is still running.
    assert ask("GET", reverse("result", args=["karo", cast.table.evening_id]), visit(cast.stranger)).status_code == 404


def faults_of(scene: Scene, names: Iterable[str], who: str) -> Iterator[str]:
    """A sentence for each answer of these pages that somebody is not owed."""
    # HEAD is GET without a body, for whoever is let in and whoever is not: two of them ask.
    methods = ("GET", "HEAD", "POST") if LONG and who in ("nobody", "admin") else ("GET", "POST")
    client = visit(scene.people[who])
    for name, method in product(names, methods):
        page, address = PAGES[name], scene.address(name)
        response = ask(method, address, client)
        wanted = expected(page, method, who, scene.cast.club)
        if response.status_code != wanted:
            yield f"{method} {address}: {response.status_code}, not {wanted}"
        assert_strict(response)
        yield from (f"{method} {address}: {value!r}" for value in frayed(response))
        if who == "nobody" and wanted == 302 and "everyone" not in (page.get, page.post):
            asked = address if method == "POST" else f"{address}?nothing="
            if response.headers["Location"] != f"{reverse('login')}?next={quote(asked)}":
                yield f"{method} {address}: leads to {response.headers['Location']}"


def test_nothing_of_another_club_is_found_under_the_own(scene: Scene) -> None:
    """The admin of a club who types the number of somebody else's table, game, person, login or rule set."""
    found, client = [], visit(scene.cast.admin)
    for name in (name for name in PAGES if {"pk", "key"} & set(holes_of(name))):
        page, address = PAGES[name], scene.address(name, foreign=True)
        asked = [method for method, role in (("GET", page.get), ("POST", page.post)) if role is not None]
        found += [f"{method} {address}" for method in asked if ask(method, address, client).status_code != 404]
    assert found == []


@pytest.mark.parametrize("number", [in_soak(0), in_soak(2**31), in_soak(2**63), 10**30])
def test_a_number_that_nothing_has_is_not_found(scene: Scene, number: int) -> None:
    """In every address that has one, in each of its places; also by one that no database could hold."""
    found, client = [], visit(scene.cast.admin)
    for name, page in PAGES.items():
        for hole in (hole for hole, kind in _patterns()[name].pattern.converters.items() if isinstance(kind, IntConverter)):
            address = scene.address(name, **{hole: number})
            if ask("POST" if page.get is None else "GET", address, client).status_code != 404:
                found.append(address)
    assert found == []


@pytest.mark.postgres
@pytest.mark.parametrize("who", ["nobody", "admin"])
def test_reading_stores_nothing(transactional_db: None, who: str) -> None:
    """So a full or read-only disk keeps nobody from it. Opening a link begins a session. The club is public: of its pages
    nobody reads more than it shows."""
    scene = make_scene(True)
    client, sqlite = visit(scene.people[who]), connection.vendor == "sqlite"
    # A day later than the session was seen last, which would be noted.
    Session.objects.update(seen_on=datetime.date(2026, 1, 1))
    refused = set()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON" if sqlite else "SET default_transaction_read_only = ON")
        for name in (name for name, page in PAGES.items() if page.get is not None):
            status = client.get(scene.address(name), {"nothing": ""}).status_code
            if status != expected(PAGES[name], "GET", who, scene.cast.club):
                refused.add((name, status))
        cursor.execute("PRAGMA query_only = OFF" if sqlite else "SET default_transaction_read_only = OFF")
    links = {"password_reset_confirm", "link_open", "founding_open", "join_open"}
    assert refused == {(name, 503) for name in links}
