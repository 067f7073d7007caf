"""English is complete: the catalog holds every sentence that is gathered, each is translated and keeps its
placeholders, and pages, refusals and Excel files in English show no German."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import polib
import pytest
from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path, reverse
from django.utils import translation

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Table
from scoring.rules.settings import PRESETS
from tests.factories import PASSWORD, Cast, add_game, make_rule_set, make_table

FOLDER = Path("scoring/locale/en/LC_MESSAGES")
CATALOG = polib.pofile(str(settings.BASE_DIR / FOLDER / "django.po"))
ENGLISH = {"accept-language": "en-GB,en;q=0.9,de;q=0.5"}
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%%|\{\w*\}")
# Letters, quotes and words that no English sentence has; names of people are taken out first.
GERMAN = re.compile(
    r"[äöüßÄÖÜ„]|\b(?:und|nicht|ist|bitte|noch|keine?|wird|für|der|von|mit|eine?|zum?)\b", re.IGNORECASE
)
# What stays German on an English page: names of people and their initials, rule sets and the game, and what the other
# language is called.
KEPT = re.compile(
    r"Ärmel|Çelik|Özlem|Ohne Neunen|Großspiel|Vorführung|Deutsch|Köhler|Dame-König|Kaffeekränzchen|Fuchs von Fuchs"
    r"|Von vornherein|Hochzeit nicht gefunden|(?<=[>\"])[ÄÖ](?=[<\"])"
)


def sides(entry: polib.POEntry) -> list[tuple[str, str]]:
    """What an entry says in German and in English, one pair or one for each number."""
    if not entry.msgid_plural:
        return [(entry.msgid, entry.msgstr)]
    return list(zip((entry.msgid, entry.msgid_plural), entry.msgstr_plural.values(), strict=True))


def names(catalog: polib.POFile | polib.MOFile) -> set[tuple[str | None, str, str]]:
    return {(entry.msgctxt, entry.msgid, entry.msgid_plural or "") for entry in catalog}


# --- The catalog ----------------------------------------------------------------------------------------------------


def test_the_catalog_holds_what_make_messages_finds(tmp_path: Path) -> None:
    if not (shutil.which("xgettext") and shutil.which("make")):
        assert os.environ.get("CI") != "true", "xgettext is missing, so nobody knows whether a sentence is missing"
        pytest.skip("NOT RUN: is a sentence missing in English? Install gettext (on Debian: apt install gettext).")
    for name in ("clubledger", "scoring", "templates"):
        shutil.copytree(settings.BASE_DIR / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Makefile", "manage.py"):
        shutil.copy(settings.BASE_DIR / name, tmp_path)
    tools = Path(sys.executable).parent
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    environment |= {"VAR_DIR": str(tmp_path / "var"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        ["make", "messages", f"BIN={tools}", "VENV=.venv", "--old-file=.venv/.tools"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    gathered = polib.pofile(str(tmp_path / FOLDER / "django.po"))
    assert len(gathered) > 700
    assert names(gathered) == names(CATALOG), "Run `make messages` and translate what is new."


def test_every_sentence_is_translated_with_its_placeholders() -> None:
    assert [entry.msgid for entry in CATALOG if entry.fuzzy or entry.obsolete] == []
    for german, english in (pair for entry in CATALOG for pair in sides(entry)):
        assert english.strip(), german
        assert sorted(PLACEHOLDER.findall(english)) == sorted(PLACEHOLDER.findall(german)), german
        assert (english[0].isspace(), english[-1].isspace()) == (german[0].isspace(), german[-1].isspace()), german
        assert not GERMAN.search(KEPT.sub("", english)), english


def test_the_compiled_catalog_is_that_of_the_sentences() -> None:
    compiled = polib.mofile(str(settings.BASE_DIR / FOLDER / "django.mo"))
    assert names(compiled) == names(CATALOG)
    wanted = {(entry.msgctxt, entry.msgid): sides(entry) for entry in CATALOG}
    assert {(entry.msgctxt, entry.msgid): sides(entry) for entry in compiled} == wanted


def test_german_is_said_as_it_is_written() -> None:
    """Django has German words of its own: none of them may take the place of ours."""
    with translation.override("de"):
        for entry in CATALOG:
            said = (
                translation.pgettext(entry.msgctxt, entry.msgid) if entry.msgctxt else translation.gettext(entry.msgid)
            )
            assert said == entry.msgid


# Words with several meanings, and what says each of them: somebody "schuldet" money, an evening "läuft", a month is "nicht
# abgeschlossen", Bock games are "übrig"; "Umlauf", "Strafgeld" or "Strafpunkte", "Berichtigung", "Probe", "Sie"; a "Zugang" is
# what people use for "Anmelden". Only a page is left open.
AMBIGUOUS = re.compile(
    r"\b[oO]ffen(?!\w|\ lassen|\ ist\. Mit HTTPS)|\b[oO]ffene[nrsm]?\b|\bRunden?\b|\bStrafen?\b|\bKorrektur|\b[qQ]uersumme"
    r"|\bAnmeldung(?:en)?\b|\bNachzügler|\bBock von Hand\b|\bBöcke von Hand\b|\bFehlgeld\b"
    r"|\bruht\b|\bStand\b(?! vom|:)|\b(?:[Ii]hr sitzt|euch|eurer?|eure)\b"
)
# Words to search a rule by: what clubs call it.
SEARCHED = {"scharfe Runde, mit Luschen, ohne Luschen, Blatt", "DDV, Strafe, vergeben, Abwurf"}
# The button for strangers and the page it leads to: they have a Runde, which becomes a club here.
INVITED = {"Runde gründen", "Runde oder Club gründen"}


def test_a_german_word_has_one_meaning() -> None:
    said = {german for entry in CATALOG for german, _english in sides(entry)} - SEARCHED - INVITED
    assert sorted(text for text in said if AMBIGUOUS.search(text) and "letzte Runde" not in text) == []


def test_a_place_at_the_table_is_a_seat_and_a_place_on_a_list_a_rank() -> None:
    table = ("scoring/play/", "scoring/rules/", "scoring/table/", "templates/scoring/table/", "templates/scoring/evenings/new")
    at_the_table = [entry for entry in CATALOG if any(path.startswith(table) for path, _line in entry.occurrences)]
    assert [german for entry in at_the_table for german, _english in sides(entry) if re.search("Pl(?:atz|ätze)", german)] == []
    ranks = [pair for entry in CATALOG for pair in sides(entry) if re.search(r"Pl(?:atz|ätze)\b", pair[0])]
    english = [PLACEHOLDER.sub("", english) for german, english in ranks if "je Tisch" not in german]
    assert [said for said in english if re.search(r"[Pp]lace|[Ss]eat", said)] == []


def test_a_german_word_with_two_meanings_has_one_in_english_for_each() -> None:
    said = {(entry.msgctxt, entry.msgid): entry.msgstr for entry in CATALOG}
    for context, german, plain, meant in (
        ("Datei", "Zeile", "Line", "Row"),
        ("Getränke", "Rechnung", "Calculation", "Bill"),
        ("Kasse", "Ergebnis", "Result", "Net result"),
        ("Seiten", "Weiter", "Continue", "Next"),
        ("Summe", "zusammen", "together", "total"),
    ):
        assert (said[None, german], said[context, german]) == (plain, meant)
    assert {english for german, english in said.items() if "Anfangsst" in german[1] and "balance" in english} == set()


# A sentence that begins with "Wer" and leaves the noun out has to be read twice; questions and headings do not.
WITHOUT_NOUN = re.compile(r"(?:^|[.!?:;] )Wer [^.?!:;]*,[^.?!:;]*(?:[.!:;]|$)")


def test_sentences_name_whom_they_are_about() -> None:
    guide = re.sub(r"\s+", " ", (settings.BASE_DIR / "templates/scoring/site/help_de.html").read_text())
    said = [german for entry in CATALOG for german, _english in sides(entry)]
    assert [text for text in [*said, *re.findall(r"<(?:p|li|h\d)\b[^>]*>(.*?)(?=</)", guide)] if WITHOUT_NOUN.search(text)] == []


def test_buttons_and_english_say_what_they_do() -> None:
    both = [pair for entry in CATALOG for pair in sides(entry)]
    assert [german for german, _english in both if re.fullmatch(r"So \w+en", german)] == []
    assert [english for _german, english in both if re.search(r"[Ww]hoever|kitty|cross-(?:sum|total)|user name", english)] == []


def test_no_sentence_is_hidden_in_a_formatted_string() -> None:
    """Tools that gather sentences do not look into them."""
    calls = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "pgettext"}
    hidden = [
        f"{path}:{call.lineno}"
        for folder in ("scoring", "clubledger")
        for path in (settings.BASE_DIR / folder).rglob("*.py")
        for joined in ast.walk(ast.parse(path.read_text()))
        if isinstance(joined, ast.JoinedStr)
        for call in ast.walk(joined)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in calls
        and call.args and isinstance(call.args[0], ast.Constant)
    ]
    assert hidden == []


# --- What is shown --------------------------------------------------------------------------------------------------


@cache
def german_pieces() -> frozenset[str]:
    """Everything in the catalog that is more than a short word and reads otherwise in English, cut where something is
    filled in."""
    both = [pair for entry in CATALOG for pair in sides(entry)]
    pieces = {piece.strip() for german, english in both if german != english for piece in PLACEHOLDER.split(german)}
    english = {english for _german, english in both}
    return frozenset(piece for piece in pieces if len(piece) > 12 and not any(piece in said for said in english))


def assert_english(text: str) -> None:
    """No German sentence, and no German word in a sentence that nobody gave to the translator. Names of people and of
    rule sets stay as they are."""
    shown = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), unescape(text))
    assert not sorted(piece for piece in german_pieces() if piece in shown)
    shown = KEPT.sub("", re.sub(r"<[^<>]*\blang=.de.[^<>]*>|<!--.*?-->", "", shown))
    found = GERMAN.search(shown)
    assert found is None, shown[max(found.start() - 80, 0) : found.end() + 80]


def page_text(response: HttpResponse) -> str:
    return str(response.content.decode())


def assert_english_page(response: HttpResponse, status: int = 200) -> None:
    assert response.status_code == status
    assert '<html lang="en">' in page_text(response)
    assert_english(page_text(response))


def english(user: Any = None) -> Client:
    client = Client(headers=ENGLISH)
    if user is not None:
        client.force_login(user)
    return client


@pytest.fixture
def table(cast: Cast) -> Table:
    """A sheet with every form of line, special points, announcements, a Bock and a solo."""
    rules = make_rule_set(cast.club, "anleitung", name="Anleitung", duty_solo={"rounds": 1})
    table = make_table(cast.club, players=5, rule_set=rules, actor=cast.admin)
    more = {"re_specials": {"fuchs": 2, "doppelkopf": 1}, "kontra_specials": {"karlchen": 1}}
    add_game(table, re=[1, 2], eyes=160, re_said="no90", kontra_said="said", actor=cast.admin, **more)
    add_game(table, re=[2, 3], eyes=0, dealer=1, kontra_said="schwarz", note="x", actor=cast.admin)
    add_game(table, kind="damensolo", re=[3], duty=True, dealer=2, eyes=89, actor=cast.admin)
    add_game(table, kind="hochzeit", re=[0, 1], band="30-59", dealer=2, actor=cast.admin)
    add_game(table, form="short", winners=[0, 1], base=4, dealer=3, actor=cast.admin)
    add_game(table, form="penalty", points=[-4, 1, 1, 1, 1], reason="x", actor=cast.admin)
    add_game(table, form="redeal", dealer=4, actor=cast.admin)
    return table


def addresses(cast: Cast, table: Table) -> Iterator[str]:
    plain = ("club", "evenings", "evening_new", "standings", "players", "player_new", "members", "member_new")
    for name in (*plain, "rule_sets", "rule_recipes", "rule_set_new", "history", "more"):
        yield reverse(name, args=["karo"])
    for name in ("home", "login", "guide", "password_change", "password_change_done"):
        yield reverse(name)
    player, member = table.rounds.get().seats.first().player, cast.club.memberships.first()
    yield reverse("player", args=["karo", player.pk])
    yield reverse("player_edit", args=["karo", player.pk])
    yield reverse("member", args=["karo", member.pk])
    yield reverse("rule_set", args=["karo", table.rule_set_id])
    yield reverse("rule_set_edit", args=["karo", table.rule_set_id])
    yield reverse("rule_set_edit", args=["karo", table.rule_set_id]) + "?people=6"
    for other in (cast.table.rule_set_id, make_rule_set(cast.club, "klassisch", "Cent").pk):
        yield reverse("table_rules", args=["karo", table.pk]) + f"?rule_set={other}"
    yield reverse("table", args=["karo", table.pk])
    yield reverse("table", args=["karo", table.pk]) + "?form=played&dealer=2"
    for game in table.rounds.get().games.all():
        yield reverse("game", args=["karo", table.pk, game.key])
        yield reverse("game_delete", args=["karo", table.pk, game.key])


def test_every_page_is_english_for_an_english_browser(cast: Cast, table: Table) -> None:
    client = english(cast.admin)
    for address in addresses(cast, table):
        assert_english_page(client.get(address, follow=address == "/"))
    close_evening(evening=table.evening, actor=Actor(cast.admin))
    assert_english_page(english(cast.reader).get(reverse("table", args=["karo", table.pk])))


def test_the_pages_follow_the_chosen_language(cast: Cast, table: Table) -> None:
    client = Client(headers={"accept-language": "de"})
    client.force_login(cast.admin)
    client.post("/language/", {"language": "en", "next": "/"})
    assert_english_page(client.get(reverse("table", args=["karo", table.pk])))
    client.post("/language/", {"language": "de", "next": "/"})
    with pytest.raises(AssertionError):
        assert_english(page_text(client.get(reverse("table", args=["karo", table.pk]))))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_rule_set_is_explained_in_english(cast: Cast, preset: str) -> None:
    rules = make_rule_set(cast.club, preset, name=preset.capitalize())
    assert_english_page(english(cast.reader).get(reverse("rule_set", args=["karo", rules.pk])))


def test_what_was_done_is_confirmed_in_english(cast: Cast, table: Table) -> None:
    client = english(cast.admin)
    for name in ("evening_close", "evening_reopen"):
        assert_english_page(client.post(reverse(name, args=["karo", table.evening_id]), follow=True))
    change = table.changes.order_by("id").last()
    assert_english_page(client.post(reverse("undo", args=["karo", table.pk]), {"change": change.pk}, follow=True))
    assert_english_page(client.post("/c/karo/people/new/", {"name": "Nele"}, follow=True))
    assert_english_page(client.post("/c/karo/rules/new/", {"source": "vln", "name": "Freitags"}, follow=True))
    assert_english_page(client.post("/c/karo/rights/new/", {"login": "nele"}), 201)


def test_an_edit_of_the_rules_is_told_in_english(cast: Cast, table: Table) -> None:
    client, address = english(cast.admin), reverse("rule_set_edit", args=["karo", table.rule_set_id])
    typed = {field.name: field.value() for field in client.get(address).context["form"]}
    typed = {name: value for name, value in typed.items() if value is not None} | {"won": "5", "solo_times": "3"}
    assert_english_page(client.post(address.replace("/edit/", "/preview/"), typed))
    assert_english_page(client.post(address, typed | {"won": "-5", "seating__6": ["1"], "bock__cap": "99"}), 422)
    assert_english_page(client.post(address, typed, follow=True))
    assert_english_page(client.post(address, typed | {"won": "6"}), 409)
    assert_english_page(client.get(reverse("history", args=["karo"])))


def test_faults_are_named_in_english(cast: Cast, table: Table) -> None:
    client, games = english(cast.admin), reverse("games", args=["karo", table.pk])
    specials = {"re_specials": {"karlchen": 2}, "kontra_specials": {"fuchs": -1}}
    facts = {"kind": "damensolo", "re": [0, 1], "eyes": 300, "re_said": "x", "starts_bock": 99, **specials}
    answer = client.post(games, json.dumps({"key": "x", **facts}), content_type="application/json")
    assert (answer.status_code, answer.json()["errors"].keys()) == (422, {"key"})
    assert_english(page_text(answer))
    key = "11111111-1111-4111-8111-111111111111"
    last = table.rounds.get().games.order_by("position").last()
    answer = client.post(
        games, json.dumps({"key": key, "after": str(last.key), "dealer": 1, **facts}), content_type="application/json"
    )
    assert answer.status_code == 422
    assert answer.json()["errors"].keys() >= {"re", "eyes", "re_said", "re_specials", "kontra_specials"}
    assert "“Karlchen”" in answer.json()["errors"]["re_specials"], "a name and not its code"
    assert_english(page_text(answer))
    assert_english_page(client.post(games, {"key": key, "after": str(last.key), "eyes": "300"}), 422)
    assert_english_page(
        client.post(games, {"key": key, "dealer": "1", "kind": "normal", "re": [2, 3], "eyes": "130"}), 409
    )


def test_what_is_odd_is_said_in_english(cast: Cast, table: Table) -> None:
    last = table.rounds.get().games.order_by("position").last()
    entry = {
        "key": "11111111-1111-4111-8111-111111111111",
        "after": str(last.key),
        "dealer": 0,
        "kind": "damensolo",
        "re": [1],
        "eyes": 0,
        "kontra_specials": {"fuchs": 1},
    }
    address = reverse("games", args=["karo", table.pk])
    answer = english(cast.admin).post(address, json.dumps(entry), content_type="application/json")
    assert answer.status_code == 201
    assert "The special point “Fuchs caught” does not count in this solo." in answer.json()["remarks"]
    assert_english(page_text(answer))


def test_forms_name_their_faults_in_english(cast: Cast) -> None:
    client = english(cast.admin)
    seats = {f"seat_{place}": cast.table.rounds.get().seats.first().player_id for place in range(4)}
    assert_english_page(client.post("/c/karo/evenings/new/", {"held_on": "x", **seats}), 422)
    assert_english_page(
        client.post("/c/karo/people/new/", {"name": "Bodo", "joined_on": "2026-01-02", "left_on": "2026-01-01"}), 422
    )
    assert_english_page(client.post("/c/karo/rights/new/", {"login": "rita"}), 422)
    assert_english_page(client.post("/c/karo/rules/new/", {"source": "x", "name": "ddv"}), 422)
    assert_english_page(
        client.post("/password/", {"old_password": "x", "new_password1": "a", "new_password2": "b"}), 422
    )


def test_the_login_refuses_in_english(cast: Cast) -> None:
    client = english()
    tries = [client.post("/login/", {"username": "rita", "password": "x"}) for _try in range(5)]
    assert_english_page(tries[0], 422)
    assert_english_page(tries[-1], 429)
    assert client.post("/login/", {"username": "anna", "password": PASSWORD}).status_code == 302


# --- Pages that say what went wrong ---------------------------------------------------------------------------------


def fail(kind: type[Exception]) -> object:
    def view(request: HttpRequest) -> HttpResponse:
        raise kind

    return view


# The site itself and pages that fail.
urlpatterns = [
    path("fail/400/", fail(BadRequest)),
    path("fail/403/", fail(PermissionDenied)),
    path("fail/500/", fail(RuntimeError)),
    path("", include("clubledger.urls")),
]


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("status", [400, 403, 404, 500])
def test_pages_that_say_what_went_wrong_say_it_in_english(db: None, status: int) -> None:
    client = Client(headers=ENGLISH, raise_request_exception=False)
    assert_english_page(client.get(f"/fail/{status}/"), status)


def test_a_form_without_its_token_is_refused_in_english(db: None) -> None:
    assert_english_page(Client(headers=ENGLISH, enforce_csrf_checks=True).post("/logout/"), 403)


# --- Excel ----------------------------------------------------------------------------------------------------------


def test_excel_files_are_english(cast: Cast, table: Table) -> None:
    client = english(cast.admin)
    for address in (
        reverse("evening_excel", args=["karo", table.evening_id]),
        reverse("standings_excel", args=["karo"]) + "?all=1",
    ):
        book = openpyxl.load_workbook(BytesIO(client.get(address).content))
        for sheet in book:
            assert_english(sheet.title)
            for row in sheet.iter_rows(values_only=True):
                assert_english("\n".join(value for value in row if isinstance(value, str)))
