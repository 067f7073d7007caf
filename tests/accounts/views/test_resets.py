"""Links to a new password: handed out by an admin, or sent by mail; when they end; and the mail address itself."""

from __future__ import annotations

import re

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from scoring.accounts.actions import RESET_TOKENS, build_reset_path, delete_login, make_reset_link
from scoring.accounts.forms import ForgottenPasswordForm
from scoring.club.actions import Actor, change_member, remove_member
from scoring.core import mails
from scoring.core.errors import ActionRefused
from scoring.models import Change, Membership
from tests.factories import PASSWORD, Cast, make_club, make_user
from tests.html import assert_strict, flat, text
from tests.soak.bad_inputs import BAD_TEXTS

FORGOTTEN, MAIL, LOGIN = "/password/forgotten/", "/login/mail/", "/login/"
NEW = {"new_password1": "Vier ganz andere Wörter", "new_password2": "Vier ganz andere Wörter"}


def make_link_for(cast: Cast, user: User) -> str:
    member = Membership.objects.get(club=cast.club, user=user)
    return make_reset_link(membership=member, actor=Actor(cast.admin))


def open_link(path: str) -> tuple[Client, str]:
    """Return a browser that opened this link, and the address it was redirected to."""
    client = Client()
    clean = client.get(path).headers["Location"]
    assert path.split("/")[-2] not in clean, "a clean address, without the secret"
    return client, clean


# --- The link of an admin ---------------------------------------------------------------------------------------------


def test_an_admin_hands_out_a_link_without_seeing_the_password(client: Client, cast: Cast) -> None:
    theirs = Client()
    theirs.force_login(cast.reader)
    client.force_login(cast.admin)
    answer = client.post(f"/c/karo/rights/{cast.reader.memberships.get().pk}/password/")
    assert_strict(answer)
    assert "no-store" in answer.headers["Cache-Control"]
    assert 'src="data:image/svg+xml' in text(answer)
    (path,) = re.findall(r'value="http://testserver(/password/new/[^"]+)"', text(answer))
    assert theirs.get("/c/karo/").status_code == 200, "the old password is valid until the link is used"
    phone, clean = open_link(path)
    page = phone.get(clean)
    assert "Für den Zugang rita." in flat(page)
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert "Ab jetzt gilt das neue Passwort." in text(phone.post(clean, NEW, follow=True))
    assert theirs.get("/c/karo/").status_code == 302, "older sessions end"
    assert phone.post(LOGIN, {"username": "rita", "password": NEW["new_password1"]}).status_code == 302
    history = text(client.get("/c/karo/history/"))
    assert "Link für ein neues gemacht" in history
    assert path not in history + str(Change.objects.values())


@pytest.mark.parametrize(
    "meanwhile",
    ["used", "logged in", "joined another club", "left", "the admin lost the role", "runs the installation", "expired"],
)
def test_a_link_ends_when(cast: Cast, meanwhile: str, settings: object) -> None:
    path = make_link_for(cast, cast.reader)
    phone, clean = open_link(path)
    match meanwhile:
        case "used":
            phone.post(clean, NEW)
        case "logged in":
            Client().post(LOGIN, {"username": "rita", "password": PASSWORD})
        case "joined another club":
            Membership.objects.create(club=cast.other_club, user=cast.reader)
        case "left":
            remove_member(membership=cast.reader.memberships.get(), actor=Actor())
        case "the admin lost the role":
            make_user("bea", cast.club, ["admin"])
            path = make_link_for(cast, cast.reader)
            phone, clean = open_link(path)
            change_member(membership=cast.admin.memberships.get(), actor=Actor(), roles=[])
        case "runs the installation":
            User.objects.filter(pk=cast.reader.pk).update(is_superuser=True)
        case "expired":
            settings.PASSWORD_RESET_TIMEOUT = -1
    before = User.objects.get(pk=cast.reader.pk).password
    for answer in (Client().get(path), phone.get(clean), phone.post(clean, NEW)):
        assert answer.status_code == 410
        assert "Dieser Link gilt nicht mehr" in text(answer)
        assert_strict(answer)
    assert User.objects.get(pk=cast.reader.pk).password == before


def test_changes_of_other_logins_do_not_end_a_link(cast: Cast) -> None:
    path = make_link_for(cast, cast.reader)
    make_user("bea", cast.club)
    make_user("gisela", make_club("Herz"), ["admin"])
    assert open_link(path)


def test_no_club_takes_over_the_login_of_another(client: Client, cast: Cast) -> None:
    member = Membership.objects.create(club=cast.club, user=cast.stranger)
    client.force_login(cast.admin)
    answer = client.post(f"/c/karo/rights/{member.pk}/password/", follow=True)
    assert "gehört auch zu einem anderen Club" in text(answer)
    User.objects.filter(pk=cast.reader.pk).update(is_superuser=True)
    for user in (cast.stranger, cast.reader):
        with pytest.raises(ActionRefused, match="gehört auch zu einem anderen Club"):
            make_link_for(cast, user)


def test_a_weak_password_is_refused_and_the_link_stays(cast: Cast) -> None:
    phone, clean = open_link(make_link_for(cast, cast.reader))
    for weak in ("kurz", "KaroEins12", "x" * 1001):
        answer = phone.post(clean, {"new_password1": weak, "new_password2": weak})
        assert answer.status_code == 422
        assert 'aria-invalid="true"' in text(answer)
    assert phone.post(clean, NEW).status_code == 302


def test_a_new_password_unlocks_the_login(cast: Cast) -> None:
    phone, clean = open_link(build_reset_path(cast.reader))
    for number in range(5):
        phone.post(LOGIN, {"username": "rita", "password": f"falsch {number}"})
    values = {"username": "rita", "password": NEW["new_password1"]}
    assert phone.post(LOGIN, values).status_code == 429
    phone.post(clean, NEW)
    assert phone.post(LOGIN, values).status_code == 302


def test_guessed_links_are_limited_and_the_login_stays_open(cast: Cast) -> None:
    path = build_reset_path(cast.reader)
    uid = path.split("/")[3]
    guesses = [Client().get(f"/password/new/{uid}/dchy5n-{n:032}/").status_code for n in range(30)]
    assert guesses == [410] * 29 + [429]
    assert Client().get(path).status_code == 302, "a valid link still works"
    assert Client(REMOTE_ADDR="198.51.100.9").get(path).status_code == 302
    assert Client().post(LOGIN, {"username": "rita", "password": PASSWORD}).status_code == 302
    assert {row.path_info for row in AccessAttempt.objects.all()} == {"password/new/<str:uidb64>/<str:token>/"}


def test_a_link_without_a_login_is_refused(cast: Cast) -> None:
    for path in ("/password/new/x/x/", "/password/new/OTk5OTk5/x-y/", "/password/new/MQ/set-password/"):
        assert Client().get(path).status_code == 410


# --- By mail ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def with_mail(settings: object) -> None:
    settings.CAN_MAIL, settings.SITE_URL = True, "https://club.example:8443"


def ask_for_link(client: Client, typed: str) -> HttpResponse:
    """Ask for a link; return the answer after all mails were sent."""
    answer = client.post(FORGOTTEN, {"email": typed}, follow=True)
    mails.waiting.join()
    return answer


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("with_mail")
class TestByMail:
    def test_a_link_is_sent_to_the_address_of_the_login(self, cast: Cast) -> None:
        User.objects.filter(username="rita").update(email="rita@example.org")
        for typed in ("rita", "RITA", "Rita@Example.org"):
            assert "ist ein Link dorthin unterwegs" in text(ask_for_link(Client(), typed))
            sent = mail.outbox[-1]
            assert (sent.to, sent.subject) == (["rita@example.org"], "Neues Passwort für Club Ledger")
            assert "Zugang rita auf club.example:8443" in sent.body
        assert len(mail.outbox) == 3
        (path,) = re.findall(r"https://club.example:8443(/\S+)", sent.body)
        phone, clean = open_link(path)
        assert phone.post(clean, NEW).headers["Location"] == LOGIN
        assert User.objects.get(username="rita").check_password(NEW["new_password1"])
        assert Client().get(path).status_code == 410

    def test_a_client_cannot_choose_the_host_of_the_link(self, cast: Cast, settings: object) -> None:
        settings.ALLOWED_HOSTS = [".example"]
        User.objects.filter(username="rita").update(email="rita@example.org")
        ask_for_link(Client(headers={"host": "evil.example:6666", "x-forwarded-host": "evil.example"}), "rita")
        assert "evil" not in mail.outbox[0].body
        assert "6666" not in mail.outbox[0].body

    def test_a_server_without_its_address_sends_no_mail_and_says_so(
        self, cast: Cast, settings: object, caplog: pytest.LogCaptureFixture
    ) -> None:
        settings.SITE_URL = ""
        User.objects.filter(username="rita").update(email="rita@example.org")
        answer = ask_for_link(Client(), "rita")
        assert "Dieser Server kennt seine eigene Adresse nicht." in flat(answer)
        assert 'name="email"' not in text(answer)
        assert mail.outbox == []
        assert caplog.messages == ["A mail was refused: set SITE_URL, the address of this site for the links in mails."]

    def test_the_answer_does_not_tell_whether_a_login_exists(self, cast: Cast) -> None:
        User.objects.filter(username="rita").update(email="rita@example.org")
        User.objects.filter(username="thea").update(email="thea@example.org", is_active=False)
        answers = {typed: ask_for_link(Client(), typed) for typed in ("rita", "anna", "thea", "niemand", "a@b.example")}
        assert len({re.sub(r"csrf\w+|value=\"\w{64}\"", "", text(one)) for one in answers.values()}) == 1
        assert [one.to for one in mail.outbox] == [["rita@example.org"]]

    def test_the_mail_has_the_language_of_the_page(self, cast: Cast) -> None:
        User.objects.filter(username="rita").update(email="rita@example.org")
        ask_for_link(Client(headers={"accept-language": "en"}), "rita")
        with translation.override("en"):
            sentence = gettext("Waren Sie das nicht, ist nichts zu tun: Das alte Passwort gilt weiter.")
        assert sentence in mail.outbox[0].body

    def test_five_mails_for_a_name_are_the_limit_and_the_login_stays_open(self, cast: Cast) -> None:
        User.objects.filter(username="rita").update(email="rita@example.org")
        phone = Client()
        assert [ask_for_link(phone, name).status_code for name in ("rita", "Rita", "RITA") * 2] == [200] * 4 + [429] * 2
        assert len(mail.outbox) == 4
        assert "rita" not in str(AccessAttempt.objects.values())
        assert ask_for_link(phone, "anna").status_code == 200
        assert phone.post(LOGIN, {"username": "rita", "password": PASSWORD}).status_code == 302

    def test_thirty_mails_from_an_address_are_the_limit_and_the_login_stays_open(self, cast: Cast) -> None:
        phone = Client()
        assert [ask_for_link(phone, f"rita {number}").status_code for number in range(30)] == [200] * 29 + [429]
        assert "wurde zu oft nach einem neuen Passwort gefragt" in text(ask_for_link(phone, "anna"))
        assert phone.post(LOGIN, {"username": "rita", "password": PASSWORD}).status_code == 302
        assert phone.get(make_link_for(cast, cast.reader)).status_code == 302

    def test_a_mail_that_fails_does_not_hold_up_the_next(self, cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
        def fail() -> None:
            raise OSError("rita@example.org")

        User.objects.filter(username="rita").update(email="rita@example.org")
        mails.send_later(fail)
        ask_for_link(Client(), "rita")
        assert len(mail.outbox) == 1
        assert "A mail was not sent." in caplog.messages


@pytest.mark.django_db
def test_hostile_input_finds_no_login() -> None:
    make_user("rita")
    User.objects.update(email="rita@example.org")
    for typed in (*BAD_TEXTS, "rita%", "r_ta", "rıta@example.org"):
        form = ForgottenPasswordForm({"email": typed})
        assert not form.is_valid() or list(form.get_users(form.cleaned_data["email"])) == [], typed


def test_without_a_mail_server_the_page_says_who_can_help(client: Client, cast: Cast) -> None:
    User.objects.filter(username="rita").update(email="rita@example.org")
    assert FORGOTTEN in text(client.get(LOGIN))
    page = flat(client.get(FORGOTTEN))
    assert 'name="email"' not in page
    assert "macht unter „Mehr“ → „Zugänge und Rechte“ einen Link" in page
    assert client.post(FORGOTTEN, {"email": "rita"}).headers["Location"] == FORGOTTEN
    assert mail.outbox == []


# --- The address ------------------------------------------------------------------------------------------------------


def test_the_mail_address_is_set_and_removed_with_the_password(client: Client, cast: Cast, with_mail: None) -> None:
    client.force_login(cast.reader)
    assert MAIL in text(client.get("/c/karo/more/"))
    wrong = client.post(MAIL, {"email": "rita@example.org", "password": "falsch"})
    assert wrong.status_code == 422
    assert 'value="rita@example.org"' in text(wrong)
    assert User.objects.get(pk=cast.reader.pk).email == ""
    assert client.post(MAIL, {"email": "rita@example", "password": PASSWORD}).status_code == 422
    saved = client.post(MAIL, {"email": "rita@EXAMPLE.org", "password": PASSWORD}, follow=True)
    assert 'value="rita@example.org"' in text(saved)
    old = RESET_TOKENS.make_token(User.objects.get(pk=cast.reader.pk))
    client.post(MAIL, {"email": "", "password": PASSWORD})
    user = User.objects.get(pk=cast.reader.pk)
    assert (user.email, RESET_TOKENS.check_token(user, old)) == ("", False)
    assert client.get(MAIL).status_code == 200


def test_a_wrong_password_for_the_mail_address_counts_as_a_wrong_login(client: Client, cast: Cast) -> None:
    client.force_login(cast.reader)
    answers = [client.post(MAIL, {"email": "r@example.org", "password": f"falsch {n}"}) for n in range(5)]
    assert [answer.status_code for answer in answers] == [422] * 4 + [429]
    rows = str(AccessAttempt.objects.values())
    assert "falsch" not in rows
    assert "example.org" not in rows


def test_other_users_do_not_see_the_address_and_it_is_deleted_with_the_login(client: Client, cast: Cast) -> None:
    User.objects.filter(username="rita").update(email="rita@example.org")
    client.force_login(cast.admin)
    for page in ("/c/karo/rights/", f"/c/karo/rights/{cast.reader.memberships.get().pk}/", "/c/karo/archive/"):
        assert "rita@example.org" not in text(client.get(page))
    assert MAIL not in text(client.get("/c/karo/more/")), "nothing to set where no mail is sent"
    remove_member(membership=cast.reader.memberships.get(), actor=Actor())
    delete_login(user=User.objects.get(username="rita"))
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            assert "rita@example.org" not in str(cursor.fetchall()), table
