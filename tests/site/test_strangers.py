"""Strangers see the pages of a club that an admin switched on, and never its private data. One test visits every page that a
stranger can open and searches the bytes of each response for private data."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from io import BytesIO
from urllib.parse import unquote, urlencode, urljoin, urlsplit
from urllib.robotparser import RobotFileParser
from zipfile import ZipFile

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from scoring.accounts.actions import end_join_link
from scoring.administration.actions import make_founding_link
from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening, open_evening, reopen_evening
from scoring.models import Change, Club, Evening, Player, Season, Session, Table, Verb
from scoring.players.actions import merge_players, unmerge_player
from scoring.table.actions.tables import renew_link
from tests.client import visit
from tests.database import made_once
from tests.factories import Cast, add_game, make_club, make_join_link, make_player, make_rule_set, make_user
from tests.html import flat
from tests.months import add_supplement_to, close, make_season
from tests.test_access import PAGES, SHOWN, holes_of, kind_of

pytestmark = pytest.mark.django_db

MARCH = "2026-03"
HIDDEN, DOUBLE, ONLY_TONIGHT, NEVER_PLAYED = "Xaveria Quastenflosser", "Doppelgängerin", "Nurheute", "Niegespielt"
CLOSED_AT, RUNS_AT = "Hinterzimmer", "Geheimkeller"
NOTE, REASON, WHY, WRITER = "Notizblock", "Falschbedient", "Verzählter", "schriftwart"
SECRETS = (HIDDEN, DOUBLE, ONLY_TONIGHT, NEVER_PLAYED, CLOSED_AT, RUNS_AT, NOTE, REASON, WHY, WRITER)


def html_of(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status, address
    return flat(response)


def at(name: str, *args: object) -> str:
    return reverse(name, args=["karo", *args])


@dataclass(frozen=True)
class Scene:
    """A club with all switches on, and with data of every kind that strangers must not read."""

    club: Club
    admin: User
    hidden: Player
    evening: Evening
    running: Evening
    season: Season


@pytest.fixture
def scene(db: None) -> Scene:
    return made_once(_scene)


def _scene() -> Scene:
    club = make_club(slug="karo", **dict.fromkeys(SHOWN.values(), True))
    admin = make_user(WRITER, club, ["admin", "scorer"])
    hidden, double, *others = (make_player(club, name) for name in (HIDDEN, DOUBLE, "Ärmel", "Bodo", "Xenia", ONLY_TONIGHT))
    make_player(club, NEVER_PLAYED)
    rules = make_rule_set(club)

    def played(day: int, people: list[Player], place: str, month: int = 3) -> Table:
        day_of = datetime.date(2026, month, day)
        table = open_evening(club=club, actor=Actor(admin), held_on=day_of, rule_set=rules, players=people, place=place)
        add_game(table, actor=admin, note=NOTE)
        add_game(table, actor=admin, kind="damensolo", re=[0])
        add_game(table, form="penalty", points=[-7, 0, 0, 7], reason=REASON, actor=admin)
        return table

    tables = [played(1, [hidden, *others[:3]], CLOSED_AT), played(8, [double, *others[:3]], CLOSED_AT)]
    for table in tables:
        close_evening(evening=table.evening, actor=Actor(admin), present=[others[0]])
    season = make_season(club, actor=admin)
    close(season, MARCH, admin)
    merge_players(player=double, into=hidden, actor=Actor(admin))
    reopen_evening(evening=tables[1].evening, actor=Actor(admin))
    add_game(tables[1], actor=admin)
    close_evening(evening=tables[1].evening, actor=Actor(admin))
    add_supplement_to(season, MARCH, admin, reason=WHY)
    close_evening(evening=played(5, [hidden, *others[:3]], CLOSED_AT, month=4).evening, actor=Actor(admin))
    close(season, "2026-04", admin)
    running = played(6, [others[3], *others[:2], hidden], RUNS_AT, month=5)
    Player.objects.filter(pk=hidden.pk).update(by_initial=True)
    return Scene(club, admin, hidden, tables[0].evening, running.evening, season)


# --- Every page -------------------------------------------------------------------------------------------------------


def texts_of(content: bytes) -> Iterator[str]:
    """Return the body of a response; the parts of a workbook are unpacked."""
    if content.startswith(b"PK"):
        with ZipFile(BytesIO(content)) as parts:
            yield from (text for name in parts.namelist() for text in texts_of(parts.read(name)))
    else:
        yield content.decode(errors="replace")


def addresses(scene: Scene, names: Iterable[str] = PAGES) -> list[str]:
    """Yield the addresses of these pages with every id of the club, and with the queries that strangers can send."""
    club, season = scene.club, scene.season
    ids = {
        "evenings": club.evenings.values_list("pk", flat=True),
        "tables": Table.objects.filter(evening__club=club).values_list("pk", flat=True),
        "people": club.players.values_list("pk", flat=True),
        "rules": club.rule_sets.values_list("pk", flat=True),
        "seasons": [season.pk],
    }
    found = [at("compare", pk) + f"?other={scene.hidden.pk}" for pk in ids["people"]]
    found += [f"{at('standings')}?more=1&all=1&sort=name", f"{at('by_evening')}?year="]
    found += [f"{at('standings_excel')}?more=1&all=1", f"{at('matrix')}?all=1", f"{at('matrix')}?all=1&against=1"]
    for name in names:
        holes = holes_of(name)
        if PAGES[name].get is None:
            continue
        fixed = {
            "slug": "karo",
            "version": 1,
            "kind": "payment",
            "year": 2026,
            "name": "games",
            "token": "1-x",
            "secret": "x",
            "uidb64": "x",
            "key": "0" * 8 + "-0000-4000-8000-" + "0" * 12,
        }
        for pk in ids.get(kind_of(name), [1]) if "pk" in holes else [None]:
            for month in (MARCH, "2026-04", "2026-05"):
                known = {**fixed, "pk": pk, "month": month}
                found.append(reverse(name, kwargs={hole: known[hole] for hole in holes}))
    return list(dict.fromkeys(found))


def answers(client: Client, begin: list[str]) -> dict[str, bytes]:
    """Yield the responses with headers of the addresses in `begin`, and of all pages of this site that they link to."""
    waiting, found = list(begin), {}
    while waiting:
        address = waiting.pop()
        if address in found:
            continue
        response = client.get(address)
        body = b"".join(response.streaming_content) if response.streaming else response.content
        found[address] = body if body.startswith(b"PK") else body + str(response.headers).encode()
        if response.headers.get("Content-Type", "").startswith("text/html"):
            for link in re.findall(r'(?:href|src|action)="([^"]+)"', body.decode()):
                there = urlsplit(urljoin(address, unescape(link)))
                if not there.netloc and there.scheme == "" and there.path.startswith("/c/"):
                    waiting.append(there.path)
    return found


def leaks(found: dict[str, bytes]) -> list[tuple[str, str]]:
    return [
        (secret, address)
        for address, content in found.items()
        for text in texts_of(content)
        for secret in SECRETS
        if secret.lower() in unescape(unquote(text)).lower() or secret.lower() in unquote(address).lower()
    ]


def test_no_page_shows_private_data_to_strangers(scene: Scene) -> None:
    found = answers(Client(), addresses(scene))
    assert len(found) > 100
    assert leaks(found) == []


def test_the_preview_of_an_admin_shows_no_private_data(scene: Scene) -> None:
    client, names = visit(scene.admin), [name for name, page in PAGES.items() if page.get in {*SHOWN, "shown"}]
    looked = {}
    for address in addresses(scene, names):
        response = client.get(address + ("&" if "?" in address else "?") + "as=stranger")
        if response.status_code == 200:
            looked[address] = response.content
    assert len(looked) > 20
    assert leaks(looked) == []


def test_the_visit_would_find_each_of_them(scene: Scene) -> None:
    """A member of the club sees all private data on the same pages."""
    client = visit(scene.admin)
    pages = [at("month", scene.season.pk, MARCH), at("result", scene.running.pk), at("standings_excel") + "?all=1"]
    pages += [at("paper", scene.evening.pk), at("players"), at("history")]
    assert {secret for secret, _where in leaks({page: client.get(page).content for page in pages})} == set(SECRETS)


def test_a_hidden_name_is_shown_as_its_initial(scene: Scene) -> None:
    client = Client()
    pages = [
        at("standings"),
        at("matrix"),
        at("player", scene.hidden.pk),
        at("season", scene.season.pk),
        at("month", scene.season.pk, MARCH),
        at("month_version", scene.season.pk, MARCH, 1),
        at("result", scene.evening.pk),
        at("compare", Player.objects.get(name="Bodo").pk) + f"?other={scene.hidden.pk}",
        at("records"),
    ]
    for address in pages:
        html = html_of(client, address)
        assert "X." in html and "Bodo" in html, address
    assert "<title>X. · Karo Eins</title>" in html_of(client, pages[2])
    assert re.search(r'aria-label="Verlauf der Summen. Am Ende:\s+X\. ', html_of(client, pages[6]))


def test_two_people_can_have_the_same_initial(scene: Scene) -> None:
    """Each keeps a row of their own, without a second letter."""
    Player.objects.filter(name="Xenia").update(by_initial=True)
    html = html_of(Client(), at("standings"))
    assert html.count('<span class="" data-i="X."></span><span class="cut">X.</span></span></a>') == 2


def test_a_merged_person_stays_an_initial(cast: Cast) -> None:
    shy, other = make_player(cast.club, "Scheu", by_initial=True), make_player(cast.club, "Doppelt")
    change = merge_players(player=shy, into=other, actor=Actor(cast.admin))
    other.refresh_from_db()
    assert other.by_initial
    unmerge_player(player=Player.objects.get(pk=shy.pk), actor=Actor(cast.admin))
    assert change.verb == Verb.PLAYER_MERGED


# --- Evenings that are running ----------------------------------------------------------------------------------------


def rows(client: Client, address: str) -> list[list[str]]:
    body = html_of(client, address).partition("<tbody>")[2].partition("</tbody>")[0]
    return [re.sub(r"<[^>]+>", " ", row).split() for row in body.split("</tr>") if row.strip()]


def test_games_count_for_strangers_after_the_evening_is_closed(scene: Scene) -> None:
    address = f"{at('standings')}?all=1"
    before = rows(Client(), address)
    assert before != rows(visit(scene.admin), address)
    add_game(scene.running.tables.get(), actor=scene.admin)
    assert rows(Client(), address) == before
    assert Client().get(at("result", scene.running.pk)).status_code == 302
    close_evening(evening=scene.running, actor=Actor(scene.admin))
    assert len(rows(Client(), address)) == len(before) + 1
    assert Client().get(at("result", scene.running.pk)).status_code == 200


def test_a_reopened_evening_is_hidden_from_strangers(scene: Scene) -> None:
    reopen_evening(evening=scene.evening, actor=Actor(scene.admin))
    assert Client().get(at("result", scene.evening.pk)).status_code == 302
    assert at("result", scene.evening.pk) not in html_of(Client(), at("evenings"))


def test_a_month_is_shown_if_it_is_published_and_all_its_evenings_are_closed(scene: Scene) -> None:
    address = at("month", scene.season.pk, "2026-05")
    assert Client().get(address).status_code == 302
    close(scene.season, "2026-05", scene.admin)
    assert Client().get(address).status_code == 302, "published before its end, with an evening that is running"
    assert address not in html_of(Client(), at("season", scene.season.pk))
    close_evening(evening=scene.running, actor=Actor(scene.admin))
    assert address in html_of(Client(), at("season", scene.season.pk))
    assert "Ärmel" in html_of(Client(), address)


# --- The page of the admin --------------------------------------------------------------------------------------------


def test_a_new_club_shows_nothing(cast: Cast) -> None:
    assert not any(getattr(cast.club, name) for name in (*SHOWN.values(), "findable"))
    client = visit(cast.admin)
    assert 'href="/c/karo/shown/"' in html_of(client, at("more"))
    assert client.post(at("visibility"), {"shows_list": "on", "findable": "on"}).status_code == 302
    club = Club.objects.get(slug="karo")
    assert (club.shows_list, club.shows_months, club.shows_evenings, club.findable) == (True, False, False, True)
    change = Change.objects.latest("pk")
    assert (change.verb, change.actor, change.before["shows_list"]) == (Verb.CLUB_SHOWN, cast.admin, False)
    told = " ".join(re.sub(r"<[^>]+>", " ", html_of(client, at("history"))).split())
    assert "Geändert, was Fremde sehen" in told
    assert "die ewige Liste: nein → wird ja" in told
    client.post(at("visibility"), {"shows_list": "on", "findable": "on"})
    assert Change.objects.latest("pk") == change, "nothing differed"


def test_an_admin_can_preview_each_page_before_strangers_see_it(cast: Cast) -> None:
    close_evening(evening=cast.table.evening, actor=Actor(cast.scorer))
    close(make_season(cast.club), MARCH, cast.admin)
    client = visit(cast.admin)
    examples = re.findall(r'href="([^"]+)\?as=stranger"', html_of(client, at("visibility")))
    assert len(examples) == 6
    for address in examples:
        looked = html_of(client, f"{address}?as=stranger")
        assert "So würden Fremde diese Seite sehen." in looked, address
        assert 'href="/c/karo/more/"' not in looked, "as a stranger, without the menu of members"
        assert Client().get(f"{address}?as=stranger").status_code == 302
        assert visit(cast.stranger).get(f"{address}?as=stranger").status_code == 404
        assert "Fremde diese Seite" not in html_of(visit(cast.reader), f"{address}?as=stranger")
    cast.club.shows_list = True
    cast.club.save()
    assert "So sehen Fremde diese Seite." in html_of(client, f"{at('standings')}?as=stranger")


def test_an_admin_and_the_person_decide_about_the_initial(cast: Cast) -> None:
    player = Player.objects.get(name="Bodo", club=cast.club)
    Player.objects.filter(pk=player.pk).update(user=cast.reader)
    client = visit(cast.reader)
    assert "Fremden nur meinen Anfangsbuchstaben zeigen" in html_of(client, at("player", player.pk))
    assert client.post(at("player_initial", player.pk), {"by_initial": "1"}).status_code == 302
    player.refresh_from_db()
    assert player.by_initial
    assert Change.objects.latest("pk").after["by_initial"] is True
    assert "Fremden meinen ganzen Namen zeigen" in html_of(client, at("player", player.pk))
    assert visit(cast.scorer).post(at("player_initial", player.pk)).status_code == 403
    edit = {"name": "Bodo", "user": cast.reader.pk}
    assert visit(cast.admin).post(at("player_edit", player.pk), edit).status_code == 302
    player.refresh_from_db()
    assert not player.by_initial


# --- Search engines ---------------------------------------------------------------------------------------------------


def test_search_engines_may_index_nothing(scene: Scene) -> None:
    for address in (at("standings"), at("club"), "/login/", "/healthz", "/nichts/", "/robots.txt", "/manifest.webmanifest"):
        assert Client().get(address).headers["X-Robots-Tag"] == "noindex", address
    for address in (at("standings"), "/login/", "/nichts/"):
        assert '<meta name="robots" content="noindex">' in Client().get(address).content.decode()


def test_an_admin_can_let_search_engines_index_the_club(scene: Scene) -> None:
    Club.objects.update(findable=True, shows_months=False)
    for address in (at("club"), at("standings"), at("evenings"), at("result", scene.evening.pk)):
        response = Client().get(address)
        assert "X-Robots-Tag" not in response.headers
        assert b"noindex" not in response.content
    for client, address in (
        (Client(), "/login/"),
        (Client(), "/"),
        (visit(scene.admin), at("standings")),
        (visit(scene.admin), f"{at('standings')}?as=stranger"),
    ):
        assert client.get(address).headers["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize(("founding", "is_found"), [("link", False), ("open", True)])
def test_the_front_page_may_be_indexed_if_every_visitor_may_found_a_club(
    db: None, monkeypatch: pytest.MonkeyPatch, founding: str, is_found: bool
) -> None:
    monkeypatch.setattr(settings, "FOUNDING", founding)
    page = Client().get("/")
    assert ("X-Robots-Tag" not in page.headers, b"noindex" not in page.content) == (is_found, is_found)
    assert Client().get("/login/").headers["X-Robots-Tag"] == "noindex"


# --- Link previews ----------------------------------------------------------------------------------------------------

WHAT_IT_IS = "Doppelkopf am Tisch aufschreiben. Punkte und Listen entstehen von selbst."


def preview(address: str, status: int = 200) -> dict[str, str]:
    """Return what a messenger reads at this address, if it asks robots.txt first: in the first answer, or behind the redirect
    to the login."""
    messenger, robots = Client(), RobotFileParser()
    robots.parse(messenger.get("/robots.txt").content.decode().splitlines())
    page = messenger.get(address, follow=True)
    assert page.status_code == status, address
    assert all(robots.can_fetch("WhatsApp/2", way) for way in (address, *(to for to, _status in page.redirect_chain)))
    assert not Session.objects.exists() and not messenger.cookies.keys() - {"csrftoken"}, "looking changes nothing"
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[a-z_:]+)" content="([^"]*)">', flat(page))
    assert len(found) == len(dict(found)) == 9, address
    return dict(found)


def test_public_pages_have_a_link_preview(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SITE_URL", "https://club.example")
    for address, title, description in [
        ("/", "Club Ledger", WHAT_IT_IS),
        (at("club"), "Karo Eins", "Doppelkopf: Ewige Liste · Liga · Abende"),
        (at("standings"), "Ewige Liste · Karo Eins", "1. Xenia 14 · 2. Ärmel 1 · 3. Bodo −7"),
        (at("result", scene.evening.pk), "Ergebnis 1. März 2026 · Karo Eins", "1. Xenia 5 · 2. Ärmel 0 · 3. Bodo −2"),
        (at("month", scene.season.pk, MARCH), "März 2026 · Saison · Karo Eins", "1. Xenia 10 · 2. Ärmel 0 · 3. X. −3"),
        (at("season", scene.season.pk), "Saison · Karo Eins", "1. Januar 2026 – 31. Dezember 2026, Punkte"),
        (at("evenings"), "Abende · Karo Eins", WHAT_IT_IS),
        (at("player", scene.hidden.pk), "X. · Karo Eins", WHAT_IT_IS),
    ]:
        told = preview(address)
        image = told.pop("og:image")
        assert re.fullmatch(r"https://club\.example/static/scoring/card\.\w+\.png", image)
        assert Client().get(urlsplit(image).path).status_code == 200
        robots = Client().get("/robots.txt").content.decode()
        assert robots == "User-agent: *\nDisallow:\n", "the picture as well"
        assert told == {
            "og:site_name": "Club Ledger", "og:type": "website", "og:title": title, "og:description": description,
            "og:url": f"https://club.example{address}", "og:image:width": "1200", "og:image:height": "630",
            "twitter:card": "summary_large_image",
        }  # fmt: skip


def test_the_link_preview_of_a_private_page_names_nothing(scene: Scene) -> None:
    Club.objects.update(**dict.fromkeys(SHOWN.values(), False))
    neutral = preview("/login/")
    assert neutral["og:title"] == "Anmelden · Club Ledger"
    assert neutral["og:url"] == "http://testserver/login/", "the host is one of ALLOWED_HOSTS"
    table = scene.running.tables.get()
    for address in (
        at("club"), at("standings"), at("result", scene.evening.pk), at("month", scene.season.pk, MARCH),
        at("table", table.pk), at("player", scene.hidden.pk), at("more"),
    ):
        assert preview(address) == neutral | {"og:url": f"http://testserver/login/?{urlencode({'next': address})}"}, address


def test_secret_links_have_a_preview_while_valid_and_afterwards(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The preview changes nothing; that of an ended link names nothing."""
    table, actor = scene.running.tables.get(), Actor(scene.admin)
    links = [renew_link(table=table, actor=actor) for _ in range(2)]
    for address, title, description, status in [
        (f"/t/{links[1].token}/", "Am Tisch mitschreiben", "Abend am 6. Mai 2026, ohne Zugang", 200),
        (f"/t/{links[0].token}/", "Hier ist nichts – Club Ledger", WHAT_IT_IS, 404),
        (f"/found/{make_founding_link()}/", "Runde oder Club gründen", WHAT_IT_IS, 200),
        ("/found/none/", "Hier lässt sich nichts gründen · Club Ledger", WHAT_IT_IS, 410),
    ]:
        told = preview(address, status)
        assert (told["og:title"], told["og:description"]) == (title, description)
    invitation = make_join_link(scene.club, scene.admin)
    for shown, title in ((True, "Einladung in den Club Karo Eins"), (False, "Einladung in einen Club")):
        Club.objects.update(shows_list=shown, shows_months=False, shows_evenings=False)
        assert preview(f"/j/{invitation.token}/")["og:title"] == title
    end_join_link(link=invitation, actor=actor)
    over = preview(f"/j/{invitation.token}/", 410)
    assert (over["og:title"], over["og:description"]) == ("Diese Einladung gilt nicht mehr – Club Ledger", WHAT_IT_IS)


def test_names_are_escaped_in_the_title_and_the_preview(scene: Scene) -> None:
    Club.objects.update(name='"Karo" <b>&')
    page = Client().get(at("club")).content.decode()
    name = "&quot;Karo&quot; &lt;b&gt;&amp;"
    assert f"<title>{name}</title>" in page
    assert f'<meta property="og:title" content="{name}">' in page


def test_pages_for_members_have_no_preview(scene: Scene) -> None:
    assert "og:" not in html_of(visit(scene.admin), at("club"))


def test_the_start_page_for_strangers_has_the_public_parts_only(scene: Scene) -> None:
    parts = {"shows_list": "Ganze Liste", "shows_months": "Ganzer Monat", "shows_evenings": "Letzte Abende"}
    for switch, said in parts.items():
        Club.objects.update(**{**dict.fromkeys(parts, False), switch: True})
        html = html_of(Client(), at("club"))
        assert [one for one in parts.values() if one in html] == [said]
    Change.objects.all().delete()
    Evening.objects.update(closed_at=None)
    assert "Noch gibt es hier nichts zu sehen." in html_of(Client(), at("club"))


# --- The update -------------------------------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_the_migration_keeps_public_pages_public(transactional_db: None) -> None:
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    first = ("scoring", "0001_start")
    call_command("migrate", *first, verbosity=0)
    try:
        old = MigrationExecutor(connection).loader.project_state([first]).apps
        club = old.get_model("scoring", "Club")
        club.objects.create(name="Offen", slug="offen", public=True)
        club.objects.create(name="Zu", slug="zu", public=False)
    finally:
        call_command("migrate", verbosity=0)
    shown = Club.objects.order_by("slug").values_list("shows_list", "shows_months", "shows_evenings", "findable")
    assert list(shown) == [(True, True, False, False), (False, False, False, False)]
