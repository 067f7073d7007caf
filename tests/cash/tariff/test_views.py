"""The page with every part of a tariff: what it shows is what it saves, and each refusal is said in the words of the page."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.cash.tariffs import SMALL, give_tariff
from tests.factories import Cast
from tests.html import flat

pytestmark = pytest.mark.django_db
PAGE = reverse("tariff_edit", args=["karo"])
QUESTIONS = reverse("tariff_questions", args=["karo"])
ASKED = {"seen": 0, "points": "nothing", "points.round.to": 1, "guests.payer": "guest", "absence": "nothing"}


def sent(client: Client, **typed: Any) -> HttpResponse:
    """What the page shows, with some of it typed over, as a browser sends it: of a choice where nothing is chosen the first."""
    form = client.get(PAGE).context["form"]
    shown = {name: form[name].value() for name in form.fields}
    for name, field in form.fields.items():
        if shown[name] is None and isinstance(field.widget, forms.Select):
            shown[name] = field.choices[0][0]
    told = {name: value for name, value in shown.items() if value is not None}
    return client.post(PAGE, told | {name.replace("__", "."): value for name, value in typed.items()})


def test_a_club_without_a_pot_saves_the_page_as_it_is(thea: Client, cast: Cast) -> None:
    fines = {"misdeal": {"cents": 50}}
    give_tariff(cast.club, fines=fines)
    page = sent(thea, joining__cents="10")
    assert page.status_code == 200, page.context["form"].errors
    assert page.context["form"].content == {**SMALL, "fines": fines, "joining": {"cents": 1000}}


@pytest.mark.parametrize(
    ("typed", "field", "sentence"),
    [
        (
            {"drinks__list": "Bier 2,50\nbier 3"},
            "drinks.list",
            "„bier“ steht hier zweimal. Bitte jedes Getränk einmal.",
        ),
        (
            {"points__dearer__beyond": "1.000", "points__dearer__rate": "9"},
            "points.dearer.beyond",
            "Bitte eine ganze Zahl eingeben.",
        ),
        ({"fine3__cents": "1"}, "fine3.name", "Bitte sagen, wofür dieses Strafgeld ist."),
        ({"dues__reduced": "2"}, "dues.cents", "Bitte ausfüllen."),
        (
            {"fine3__name": "Zu laut", "fine3__form": "steps", "fine3__steps": "3 x 0,50"},
            "fine3.steps",
            "Bitte 1 bis 9 Stufen wie „3 × 0,50; 2 × 1; 2“ eingeben: Nur die letzte hat keine Anzahl.",
        ),
        (
            {"points__scheme": "rank", "points__rate": "", "points__amounts": "20000; 1"},
            "points.amounts",
            "Bitte 1 bis 60 Beträge bis 10000 Euro eingeben, wie „2; 3; 4,50“.",
        ),
        (
            {"pot": "True"},
            "pot.top_up",
            "Zum Nachlegen braucht es einen Betrag. Bitte hier einen eingeben, oder einen Einkauf.",
        ),
    ],
)
def test_a_refusal_is_in_the_words_of_the_page(
    thea: Client, cast: Cast, typed: dict[str, str], field: str, sentence: str
) -> None:
    give_tariff(cast.club)
    page = sent(thea, **typed)
    assert page.status_code == 422
    assert dict(page.context["form"].errors) == {field: [sentence]}
    assert sentence in flat(page)


def test_an_amount_beyond_all_others_is_asked_about_before_it_is_saved(thea: Client, cast: Cast) -> None:
    """Above 1000 euros in a Kasse without a year, wherever it stands; once it is saved it is usual."""
    odd = "1.000,01\u00a0€ ist hier ungewöhnlich viel. Bitte prüfen, ob das stimmt."
    assert odd not in flat(sent(thea, fee__cents="1000"))
    steps = {"fine0__name": "Zu laut", "fine0__form": "steps", "fine0__steps": "1000,01"}
    for typed in ({"fee__cents": "1000,01"}, {"drinks__list": "bier 1000,01"}, steps):
        page = sent(thea, **typed)
        assert (page.status_code, odd in flat(page)) == (200, True), typed
    assert odd in flat(thea.post(QUESTIONS, ASKED | {"dues.cents": "1000,01"}))
    give_tariff(cast.club, fee={"cents": 100001})
    assert odd not in flat(sent(thea, dues__cents="5")), "what the tariff says already"


def test_five_questions_sent_again_as_they_are_change_nothing(thea: Client, cast: Cast) -> None:
    """An earlier version stored the usual direction of rounding beside the amount."""
    points = {"scheme": "minus", "rate": 10, "round": {"to": 10, "how": "nearest"}}
    give_tariff(cast.club, points=points, absence={"excused": {"plus": 300}, "unexcused": {"plus": 300}})
    form = thea.get(QUESTIONS).context["form"]
    typed = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    form = thea.post(QUESTIONS, typed).context["form"]
    assert form.content == form.before
    assert thea.post(QUESTIONS, typed | {"fee.cents": "2"}).context["form"].content["points"] == {**points, "round": {"to": 10}}


def test_an_open_page_of_the_previous_version_is_read(thea: Client, cast: Cast) -> None:
    typed = {"seen": 0, "points": "half", "rate": "2,5", "to": 10, "how": "down", "cap": "8", "fee": "1", "guest": "2"}
    page = thea.post(QUESTIONS, typed | {"payer": "club", "absence": "nothing", "dues": "3", "fines": ["misdeal", "phone"]})
    assert page.context["form"].content == {
        "points": {"scheme": "minus", "winners": "1/2", "rate": "5/2", "round": {"to": 10, "how": "down"}, "cap": 800},
        "fee": {"cents": 100},
        "guests": {"cents": 200, "payer": "club"},
        "dues": {"cents": 300},
        "fines": {"misdeal": {"cents": 50}, "phone": {"cents": 100}},
    }
