"""Large imports, archives and deletions run in short transactions: they are hidden until complete, block no other writer, and leave
nothing behind after the next start if they are killed. Processes of their own write, and are really killed."""

from __future__ import annotations

import datetime
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from scoring.archive.actions import take_archive
from scoring.archive.queries import build_archive
from scoring.archive.reading.archive import read_archive
from scoring.club.actions import Actor
from scoring.club.models import HIDDEN_PREFIX
from scoring.core.errors import ActionRefused
from scoring.imports import actions as imports
from scoring.imports.actions import (
    Sitting,
    clear_away,
    discard_file,
    hidden_slug,
    hide_club,
    take_list,
    undo_import,
)
from scoring.imports.queries import list_waiting_imports
from scoring.models import Change, Club, Evening, Game, Import, Player, RuleSet
from scoring.play.verify import verify
from scoring.players.actions import merge_players
from tests.effort import in_soak
from tests.factories import Cast, add_game, make_club, make_import, make_player, make_rule_set, make_table
from tests.server import PATIENCE, told

pytestmark = pytest.mark.django_db(transaction=True)

FIXTURE = Path(settings.BASE_DIR) / "fixtures" / "archive.json"


@pytest.fixture(autouse=True)
def var(tmp_path: Path, settings: Any) -> Path:
    settings.VAR = tmp_path / "var"
    return settings.VAR


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """Return the ids of all rows of the app and of all users."""
    kept = [model for model in apps.get_models() if model._meta.app_label in ("scoring", "auth")]
    return {model._meta.label: sorted(model._base_manager.values_list("pk")) for model in kept}


def hidden_clubs() -> list[str]:
    return [slug for slug in Club.with_hidden.values_list("slug", flat=True) if slug.startswith(HIDDEN_PREFIX)]


def sheets(evenings: int, games: int = 10) -> list[Sitting]:
    day = datetime.date(2004, 3, 1)
    line = "short", {"winners": [0, 1], "base": 1}
    points = {1: games, 2: games, 3: -games, 4: -games}
    return [Sitting(day + datetime.timedelta(number), points, [line] * games) for number in range(evenings)]


REPORT: dict[str, Any] = {"evenings": 0, "together": 0, "games": 0, "odd": [], "by_hand": [], "left_out": []}


def build_arguments(cast: Cast, evenings: int = 3, **more: Any) -> dict[str, Any]:
    """Build the arguments of `take_list`."""
    people = {1: make_player(cast.club, "Alt"), **{column: Player(name=f"Neu {column}") for column in (2, 3, 4)}}
    arguments = {"people": people, "rules": cast.table.rule_set, "sittings": sheets(evenings), "report": REPORT, **more}
    return {"file": make_import(cast.club), "actor": Actor(cast.admin), "kind": "games", **arguments}


def begin(slug: str, *, file: Import, actor: Actor, sittings: list[Sitting], people: Any, rules: RuleSet, **_more: Any) -> Any:
    return imports._begin(file, actor, slug, sittings, people, rules)


# --- Killed -----------------------------------------------------------------------------------------------------------

LIST = """
import datetime, sys
from scoring.club.actions import Actor
from scoring.imports.actions import Sitting, take_list, undo_import
from scoring.models import Import, Player
from tests.imports.test_hidden_clubs import sheets
file = Import.objects.get()
people = {column: Player(name=f"Neu {column}") for column in (1, 2, 3, 4)}
rules = file.club.rule_sets.first()
take_list(file=file, actor=Actor(), kind="games", sittings=sheets(60), people=people, rules=rules, report={})
"""
ARCHIVE = """
from io import BytesIO
from pathlib import Path
from scoring.archive.actions import take_archive
from scoring.archive.reading.archive import read_archive
data = Path("fixtures/archive.json").read_bytes().replace(b'"slug": "karo"', b'"slug": "drei"')
take_archive(document=read_archive(BytesIO(data)), admin="neu")
"""
REMOVAL = """
from scoring.imports.actions import hide_club, hidden_slug
from scoring.models import Club
with hidden_slug() as slug:
    hide_club(Club.objects.get(slug="{slug}"), slug)
"""


@contextmanager
def run_code(what: str, var: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run code in a process of its own, on the database of the tests."""
    begin = "import django\ndjango.setup()\n"
    more = {"VAR_DIR": str(var), "DJANGO_SETTINGS_MODULE": "clubledger.settings", "PGAPPNAME": "doing"}
    command = [sys.executable, "-c", begin + what]
    with subprocess.Popen(command, cwd=settings.BASE_DIR, env={**os.environ, **told(), **more}) as process:
        try:
            yield process
        finally:
            process.kill()
    give_up = time.monotonic() + PATIENCE
    while connection.vendor == "postgresql" and is_still_there():
        assert time.monotonic() < give_up
        time.sleep(0.01)


def is_still_there() -> bool:
    """Return whether PostgreSQL has not noticed yet that the process is gone: until then its locks stay."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'doing'")
        return cursor.rowcount > 0


def kill_after(what: str, var: Path, seconds: float) -> bool:
    """Kill the process some time after its hidden club appears; return False if it was done before."""
    with run_code(what, var) as process:
        give_up = time.monotonic() + PATIENCE
        while not hidden_clubs() and process.poll() is None:
            assert time.monotonic() < give_up
            time.sleep(0.01)
        time.sleep(seconds)
        was_done = process.poll() is not None
    assert process.returncode in (0, -9)
    return not was_done


@pytest.mark.parametrize("times", [1, in_soak(30)])
@pytest.mark.parametrize("what", [ARCHIVE, LIST], ids=["archive", "list"])
def test_nothing_is_left_of_a_killed_process(cast: Cast, var: Path, what: str, times: int) -> None:
    make_import(cast.club)
    before, dice = everything(), random.Random(what)
    for number in range(times):
        if not kill_after(what, var, 0 if number == 0 else dice.uniform(0, 2)):
            break
        if Club.objects.count() == 3 or Import.objects.filter(imported_at__isnull=False).exists():
            break  # it was whole in the moment before
        assert Club.objects.count() == 2, "no third club is visible"
        assert Evening.objects.filter(club=cast.club).count() == 1
        call_command("clear_away", verbosity=0)
        assert everything() == before
        assert not list(var.glob("arriving/*"))
    assert not any(checked.findings for checked in verify())


def test_a_club_whose_removal_was_killed_is_gone(cast: Cast, var: Path) -> None:
    before = everything()
    data = FIXTURE.read_bytes().replace(b'"slug": "karo"', b'"slug": "drei"')
    club = take_archive(document=read_archive(BytesIO(data)), admin="neu")[0]
    User.objects.get(username="neu").delete()
    kill_after(REMOVAL.format(slug=club.slug), var, 0)
    assert not Club.objects.filter(pk=club.pk).exists()
    clear_away()
    assert everything() == before


def test_a_running_import_is_not_cleared_away(cast: Cast) -> None:
    with hidden_slug() as slug:
        Club.with_hidden.create(name="Kommt", slug=slug)
        assert clear_away() == 0
        assert hidden_clubs() == [slug]
    assert hidden_clubs() == []
    with pytest.raises(ZeroDivisionError), hidden_slug() as slug:
        Club.with_hidden.create(name="Kommt", slug=slug)
        raise ZeroDivisionError
    assert hidden_clubs() == []


# --- Other writers ----------------------------------------------------------------------------------------------------


def measure_waits(what: str, cast: Cast, var: Path) -> list[float]:
    """Return the seconds of each line that was written while a process ran the code."""
    waited: list[float] = []
    table = cast.table
    with run_code(what, var) as process:
        while not hidden_clubs() and process.poll() is None:
            time.sleep(0.01)
        while process.poll() is None:
            begun = time.monotonic()
            add_game(table, eyes=150)
            waited.append(time.monotonic() - begun)
            time.sleep(0.02)
            if len(waited) % 20 == 0:
                table = make_table(cast.club, rule_set=cast.table.rule_set)
    assert process.returncode == 0
    return waited


@pytest.mark.soak
def test_lines_are_written_while_an_archive_arrives(cast: Cast, var: Path, tmp_path: Path) -> None:
    """No line waits for the whole import. The limit is half a second; this machine may be busy."""
    club = make_club("Groß", slug="gross")
    arguments = build_arguments(cast, file=make_import(club), people={n: Player(name=f"Neu {n}") for n in range(1, 5)})
    take_list(**arguments | {"rules": make_rule_set(club), "sittings": sheets(400, 50)})
    path = tmp_path / "archive.json"
    path.write_bytes(build_archive(club))
    with hidden_slug() as slug:
        hide_club(club, slug)
    waited = measure_waits(ARCHIVE.replace("fixtures/archive.json", str(path)), cast, var)
    assert len(waited) > 3, "it went in pieces"
    assert max(waited) < 5
    assert Game.objects.filter(round__table__evening__club__slug="gross").count() == 400 * 50
    assert not any(checked.findings for checked in verify())


def test_lines_are_written_while_a_list_arrives(cast: Cast, var: Path) -> None:
    make_import(cast.club)
    waited = measure_waits(LIST, cast, var)
    assert len(waited) > 3, "it went in pieces"
    assert max(waited) < 5
    assert not any(checked.findings for checked in verify())


# --- Hidden until complete --------------------------------------------------------------------------------------------


def test_an_arriving_import_is_hidden(cast: Cast, client: Client) -> None:
    """Addresses, lists, figures of its players and checks of all clubs leave it out."""
    arguments = build_arguments(cast)
    person: Player = arguments["people"][1]
    client.force_login(cast.admin)
    pages = [reverse("player", args=["karo", person.pk]), reverse("rule_sets", args=["karo"])]
    pages += [reverse(name, args=["karo"]) for name in ("club", "evenings", "standings")]
    before = [client.get(page).content for page in pages]
    with hidden_slug() as slug:
        arrival = begin(slug, **arguments)
        imports._write(arrival, arguments["sittings"])
        Game.objects.filter(round__table__imported=arguments["file"]).update(facts={"winners": [7], "base": 1})
        assert [client.get(page).content for page in pages] == before
        assert client.get(f"/c/{slug}/").status_code == 404
        assert not any(checked.findings for checked in verify())
        call_command("verify", stdout=StringIO())
    assert list_waiting_imports(cast.club).get() == arguments["file"]


def test_a_list_of_people_who_became_one_meanwhile_is_refused(cast: Cast) -> None:
    arguments = build_arguments(cast)
    before = everything()
    with pytest.raises(ActionRefused, match="inzwischen geändert"), hidden_slug() as slug:
        arrival = begin(slug, **arguments)
        imports._write(arrival, arguments["sittings"])
        merge_players(
            player=arguments["people"][1], into=Player.objects.get(club=cast.club, name="Bodo"), actor=Actor(cast.admin)
        )
        imports._finish(arrival, "games", arguments["sittings"], {})
    Change.objects.latest("pk").delete()
    assert everything() == before


def test_a_name_taken_meanwhile_is_refused(cast: Cast) -> None:
    arguments = build_arguments(cast)
    with pytest.raises(ValidationError), hidden_slug() as slug:
        arrival = begin(slug, **arguments)
        make_player(cast.club, "neu 2")
        imports._finish(arrival, "games", arguments["sittings"], {})
    assert sorted(Player.objects.filter(name__istartswith="neu").values_list("name", flat=True)) == ["neu 2"]


def test_a_list_is_neither_discarded_nor_taken_in_twice_while_it_arrives(cast: Cast) -> None:
    arguments = build_arguments(cast)
    with hidden_slug() as slug:
        arrival = begin(slug, **arguments)
        imports._write(arrival, arguments["sittings"])
        discard_file(file=arguments["file"])
        taken = take_list(**arguments)
        again = imports._finish(arrival, "games", arguments["sittings"], {})
    assert taken == again == arguments["file"]
    assert taken.tables.count() == len(arguments["sittings"])
    assert hidden_clubs() == []


def test_a_list_discarded_before_its_first_row_is_refused(cast: Cast) -> None:
    arguments = build_arguments(cast)
    with pytest.raises(ActionRefused, match="inzwischen verworfen"), hidden_slug() as slug:
        arrival = begin(slug, **arguments)
        discard_file(file=arguments["file"])
        imports._finish(arrival, "games", arguments["sittings"], {})


def test_a_list_comes_in_pieces_and_goes_again(cast: Cast) -> None:
    """Every evening is written once, in any number of parts."""
    before = everything()
    sittings = sheets(80)
    parts = list(imports._split(sittings))
    assert len(parts) > 2
    assert [sitting for part in parts for sitting in part] == sittings
    file = take_list(**build_arguments(cast, sittings=sittings))
    assert Evening.objects.filter(tables__imported=file).distinct().count() == 80
    assert not any(checked.findings for checked in verify())
    undo_import(file=file, actor=Actor(cast.admin))
    after = everything()
    assert {name for name in before if before[name] != after[name]} == {"scoring.Import", "scoring.Player", "scoring.Change"}
    assert not Player.objects.filter(name__startswith="Neu").exists()
