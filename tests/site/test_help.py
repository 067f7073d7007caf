"""The help can be read without a login, in both languages; its button names, anchors and pictures exist."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import URLPattern, reverse

from scoring import urls
from scoring.templatetags.scoring import SECTION_OF_ADDRESS, SECTION_OF_TOPIC, SECTIONS, get_section
from tests.factories import Cast
from tests.html import flat
from tests.test_layers import TOPICS

LANGUAGES = ("de", "en")
TEXTS = settings.BASE_DIR / "templates" / "scoring" / "site"
# A picture of an empty page has about 1,000 bytes.
LEAST_BYTES = 3_000
MOST_BYTES = 16_000


def text_of(language: str) -> str:
    return str((TEXTS / f"help_{language}.html").read_text())


def elsewhere() -> str:
    """Return the text of all templates and modules except the help."""
    pages = [path for path in settings.BASE_DIR.glob("templates/**/*.html") if not path.name.startswith("help_")]
    return "\n".join(path.read_text() for path in [*pages, *settings.BASE_DIR.glob("scoring/**/*.py")])


def unknown(text: str, words: str) -> list[str]:
    """Return the bold words that are not in the interface."""
    return [bold for bold in re.findall(r"<b>(.*?)</b>", text, re.DOTALL) if not is_word(bold, words)]


def is_word(bold: str, words: str) -> bool:
    name = re.fullmatch(r'\{% translate "([^"]+)" %\}', bold)
    return name is not None and f'"{name[1]}"' in words


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "heading"), [("de", "So geht’s"), ("en", "How it works")])
def test_the_help_is_in_the_language_of_the_reader(language: str, heading: str) -> None:
    answer = Client().get("/help/", headers={"accept-language": language})
    assert answer.status_code == 200
    assert f'<h1 id="help">{heading}</h1>' in flat(answer)


@pytest.mark.parametrize("language", LANGUAGES)
def test_bold_words_are_in_the_interface(language: str) -> None:
    assert len(re.findall("<b>", text_of(language))) > 80
    assert unknown(text_of(language), elsewhere()) == []


def test_both_languages_have_the_same_sections_words_and_pictures() -> None:
    german, english = map(text_of, LANGUAGES)
    for part in (r'<h2 id="([^"]+)"', r'\{% picture "([^"]+)" (\d+)', r"<(h3|ol)>"):
        assert re.findall(part, german) == re.findall(part, english)
    assert set(re.findall(r'translate "([^"]+)"', german)) == set(re.findall(r'translate "([^"]+)"', english))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_section_is_in_the_text_and_the_contents(language: str) -> None:
    text = text_of(language)
    assert tuple(re.findall(r' id="([^"]+)"', text)) == SECTIONS
    assert tuple(re.findall(r'href="#([^"]+)"', text)) == SECTIONS[1:]


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_are_not_empty_and_have_the_size_that_the_page_says(language: str) -> None:
    pictures = re.findall(r'\{% picture "(\w+)" (\d+)', text_of(language))
    assert len(pictures) == 10
    for name, height in pictures:
        for scheme in ("light", "dark"):
            path = finders.find(f"scoring/help/{name}-{language}-{scheme}.webp")
            assert path, name
            with open(path, "rb") as file:
                data = file.read()
            assert size_of(data) == (360, int(height)), path
            assert LEAST_BYTES <= len(data) <= MOST_BYTES, path


def size_of(webp: bytes) -> tuple[int, int]:
    """Return width and height; each is stored in three bytes, minus 1."""
    assert (webp[:4], webp[8:16]) == (b"RIFF", b"WEBPVP8X")
    return int.from_bytes(webp[24:27], "little") + 1, int.from_bytes(webp[27:30], "little") + 1


def test_every_page_links_to_its_section(cast: Cast) -> None:
    reader, scorer = Client(), Client()
    reader.force_login(cast.reader)
    scorer.force_login(cast.scorer)
    table = reverse("table", args=["karo", cast.table.pk])
    for client, address, section in (
        (Client(), "/login/", "trouble"), (reader, "/c/karo/", "help"), (reader, "/c/karo/list/", "list"),
        (scorer, "/c/karo/evenings/new/", "evening"), (reader, table, "evening"), (scorer, table, "evening"),
        (scorer, f"{table}?form=penalty", "evening"),
    ):
        page = client.get(address).content.decode()
        assert re.findall(r'href="(/help/[^"]*)"', page) == [f"/help/#{section}"], address


def test_an_unknown_bold_word_is_found() -> None:
    assert unknown('<b>{% translate "Neuer Abend" %}</b><b>Neu</b><b>{% translate "Nie" %}</b>', elsewhere()) == [
        "Neu",
        '{% translate "Nie" %}',
    ]


def test_every_page_links_to_the_source_code_if_its_address_is_set(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    client.force_login(cast.reader)
    addresses = ("/login/", "/help/", "/c/karo/", "/nothing/", "/offline/")
    assert not any("Quelltext" in client.get(address).content.decode() for address in addresses)
    monkeypatch.setattr(settings, "SOURCE_URL", "https://code.example/club-ledger")
    for address in addresses:
        assert 'href="https://code.example/club-ledger">Quelltext</a>' in client.get(address).content.decode()


def test_every_page_names_the_owner_if_set(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    client.force_login(cast.reader)
    monkeypatch.setattr(settings, "OWNER", "Vera & Olaf")
    for imprint, shown in (
        ("https://verein.example/impressum", '<a class="line-link" href="https://verein.example/impressum">Impressum</a>'),
        ("Vera\nAm Markt 1", "<summary>Impressum</summary><p>Vera<br>Am Markt 1</p>"),
    ):
        monkeypatch.setattr(settings, "IMPRINT", imprint)
        for address in ("/", "/login/", "/help/", "/c/karo/"):
            html = flat(client.get(address, follow=True))
            assert "<span>Betrieben von Vera & Olaf</span>" in html
            assert shown in html


TOPIC_OF = {
    pattern.name: pattern.callback.__module__.split(".")[1]
    for pattern in urls.urlpatterns
    if isinstance(pattern, URLPattern) and pattern.name
}


@pytest.mark.parametrize(
    ("address", "section"),
    [
        ("club", "help"), ("members", "people"), ("join_links", "people"), ("founding", "people"),
        ("evening_new", "evening"), ("table", "evening"), ("seats", "evening"), ("game", "correcting"),
        ("game_insert", "correcting"), ("history", "correcting"), ("evening_close", "closing"), ("result", "closing"),
        ("month", "month"), ("season_new", "month"), ("cash", "kasse"), ("evening_cash", "kasse"),
        ("tariff_questions", "kasse"), ("standings", "list"), ("player", "list"), ("imports", "old-list"),
        ("import", "old-list"), ("rule_set_questions", "rules"), ("table_rules", "rules"), ("login", "trouble"),
        ("devices", "trouble"), ("privacy", "help"),
    ],
)  # fmt: skip
def test_a_page_has_the_section_that_explains_it(address: str, section: str) -> None:
    assert get_section(TOPIC_OF[address], address) == section


def test_sections_are_assigned_to_existing_topics_and_addresses_only() -> None:
    assert set(SECTION_OF_TOPIC) <= set(TOPICS)
    assert set(SECTION_OF_ADDRESS) <= set(TOPIC_OF)
    assert {*SECTION_OF_TOPIC.values(), *SECTION_OF_ADDRESS.values()} <= set(SECTIONS)
