"""Keys of names and logins in any script, search, and characters that are refused."""

from __future__ import annotations

import unicodedata

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from scoring.club.models import NAME_LENGTH
from scoring.core.database import CodePoints
from scoring.core.names import SIGNS, login_key, matches_search, name_key
from scoring.core.text import text_key, tidy, validate_plain
from scoring.models import Player
from tests.factories import make_club, make_player

NAMES = {
    "Ärmel": "armel", "Özlem": "ozlem", "Groß": "gross", "GROẞ": "gross", "İbrahim": "ibrahim", "Işık": "isik",
    "Łukasz": "lukasz", "Søren Æbelø": "soren aebelo", "Nguyễn Thị Đào": "nguyen thi dao", "Ἀθηνᾶ": "αθηνα",
    "ΝΊΚΟΣ": "νικοσ", "Νίκος": "νικοσ", "Йосиф": "иосиф", "أحمد": "احمد", "محمّد": "محمّد", "हिन्दी": "हिन्दी",
    "राज़": "राज़", "李 明": "李 明", "한글": "한글", "ガ": "ガ", "Ｗｉｌｌｙ": "willy", "𝐀nna": "anna", "O’Neill": "o’neill",
    " Zwei\t Wörter\u00a0": "zwei worter",
}  # fmt: skip


@pytest.mark.parametrize(("name", "key"), NAMES.items())
def test_the_key_has_neither_case_nor_accents(name: str, key: str) -> None:
    assert text_key(name) == unicodedata.normalize("NFC", key)
    assert text_key(unicodedata.normalize("NFD", name)) == text_key(name)


def test_a_vowel_sign_is_part_of_the_key() -> None:
    assert text_key("कि") != text_key("की")
    assert text_key("ハ") != text_key("バ")


@given(st.text(max_size=60))
def test_the_name_key_starts_with_the_text_key_and_has_itself_as_key(text: str) -> None:
    sorted_by, _tab, spelled = name_key(text).partition("\t")
    assert sorted_by == text_key(text.translate(SIGNS))
    assert name_key(spelled or sorted_by) == name_key(text)


LOGINS = st.text(st.characters(categories=["L", "N"], include_characters="_.@+-"), max_size=20)


@given(LOGINS)
def test_the_key_of_a_login_ignores_case(login: str) -> None:
    login = unicodedata.normalize("NFKC", login)
    assert login_key(login_key(login)) == login_key(login) == login_key(login.upper())


def test_the_key_of_a_login_ignores_look_alike_letters() -> None:
    assert {login_key(login) for login in ("Anna.B", "аnnа.в", "ΑΝΝΑ.Β".replace("Ν", "n"), "ＡＮＮＡ.b")} == {"anna.b"}
    assert len({login_key(login) for login in ("jörg", "jorg", "joerg", "Йорг", "Γιώργος")}) == 5


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("juergen", ["Jürgen Weiß"]), ("kae", ["Käthe"]), ("Käte", ["Käthe"]), ("weiss", ["Jürgen Weiß"]),
        ("o'n", ["Sean O’Neill"]), ("nuel", ["Manuel"]), ("x", []),
    ],
)  # fmt: skip
def test_a_search_finds_names_in_every_spelling(search: str, found: list[str]) -> None:
    assert [name for name in ("Jürgen Weiß", "Käthe", "Sean O’Neill", "Manuel") if matches_search(name, search)] == found


@given(st.text(max_size=60))
def test_the_key_of_a_key_is_the_key(text: str) -> None:
    assert text_key(text_key(text)) == text_key(text)
    assert tidy(text_key(text)) == text_key(text)


@pytest.mark.django_db
def test_a_name_is_stored_as_typed() -> None:
    for number, name in enumerate(map(tidy, NAMES)):
        player = make_player(make_club(f"Karo {number}"), name)
        player.refresh_from_db()
        player.full_clean()
        assert player.name == name
        assert player.name_key == name_key(name) and player.name_key.split("\t")[0] == text_key(name.replace("’", "'"))


@pytest.mark.django_db
def test_the_longest_name_of_astral_characters_fits() -> None:
    player = make_player(make_club(), "𐌰" * NAME_LENGTH)
    player.full_clean()
    assert Player.objects.get().name == "𐌰" * NAME_LENGTH


@pytest.mark.django_db
def test_the_database_orders_keys_as_python_does() -> None:
    club = make_club()
    for name in [*dict.fromkeys(text_key(name) for name in NAMES), "a-b", "a b", "ab", "a_b", "b", "~", "é", "\uffee", "𐌰"]:
        make_player(club, name)
    keys = list(Player.objects.order_by(CodePoints("name_key")).values_list("name_key", flat=True))
    assert keys == sorted(keys)
    assert list(Player.objects.order_by(CodePoints("name_key").desc()).values_list("name_key", flat=True)) == keys[::-1]


@pytest.mark.parametrize("text", ["Ärmel", "محمّد", "क्\u200dष", "می\u200cخواهم", "Anna 🂡️", "李明", "Zoë\u0308", ""])
def test_visible_characters_are_valid(text: str) -> None:
    validate_plain(text)


@pytest.mark.parametrize(
    "char", ["\x00", "\n", "\t", "\x7f", "\x85", "\u200b", "\u200e", "\u202e", "\u2066", "\ufeff", "\u00ad", "\u3164",
             "\u115f", "\u2800", "\u034f", "\ue000", "\ud800", "\U000e0041", "\u0378"]
)  # fmt: skip
def test_invisible_characters_are_refused(char: str) -> None:
    with pytest.raises(ValidationError, match="sichtbare"):
        validate_plain(f"Bo{char}do")
