"""Found a club by a link, once and completely; a refused form keeps its values. Without a link clubs are founded only with
FOUNDING=open, by a link in a mail if mails can be sent, within daily limits."""

from __future__ import annotations

import datetime
import logging.config
import re
from functools import partial
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format

from clubledger.web.throttle import MAX_FAILURES_PER_ADDRESS
from scoring.accounts.access import ALL_ADDRESSES
from scoring.accounts.queries import list_devices
from scoring.administration import access
from scoring.administration.access import DAILY_LIMITS, FOUNDED, FOUNDING, MAILED, make_mail_secret
from scoring.administration.actions import found_openly, make_founding_link
from scoring.club.actions import TooManyPasswords
from scoring.core import mails
from scoring.models import Change, Club, FoundingLink, Membership, Player, RuleSet, Verb
from scoring.rules import labels
from scoring.rules.settings import PRESETS, get_preset_data
from scoring.rulesets.actions import begin_with_preset
from scoring.rulesets.rules import PROPOSED
from tests import fake_clock
from tests.factories import PASSWORD, make_club, make_table, make_user
from tests.html import assert_strict, flat, frayed
from tests.rulesets.test_views import proposed

pytestmark = pytest.mark.django_db

FORM = "/found/"
WORDS = "grüner kaktus tanzt nachts"
PEOPLE = ["Zora", "Anton", "Berta", "Çelik"]


def typed(**instead: Any) -> dict[str, Any]:
    """Return the values of the form with these changes."""
    login = {"username": "zora", "password1": WORDS, "password2": WORDS}
    return proposed(club_name="Karo Eins", people="Zora\nAnton\n Berta\nÇelik\n", **login) | instead


def without_login() -> dict[str, Any]:
    return {name: value for name, value in typed().items() if name not in ("username", "password1", "password2")}


def address() -> str:
    """Return the address of a new link."""
    return reverse("founding_open", args=[make_founding_link()])


@pytest.fixture
def founder(client: Client) -> Client:
    """Return a client without a login that has opened a valid link."""
    assert client.get(address()).headers["Location"] == FORM, "a clean address, without the secret"
    return client


def nothing_is_founded() -> bool:
    return not any(model.objects.exists() for model in (Club, User, Player, RuleSet, Membership, Change))


def refused(response: HttpResponse, *says: str, status: int = 422) -> dict[str, Any]:
    """Return the values in the form of a refused request."""
    assert (response.status_code, [sentence for sentence in says if sentence not in flat(response)]) == (status, [])
    form = response.context["form"]
    return {name: form[name].value() for name in form.fields}


# --- Founding ---------------------------------------------------------------------------------------------------------


def test_a_club_with_everything_its_first_evening_needs(founder: Client) -> None:
    page = founder.get(FORM)
    assert_strict(page)
    assert (page.status_code, frayed(page), page.headers["X-Robots-Tag"]) == (200, [], "noindex")
    response = founder.post(FORM, typed(), follow=True)
    club, rule_set = Club.objects.get(), RuleSet.objects.get(name="Unsere Regeln")
    assert response.redirect_chain == [(f"/c/karo-eins/evenings/new/?rule_set={rule_set.pk}", 302)]
    assert "Der Club „Karo Eins“ ist gegründet." in flat(response)
    assert [player.name for player in response.context["form"].last] == PEOPLE
    assert (club.name, rule_set.club, rule_set.settings) == ("Karo Eins", club, get_preset_data(PROPOSED))
    assert RuleSet.objects.count() == len(PRESETS) + 1

    login = User.objects.get()
    assert (login.username, login.check_password(WORDS), login.is_superuser) == ("zora", True, False)
    assert list(Player.objects.order_by("pk").values_list("name", "user")) == [
        ("Zora", login.pk),
        *((n, None) for n in PEOPLE[1:]),
    ]
    assert list(Membership.objects.values_list("club", "user", "scorer", "treasurer", "admin")) == [
        (club.pk, login.pk, True, True, True)
    ]
    assert set(Change.objects.filter(verb=Verb.PLAYER_ADDED).values_list("actor", flat=True)) == {login.pk}
    (device,) = list_devices(login, founder.session.session_key)
    assert (device["current"], device["since"]) == (True, datetime.date.today())

    # Whoever looks around first finds nothing left to set up, and their own rules proposed.
    assert "Club einrichten" not in flat(founder.get("/c/karo-eins/"))
    later = founder.get("/c/karo-eins/evenings/new/")
    assert later.context["form"]["rule_set"].value() == rule_set.pk


def test_a_line_that_is_another_one_is_named(founder: Client) -> None:
    lines = "Sean O'Neill\nAnton\n\nBerta, Çelik\nSean O’Neill\nDora\n"
    says = "Zeile 5 „Sean O’Neill“ ist dieselbe Person wie Zeile 1 „Sean O'Neill“."
    refused(founder.post(FORM, typed(people=lines)), says)
    assert nothing_is_founded()


def test_as_many_people_as_lines(founder: Client) -> None:
    lines = ["Müller", "Muller", "Weiß", "Weiss", "Mueller"]
    founder.post(FORM, typed(people="\n".join(lines)))
    people = Player.objects.order_by("pk")
    assert [player.name for player in people] == lines and people[0].user == User.objects.get()


def test_a_preset_instead_of_the_questions(founder: Client) -> None:
    response = founder.post(FORM, typed(source="ddv"))
    rule_set = RuleSet.objects.get(name=labels.PRESETS["ddv"])
    assert response.headers["Location"] == f"/c/karo-eins/evenings/new/?rule_set={rule_set.pk}"
    assert RuleSet.objects.count() == len(PRESETS)
    # Wherever the first evening is opened.
    later = founder.get("/c/karo-eins/evenings/new/")
    assert later.context["form"]["rule_set"].value() == rule_set.pk


def test_a_fault_in_hidden_questions_is_ignored(founder: Client) -> None:
    hidden = {"cards": "skat", "own": "x" * 41, "name": labels.PRESETS["ddv"]}
    assert founder.post(FORM, typed(source="vln", **hidden)).status_code == 302
    assert list(RuleSet.objects.filter(name="Unsere Regeln")) == []


def test_the_choice_of_rules_begins_with_the_one_that_is_chosen(founder: Client) -> None:
    rows = founder.get(FORM).context["form"].rule_choices
    chosen = [(radio.data["value"], radio.data["selected"]) for radio, _sentence in rows]
    others = [(preset, False) for preset in PRESETS if preset != "hausrunde"]
    assert chosen == [("hausrunde", True), *others, ("", False)]
    assert all(sentence.count(".") == 1 for _radio, sentence in rows)


def test_a_logged_in_user_founds_with_that_login(founder: Client) -> None:
    user = make_user("frieda", make_club("Pik Dame"))
    founder.force_login(user)
    founder.get(address())
    page = flat(founder.get(FORM))
    assert "Angemeldet als frieda." in page
    assert "password1" not in page
    sent = without_login()
    assert founder.post(FORM, sent).status_code == 302
    assert Membership.objects.get(club__slug="karo-eins").user == user
    assert Player.objects.get(name="Zora").user == user


def test_a_login_comes_along_to_the_form_it_was_left_for(founder: Client) -> None:
    assert f'href="/login/?next={FORM}"' in flat(founder.get(FORM))
    sent = {"username": make_user("frieda").username, "password": PASSWORD, "next": FORM}
    assert "Angemeldet als frieda." in flat(founder.post("/login/", sent, follow=True))


def test_every_name_finds_an_address(db: None) -> None:
    make_club("Karo Eins")
    long = "Für " + "sehr lange " * 5
    for name, slug in (("Karo Eins", "karo-eins-2"), ("♣♣", "runde"), (long, "fur-sehr-lange-sehr-lange-sehr-lang")):
        begin = partial(begin_with_preset, preset="ddv")
        founded = found_openly(founder=User(username=f"zora-{slug}", password="x"), name=name, people=PEOPLE, begin=begin)
        assert founded.club.slug == slug


# --- Faults -----------------------------------------------------------------------------------------------------------


def test_a_fault_is_said_and_everything_typed_is_there(founder: Client) -> None:
    for wrong, says in (
        ({"club_name": ""}, "zwingend erforderlich"),
        ({"club_name": "x" * 61}, "60"),
        ({"club_name": "Ka\u202ero"}, "sichtbare Zeichen"),
        ({"people": "Zora\nAnton\nBerta"}, "Bitte 4 bis 40 verschiedene Namen"),
        ({"people": "\n".join(PEOPLE) + "\n" + "x" * 41}, "40"),
        ({"username": "zora zwei"}, "Anmeldename"),
        ({"password2": WORDS + "!"}, "Die beiden Passwörter sind nicht identisch."),
        # Names of the own club are easy to guess.
        ({"password1": "anton-berta-26", "password2": "anton-berta-26"}, "Das versuchen andere zuerst."),
        ({"password1": "KaroEins2026!", "password2": "KaroEins2026!"}, "Das versuchen andere zuerst."),
        ({"name": labels.PRESETS["ddv"]}, "Ein Regelwerk dieses Namens gibt es schon."),
        ({"source": "skat"}, "keine gültige Auswahl"),
        ({"cards": "skat"}, "keine gültige Auswahl"),
    ):
        sent = typed(re_kontra="times", own="Schweinchen") | wrong
        stands = refused(founder.post(FORM, sent), says)
        assert {name: stands[name] for name in sent} == sent
    assert nothing_is_founded()
    assert founder.post(FORM, typed()).status_code == 302, "the link is as good as before"


def test_the_login_of_another_user_is_not_taken_over(founder: Client) -> None:
    password = make_user("Zora").password
    refused(founder.post(FORM, typed()), "Diesen Anmeldenamen gibt es schon.")
    assert User.objects.get().password == password
    assert not Club.objects.exists()
    assert FoundingLink.objects.count() == 1


def test_the_examples_are_counted_and_nothing_is_founded(founder: Client) -> None:
    response = founder.post(FORM, typed(re_kontra="times", count="1"))
    assert response.context["form"]["password1"].value() == WORDS
    assert (response.status_code, nothing_is_founded()) == (200, True)


def test_where_too_much_is_hashed_at_once_one_comes_again(founder: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise TooManyPasswords

    monkeypatch.setattr(User, "set_password", busy)
    response = founder.post(FORM, typed())
    refused(response, str(TooManyPasswords()), status=503)
    assert (response.headers["Retry-After"], nothing_is_founded()) == ("2", True)


# --- The link ---------------------------------------------------------------------------------------------------------

OVER = "Der Link zum Gründen gilt nicht mehr"


def test_it_founds_once(founder: Client) -> None:
    link = address()
    founder.get(link)
    founder.post(FORM, typed())
    for other in (founder, Client()):
        for where in (link, FORM):
            response = other.get(where)
            assert (response.status_code, OVER in flat(response)) == (410, True)
    assert founder.post(FORM, typed(club_name="Noch eine")).status_code == 410
    assert Club.objects.count() == 1


def test_a_second_tap_finds_what_the_first_one_founded(founder: Client) -> None:
    """If the response to the first tap was lost, the browser has no session."""
    link, second = address(), Client()
    founder.get(link)
    second.get(link)
    founder.post(FORM, typed())
    assert second.post(FORM, typed()).headers["Location"] == "/c/karo-eins/"
    assert second.get("/c/karo-eins/").status_code == 200
    assert Club.objects.count() == 1


def test_a_second_tap_of_a_logged_in_user(founder: Client) -> None:
    founder.force_login(make_user("frieda"))
    founder.get(address())
    link = FoundingLink.objects.get().pk
    founder.post(FORM, typed())
    session = founder.session
    session[FOUNDING] = link
    session.save()
    assert founder.post(FORM, typed()).headers["Location"] == "/c/karo-eins/"
    assert Club.objects.count() == 1


def test_another_user_does_not_find_it(founder: Client) -> None:
    link, others = address(), [Client() for _ in range(3)]
    for client in (founder, *others):
        client.get(link)
    founder.post(FORM, typed())
    changes = ({"username": "bodo"}, {"password1": WORDS[:-1], "password2": WORDS[:-1]}, {"club_name": "Pik"})
    for other, change in zip(others, changes, strict=True):
        refused(other.post(FORM, typed(**change)), "gilt inzwischen nicht mehr. Was hier steht, bleibt", status=410)
        assert other.get("/c/karo-eins/").status_code == 302, "the login comes first"


def test_a_new_link_ends_the_one_before_and_what_was_typed_goes_on_with_it(founder: Client) -> None:
    newer = address()
    stands = refused(founder.post(FORM, typed(own="Gans")), "gilt inzwischen nicht mehr", status=410)
    assert (stands["own"], stands["password1"], nothing_is_founded()) == ("Gans", WORDS, True)
    assert founder.get(newer).status_code == 302
    assert founder.post(FORM, typed()).status_code == 302


def test_it_is_good_for_a_week(founder: Client) -> None:
    link = address()
    founder.get(link)
    made = FoundingLink.objects.get().made_at
    FoundingLink.objects.update(made_at=made - datetime.timedelta(days=7))
    assert [founder.get(where).status_code for where in (link, FORM)] == [410, 410]
    refused(founder.post(FORM, typed()), "gilt inzwischen nicht mehr", status=410)
    FoundingLink.objects.update(made_at=made - datetime.timedelta(days=7) + datetime.timedelta(minutes=1))
    assert founder.post(FORM, typed()).status_code == 302


def test_founding_needs_a_link(client: Client) -> None:
    make_founding_link()
    assert (client.get(FORM).status_code, client.post(FORM, typed()).status_code) == (410, 410)
    client.force_login(make_user("frieda", make_club("Pik Dame"), ["admin"]))
    assert (client.get(FORM).status_code, client.post(FORM, typed()).status_code) == (410, 410)
    assert Club.objects.count() == 1


def test_only_a_hash_is_stored_and_the_log_holds_nothing(founder: Client, capsys: pytest.CaptureFixture[str]) -> None:
    secret = make_founding_link()
    assert len(secret) == 22
    assert secret not in str(list(FoundingLink.objects.values()))
    logging.config.dictConfig(settings.LOGGING)
    make_founding_link()
    assert founder.get(reverse("founding_open", args=[secret])).status_code == 410
    said = capsys.readouterr().err
    assert "410 Gone: found/<str:secret>/open/" in said
    assert secret not in said


def test_guessing_links_is_throttled_by_address(founder: Client) -> None:
    link = address()
    guesses = [reverse("founding_open", args=[f"{number:022}"]) for number in range(MAX_FAILURES_PER_ADDRESS)]
    assert [founder.get(guess).status_code for guess in guesses] == [410] * (MAX_FAILURES_PER_ADDRESS - 1) + [429]
    assert founder.get(guesses[0], REMOTE_ADDR="192.0.2.9").status_code == 410
    assert founder.get(link).status_code == 302, "a right one goes on"
    assert founder.post(FORM, typed()).status_code == 302, "an opened link stays valid"


# --- Without a link ---------------------------------------------------------------------------------------------------


@pytest.fixture
def is_open(settings: Any) -> None:
    settings.FOUNDING = "open"


def founded(number: int, *, client: Client | None = None, address: str = "198.51.100.7") -> HttpResponse:
    """Return the response to a visitor who founds a club, each time with another name."""
    sent = typed(club_name=f"Karo {number}", username=f"zora{number}")
    return (client or Client()).post(FORM, sent, REMOTE_ADDR=address)


@pytest.mark.usefixtures("is_open")
class TestOpen:
    def test_every_visitor_may_found(self, client: Client) -> None:
        page = client.get(FORM)
        assert_strict(page)
        assert page.status_code == 200
        assert client.post(FORM, typed()).status_code == 302
        club = Club.objects.get()
        assert club.founded_openly_at and club.founded_openly_at >= Change.objects.latest("at").at
        assert Membership.objects.get().user.email == ""

    def test_its_pages_say_when_it_goes_until_something_is_entered(self, client: Client) -> None:
        client.post(FORM, typed())
        club, home = Club.objects.get(), "/c/karo-eins/"
        day = date_format(datetime.date.today() + datetime.timedelta(days=14), "l, j. F Y")
        for page in (home, f"{home}more/", f"{home}list/"):
            assert flat(client.get(page)).count(f"Dieser Club wird am {day} gelöscht, wenn bis dahin nichts eingetragen") == 1
        assert 'alert-warning">Dieser' not in flat(client.get(home))
        assert "gelöscht" not in flat(client.get(f"{home}evenings/new/")), "the evening keeps it"
        Club.objects.update(goes_on=datetime.date.today() + datetime.timedelta(days=14))
        assert f'alert-warning">Dieser Club wird am {day} gelöscht' in flat(client.get(home))
        User.objects.update(is_superuser=True)
        assert "Ohne Link gegründet" in flat(client.get("/installation/"))
        make_table(club)
        assert "gelöscht" not in flat(client.get(home))
        Club.objects.update(founded_openly_at=None)
        assert "Ohne Link gegründet" not in flat(client.get("/installation/"))

    def test_a_link_is_as_good_as_before(self, founder: Client) -> None:
        assert founder.post(FORM, typed()).status_code == 302
        assert (Club.objects.get().founded_openly_at, AccessAttempt.objects.count()) == (None, 0)

    def test_two_taps_found_one_club(self, client: Client) -> None:
        client.post(FORM, typed())
        assert Client().post(FORM, typed()).headers["Location"] == "/c/karo-eins/"
        assert client.post(FORM, typed()).headers["Location"] == "/c/karo-eins/"
        refused(Client().post(FORM, typed(club_name="Pik")), "Diesen Anmeldenamen gibt es schon.")
        assert Club.objects.count() == 1

    def test_so_many_a_day_from_an_address_and_from_all(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert DAILY_LIMITS[FOUNDED] == (3, 30)
        monkeypatch.setitem(access.DAILY_LIMITS, FOUNDED, (1, 2))
        assert founded(0).status_code == 302
        stands = refused(founded(1), "Von hier lässt sich heute kein Club mehr gründen", status=429)
        assert stands["club_name"] == "Karo 1"
        page = Client().get(FORM, REMOTE_ADDR="198.51.100.7")
        assert (page.status_code, "heute kein Club mehr" in flat(page)) == (429, True)
        assert founded(0).headers["Location"] == "/c/karo-0/", "the second tap of the last one"
        assert [founded(number, address=f"198.51.100.{number}").status_code for number in (1, 2)] == [302, 429]
        assert Client().get(FORM, REMOTE_ADDR="2001:db8::1").status_code == 429
        assert "198.51.100.7" not in str(list(Club.objects.values()))
        fake_clock.begin(monkeypatch, datetime.date.today() + datetime.timedelta(days=1))
        assert founded(3).status_code == 302

    def test_what_is_refused_counts_nothing(self) -> None:
        assert Client().post(FORM, typed(people="Zora")).status_code == 422
        make_user("zora")
        refused(Client().post(FORM, typed(password1=WORDS, password2=WORDS)), "Diesen Anmeldenamen gibt es schon.")
        assert not AccessAttempt.objects.filter(username__startswith="day ").exists()

    def test_wrong_passwords_and_what_is_counted_of_a_day_leave_each_other_alone(self) -> None:
        founded(0)
        for number in range(6):
            Client().post("/login/", {"username": f"a{number}", "password": "x"}, REMOTE_ADDR="198.51.100.7")
        AccessAttempt.objects.update(attempt_time=datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=2))
        Client().post("/login/", {"username": "b", "password": "x"}, REMOTE_ADDR="198.51.100.7")
        kept = AccessAttempt.objects.filter(username__startswith="day ")
        assert (kept.count(), AccessAttempt.objects.count()) == (2, 3)
        assert set(kept.values_list("ip_address", "user_agent", "post_data")) == {(ALL_ADDRESSES, "", ""), ("198.51.100.7", "", "")}


@pytest.fixture
def with_mail(settings: Any, is_open: None) -> None:
    settings.CAN_MAIL, settings.SITE_URL = True, "https://club.example"


def asked(client: Client, address: str = "zora@mail.example", **more: Any) -> HttpResponse:
    """Return the response to the request for a link, after the mail was sent."""
    answer = client.post(FORM, {"email": address}, follow=True, **more)
    mails.waiting.join()
    return answer


def mailed_link() -> str:
    """Return the address that opens the link of the last mail."""
    (path,) = re.findall(r"https://club.example(/found/\S+)", mail.outbox[-1].body)
    assert f'href="{path}open/"' in flat(Client().get(path))
    return f"{path}open/"


@pytest.mark.usefixtures("with_mail")
class TestByMail:
    def test_a_link_goes_to_the_address_and_the_login_keeps_it(self, client: Client) -> None:
        page = client.get(FORM)
        assert_strict(page)
        assert (page.status_code, "club_name" in page.context["form"].fields) == (200, False)
        assert client.post(FORM, typed()).status_code == 422, "no way around the mail"
        assert "unterwegs an" in flat(asked(client))
        (sent,) = mail.outbox
        assert (sent.to, sent.subject) == (["zora@mail.example"], "Runde oder Club gründen")
        elsewhere = Client()
        assert elsewhere.get(mailed_link()).headers["Location"] == FORM
        assert "geht an zora@mail.example" in flat(elsewhere.get(FORM))
        assert elsewhere.post(FORM, typed()).status_code == 302
        assert (User.objects.get().email, Club.objects.count()) == ("zora@mail.example", 1)
        assert "email" in elsewhere.get(FORM).context["form"].fields, "the next one needs another link"

    def test_a_login_that_stands_keeps_its_own_address(self, client: Client) -> None:
        """Else an attacker could send the own link to a user and then reset the password of that login."""
        client.force_login(make_user("frieda"))
        client.get(f"/found/{make_mail_secret('eve@mail.example')}/open/")
        sent = without_login()
        assert client.post(FORM, sent).status_code == 302
        assert User.objects.get().email == ""

    def test_a_login_without_one_keeps_it_where_it_was_asked_for_and_by_its_password(self, client: Client) -> None:
        client.force_login(make_user("frieda"))
        asked(client, "Frieda@Mail.example")
        assert client.get(mailed_link()).headers["Location"] == FORM
        assert "geht an Frieda@Mail.example" in flat(client.get(FORM))
        sent = without_login()
        refused(client.post(FORM, sent), "Passwort")
        refused(client.post(FORM, sent | {"password": "falsch"}), "Passwort")
        assert User.objects.get().email == ""
        assert client.post(FORM, sent | {"password": PASSWORD}).status_code == 302
        assert (User.objects.get().email, Club.objects.count()) == ("Frieda@mail.example", 1)

    def test_a_login_that_has_one_is_not_asked_for_its_password(self, client: Client) -> None:
        client.force_login(make_user("frieda"))
        User.objects.update(email="frieda@mail.example")
        asked(client)
        client.get(mailed_link())
        sent = without_login()
        assert client.post(FORM, sent).status_code == 302
        assert User.objects.get().email == "frieda@mail.example"

    def test_a_link_founds_one_club(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        asked(client)
        link, others = mailed_link(), [Client(), Client()]
        for one in (client, *others):
            assert one.get(link).headers["Location"] == FORM
        assert client.post(FORM, typed()).status_code == 302
        again = typed(club_name="Pik", username="otto")
        refused(others[0].post(FORM, again), "gilt inzwischen nicht mehr", status=410)
        assert "email" in others[1].get(FORM).context["form"].fields
        fake_clock.begin(monkeypatch, datetime.date.today() + datetime.timedelta(days=1), "00:00:30+00:00")
        assert client.get(link).status_code == 410
        assert Club.objects.count() == 1

    def test_a_recipient_gets_few_mails_wherever_they_are_asked_for(self) -> None:
        answers = [asked(Client(), address, REMOTE_ADDR=f"198.51.100.{number}") for number, address in enumerate(
            ["zora@mail.example", "ZORA@mail.example", "zora@mail.example", "zora@Mail.example", "otto@mail.example"]
        )]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 200]
        assert "An diese Adresse ging heute schon mehrmals ein Link." in flat(answers[3])
        assert len(mail.outbox) == 4
        assert "zora" not in str(list(AccessAttempt.objects.values()))

    def test_the_answer_does_not_tell_whether_the_address_is_known(self) -> None:
        make_user("rita")
        User.objects.update(email="rita@mail.example")
        known, unknown = (flat(asked(Client(), address)) for address in ("rita@mail.example", "otto@mail.example"))
        assert re.sub(r"csrf\w+|value=\"\w{64}\"", "", known.replace("rita", "otto")) == re.sub(
            r"csrf\w+|value=\"\w{64}\"", "", unknown
        )
        assert len(mail.outbox) == 2

    def test_what_is_no_address_gets_no_mail(self, client: Client) -> None:
        for wrong in ("", "zora", "zora@mail.example\nBcc: eve@mail.example", "x" * 255 + "@mail.example"):
            assert asked(client, wrong).status_code == 422
        assert mail.outbox == []

    def test_so_many_mails_a_day(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        assert DAILY_LIMITS[MAILED] == (6, 60)
        answers = [asked(client, f"a{number}@mail.example") for number in range(7)]
        assert [answer.status_code for answer in answers] == [200] * 6 + [429]
        assert "Bitte morgen wiederkommen." in flat(answers[-1])
        monkeypatch.setitem(access.DAILY_LIMITS, MAILED, (6, 7))
        others = [asked(Client(), f"b{number}@mail.example", REMOTE_ADDR=f"198.51.100.{number}").status_code for number in range(2)]
        assert (others, len(mail.outbox)) == ([200, 429], 7)

    def test_a_link_that_is_over_or_changed_opens_nothing(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        asked(client)
        link = mailed_link()
        changed = client.get(link.replace("/found/", "/found/x"))
        assert (changed.status_code, f'href="{FORM}"' in flat(changed)) == (410, True)
        monkeypatch.setattr(access, "GOOD_FOR", datetime.timedelta(seconds=-1))
        assert client.get(link).status_code == 410
        assert "email" in client.get(FORM).context["form"].fields

    def test_where_founding_is_closed_again_it_opens_nothing(self, client: Client, settings: Any) -> None:
        asked(client)
        link = mailed_link()
        client.get(link)
        settings.FOUNDING = "link"
        assert [client.get(where).status_code for where in (link, FORM)] == [410, 410]
