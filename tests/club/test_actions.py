"""Actions on players and members: stored values, refusals and log entries."""

from __future__ import annotations

import datetime
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import formats, timezone

from scoring.accounts.actions import join
from scoring.club.actions import (
    Actor,
    AlreadyMember,
    LoginTaken,
    LoginUnknown,
    accept_invitation,
    add_member,
    add_new_login,
    add_player,
    change_member,
    change_player,
    invite_member,
    remove_member,
    save_login,
    withdraw_invitation,
)
from scoring.club.models import INVITATION_PERIOD
from scoring.club.queries import find_login, find_player, list_open_invitations
from scoring.core.errors import ActionRefused
from scoring.models import Change, Club, Invitation, LoginKey, Membership, Player, Verb
from scoring.rules.validation import Refused
from scoring.rulesets.actions import add_rule_set
from tests.cash.together import get_outcomes
from tests.factories import make_club, make_join_link, make_player, make_user

pytestmark = pytest.mark.django_db

MAY = datetime.date(2026, 5, 1)


@pytest.fixture
def admin(club: Club) -> User:
    return make_user("anna", club, ["admin"])


def fields_of(player: Player) -> dict[str, Any]:
    return {name: getattr(player, name) for name in ("name", "guest", "joined_on", "left_on", "user")}


def changes(club: Club) -> list[tuple[str, str, Any, Any]]:
    return list(Change.objects.filter(club=club).order_by("id").values_list("verb", "subject_id", "before", "after"))


def test_a_player_is_saved_with_a_tidy_name(club: Club, admin: User) -> None:
    player = add_player(club=club, actor=Actor(admin), name="  Özlem \t Ay ", guest=True, joined_on=MAY, user=admin)
    player.refresh_from_db()
    assert fields_of(player) == {"name": "Özlem Ay", "guest": True, "joined_on": MAY, "left_on": None, "user": admin}
    assert player.name_key == "ozlem ay\tözlem ay"
    days = {"joined_on": "2026-05-01", "left_on": None, "rests_from": None, "rests_until": None}
    values = {"guest": True, **days, "user": admin.pk, "by_initial": False}
    assert changes(club) == [(Verb.PLAYER_ADDED, str(player.pk), None, values)]


def test_the_log_stores_no_name(club: Club, admin: User) -> None:
    player = add_player(club=club, actor=Actor(admin), name="Gertrud")
    change_player(player=player, actor=Actor(admin), **{**fields_of(player), "name": "Gerda"})
    assert "Gertrud" not in str(changes(club))
    assert "Gerda" not in str(changes(club))
    assert changes(club)[-1][3]["renamed"] is True


def test_saving_the_same_values_logs_nothing(club: Club, admin: User) -> None:
    player = add_player(club=club, actor=Actor(admin), name="Bodo", joined_on=MAY)
    change_player(player=player, actor=Actor(admin), **fields_of(player))
    assert len(changes(club)) == 1


def test_a_change_logs_the_values_before_and_after(club: Club, admin: User) -> None:
    player = add_player(club=club, actor=Actor(admin), name="Bodo", joined_on=MAY)
    change_player(player=player, actor=Actor(admin), **{**fields_of(player), "left_on": MAY})
    verb, subject, before, after = changes(club)[-1]
    assert (verb, subject) == (Verb.PLAYER_CHANGED, str(player.pk))
    assert {key: (before[key], after[key]) for key in before if before[key] != after[key]} == {"left_on": (None, "2026-05-01")}


def test_a_name_is_unique_in_any_spelling(club: Club, admin: User) -> None:
    make_player(club, "Özlem")
    for name in ("Özlem", "özlem", "ÖZLEM", "Öz\u200dlem", " Özlem "):
        with pytest.raises(ValidationError, match="gibt es im Club schon"):
            add_player(club=club, actor=Actor(admin), name=name)
    assert add_player(club=make_club("Pik"), actor=Actor(admin), name="Özlem").pk


def test_names_with_other_letters_are_different(club: Club, admin: User) -> None:
    for number, (one, other) in enumerate([("Weiß", "Weiss"), ("Müller", "Muller"), ("Müller", "Mueller"), ("Łukasz", "Lukasz")]):
        names = [f"{name} {number}" for name in (one, other)]
        people = [add_player(club=club, actor=Actor(admin), name=name) for name in names]
        assert [find_player(club, name) for name in (names[0], names[1].upper())] == people


def test_all_apostrophes_and_all_hyphens_are_equal(club: Club, admin: User) -> None:
    player = add_player(club=club, actor=Actor(admin), name="Sean O’Neill-Ay")
    for other in ("Sean O'Neill-Ay", "Sean O´Neill‐Ay", "SEAN O‘NEILL‑AY", "Sean O`Neill–Ay"):
        assert find_player(club, other) == player
        with pytest.raises(ValidationError, match="gibt es im Club schon"):
            add_player(club=club, actor=Actor(admin), name=other)


def test_the_migration_keeps_names_that_differ_by_an_apostrophe(club: Club, admin: User) -> None:
    old = {"Sean O'Neill": "sean o'neill", "Sean O’Neill": "sean o’neill", "Jürgen": "jurgen", "Anna‑Lena": "anna‑lena"}
    for name, key in old.items():
        Player.objects.filter(pk=make_player(club, f"Nr. {key}").pk).update(name=name, name_key=key)
    import_module("scoring.migrations.0025_keys_of_names").fill(apps, connection.schema_editor())
    assert dict(Player.objects.values_list("name", "name_key")) == {
        "Sean O'Neill": "sean o'neill", "Sean O’Neill": "sean o‘neill", "Jürgen": "jurgen\tjürgen",
        "Anna‑Lena": "anna-lena",
    }  # fmt: skip
    for player in Player.objects.order_by("pk"):
        change_player(player=player, actor=Actor(admin), **{**fields_of(player), "guest": True})
    assert Player.objects.filter(guest=True).count() == 4
    assert Player.objects.get(name_key="sean o‘neill").name == "Sean O’Neill"


def test_an_invalid_name_is_refused(club: Club, admin: User) -> None:
    for name in ("", "   ", "´", "\u200d", "x" * 41, "Bo\u202edo", "Bo\u200bdo", "\u3164", "Bo\x00do"):
        with pytest.raises(ValidationError) as refused:
            add_player(club=club, actor=Actor(admin), name=name)
        assert set(refused.value.message_dict) == {"name"}
    assert not Player.objects.exists() and not Change.objects.exists()


def test_a_name_with_too_long_a_key_is_refused(club: Club, admin: User) -> None:
    with pytest.raises(ValidationError, match="kürzeren") as refused:
        add_player(club=club, actor=Actor(admin), name="\ufdfa" * 40)
    assert set(refused.value.message_dict) == {"name"}


def test_leaving_before_joining_is_refused(club: Club, admin: User) -> None:
    with pytest.raises(ValidationError, match="erst nach dem Eintritt"):
        add_player(club=club, actor=Actor(admin), name="Bodo", joined_on=MAY, left_on=MAY - datetime.timedelta(days=1))
    assert add_player(club=club, actor=Actor(admin), name="Bodo", joined_on=MAY, left_on=MAY).left_on == MAY


def test_joining_after_tomorrow_is_refused_but_leaving_and_breaks_are_not(club: Club, admin: User) -> None:
    tomorrow = timezone.localdate() + datetime.timedelta(days=1)
    later = tomorrow + datetime.timedelta(days=1)
    player = add_player(club=club, actor=Actor(admin), name="Bodo", joined_on=tomorrow)
    for refused in (
        lambda: add_player(club=club, actor=Actor(admin), name="Cem", joined_on=later),
        lambda: change_player(player=player, actor=Actor(admin), name="Bodo", joined_on=later),
    ):
        with pytest.raises(ValidationError) as error:
            refused()
        assert list(error.value.message_dict) == ["joined_on"]
    ahead = {"left_on": later, "rests_from": later, "rests_until": later}
    changed = change_player(player=player, actor=Actor(admin), name="Bodo", **ahead)
    assert {name: getattr(changed, name) for name in ahead} == ahead


def test_a_login_has_one_player_and_must_be_a_member(club: Club, admin: User) -> None:
    add_player(club=club, actor=Actor(admin), name="Anna", user=admin)
    with pytest.raises(ValidationError):
        add_player(club=club, actor=Actor(admin), name="Bodo", user=admin)
    with pytest.raises(ActionRefused, match="gehört nicht zum Club"):
        add_player(club=club, actor=Actor(admin), name="Bodo", user=make_user("fremd"))


def test_a_new_login_gets_a_password_that_is_not_stored(club: Club, admin: User) -> None:
    member, password = add_new_login(club=club, actor=Actor(admin), login="bodo", roles=["scorer"])
    assert User.objects.get(username="bodo").check_password(password)
    assert (member.scorer, member.treasurer, member.admin) == (True, False, False)
    assert password not in str(changes(club))
    assert password not in member.user.password
    other = add_new_login(club=club, actor=Actor(admin), login="bea", roles=[])[1]
    assert other != password
    assert len(other) == 19


def test_a_login_name_is_unique(club: Club, admin: User) -> None:
    """In any case, and with a Cyrillic letter."""
    for login in ("аnna", "anna", "ANNA"):
        with pytest.raises(LoginTaken, match="einladen"):
            add_new_login(club=club, actor=Actor(admin), login=login, roles=[])
        with pytest.raises(IntegrityError), transaction.atomic():
            call_command("createsuperuser", username=login.title(), email="", interactive=False)
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_equal_logins_at_once_one_is_refused() -> None:
    logins = [User(username=login, password="!") for login in ("anna", "Аnna")]
    assert set(get_outcomes(*(partial(save_login, user) for user in logins))) == {type(None), LoginTaken}
    assert User.objects.count() == LoginKey.objects.count() == 1


def test_the_migration_keeps_logins_with_equal_keys() -> None:
    for number in range(3):
        make_user(f"nr-{number}")
    for number, name in enumerate(("Anna", "anna", "аnna")):
        User.objects.filter(username=f"nr-{number}").update(username=name)
    LoginKey.objects.all().delete()
    import_module("scoring.migrations.0026_login_keys").fill(apps, connection.schema_editor())
    users = list(User.objects.order_by("pk"))
    keys = ["anna", f"anna {users[1].pk}", f"anna {users[2].pk}"]
    for user in users:
        user.save()
        assert find_login(user.username) == user
    assert list(LoginKey.objects.order_by("user").values_list("key", flat=True)) == keys
    assert find_login("ANNA") == users[0]
    with pytest.raises(LoginTaken):
        save_login(User(username="ANNA", password="!"))
    users[2].username = "Bodo"
    users[2].save()
    assert find_login("bodo") == users[2]


def test_an_invalid_login_name_is_refused(club: Club, admin: User) -> None:
    for login in ("", "zwei wörter", "a\u202eb", "x" * 151):
        with pytest.raises(ValidationError):
            add_new_login(club=club, actor=Actor(admin), login=login, roles=[])
    assert User.objects.count() == 1


def test_an_existing_login_is_added_once(club: Club, admin: User) -> None:
    make_user("bodo", make_club("Pik"))
    member = add_member(club=club, actor=Actor(admin), login="Bodo", roles=["treasurer"])
    assert member.treasurer
    with pytest.raises(AlreadyMember):
        add_member(club=club, actor=Actor(admin), login="bodo", roles=[])
    with pytest.raises(LoginUnknown):
        add_member(club=club, actor=Actor(admin), login="niemand", roles=[])


@pytest.fixture
def bodo(club: Club) -> User:
    """The login of a member of another club."""
    return make_user("bodo", make_club("Pik"), ["admin"])


def invite(club: Club, admin: User, *roles: str) -> Invitation:
    return invite_member(club=club, actor=Actor(admin), login="bodo", roles=roles)


def test_an_invited_login_joins_by_accepting_and_each_step_is_logged(club: Club, admin: User, bodo: User) -> None:
    invitation = invite(club, admin, "scorer")
    assert not Membership.objects.filter(club=club, user=bodo).exists()
    member = accept_invitation(invitation=invitation, user=bodo)
    assert (member.club, member.user) == (club, bodo)
    assert (member.scorer, member.treasurer, member.admin) == (True, False, False)
    offered = {"scorer": True, "treasurer": False, "admin": False}
    assert changes(club) == [
        (Verb.MEMBER_INVITED, str(bodo.pk), None, offered),
        (Verb.MEMBER_CHANGED, str(bodo.pk), None, offered),
    ]
    assert list(Change.objects.filter(club=club).order_by("id").values_list("actor", flat=True)) == [admin.pk, bodo.pk]


def test_an_invitation_is_for_one_login_and_one_use(club: Club, admin: User, bodo: User) -> None:
    invitation = invite(club, admin)
    with pytest.raises(ActionRefused, match="gilt nicht mehr"):
        accept_invitation(invitation=invitation, user=make_user("bea"))
    member = accept_invitation(invitation=invitation, user=bodo)
    with pytest.raises(ActionRefused, match="gilt nicht mehr"):
        accept_invitation(invitation=invitation, user=bodo)
    remove_member(membership=member, actor=Actor(admin))
    with pytest.raises(ActionRefused, match="gilt nicht mehr"):
        accept_invitation(invitation=invitation, user=bodo)
    assert not Membership.objects.filter(club=club, user=bodo).exists()


def expire(invitation: Invitation, admin: User) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(created_at=invitation.created_at - INVITATION_PERIOD)


def withdraw(invitation: Invitation, admin: User) -> None:
    withdraw_invitation(invitation=invitation, actor=Actor(admin))


def replace(invitation: Invitation, admin: User) -> None:
    invite(invitation.club, admin)


def remove_the_host(invitation: Invitation, admin: User) -> None:
    make_user("bea", invitation.club, ["admin"])
    change_member(membership=admin.memberships.get(), actor=Actor(admin), roles=["scorer"])


def lock_the_host(invitation: Invitation, admin: User) -> None:
    User.objects.filter(pk=admin.pk).update(is_active=False)


def join_and_leave(invitation: Invitation, admin: User) -> None:
    user = User.objects.get(username="bodo")
    remove_member(membership=join(link=make_join_link(invitation.club, admin), user=user, player_id=None), actor=Actor(admin))


@pytest.mark.parametrize("ends", [expire, withdraw, replace, join_and_leave, remove_the_host, lock_the_host])
def test_an_ended_invitation_is_refused(club: Club, admin: User, bodo: User, ends: Any) -> None:
    invitation = invite(club, admin, "admin")
    assert list(list_open_invitations(club)) == [invitation]
    ends(invitation, admin)
    assert invitation not in list_open_invitations()
    with pytest.raises(ActionRefused, match="gilt nicht mehr"):
        accept_invitation(invitation=invitation, user=bodo)
    with pytest.raises(ActionRefused, match="gilt nicht mehr"):
        withdraw_invitation(invitation=invitation, actor=Actor(admin))
    assert not Membership.objects.filter(club=club, user=bodo).exists()


def test_changes_of_other_members_do_not_end_an_invitation(club: Club, admin: User, bodo: User) -> None:
    invitation = invite(club, admin)
    other = make_club("Herz")
    invite(other, make_user("hanna", other, ["admin"]))
    add_new_login(club=club, actor=Actor(admin), login="bea", roles=[])
    add_player(club=club, actor=Actor(admin), name="Bodo")
    assert list(list_open_invitations(club)) == [invitation]


def test_members_and_locked_logins_cannot_be_invited(club: Club, admin: User, bodo: User) -> None:
    User.objects.filter(pk=make_user("gesperrt").pk).update(is_active=False)
    make_user("bea", club)
    for login, fault in (("niemand", LoginUnknown), ("gesperrt", LoginUnknown), ("bea", AlreadyMember)):
        with pytest.raises(fault):
            invite_member(club=club, actor=Actor(admin), login=login, roles=[])
    assert changes(club) == []


@pytest.mark.postgres
def test_the_migration_keeps_open_invitations_at_their_addresses(club: Club, admin: User, bodo: User) -> None:
    """The entries are as earlier versions wrote them. Ids of later invitations follow those of the entries."""
    hanna, cem, deleted = make_user("hanna"), make_user("cem"), make_user("dora")
    host, scorer = make_user("bea", club, ["admin"]), make_user("emil", club, ["scorer"])
    offered, week = {"scorer": True, "treasurer": False, "admin": True}, datetime.timedelta(days=7)

    def log(verb: Verb, login: User, by: User = host, days: float = 1, to: Club = club) -> Change:
        at = timezone.now() - datetime.timedelta(days=days)
        after = offered if verb == Verb.MEMBER_INVITED else None
        return Change.objects.create(club=to, actor=by, verb=verb, subject_id=str(login.pk), after=after, at=at)

    for verb in (Verb.MEMBER_INVITED, Verb.MEMBER_INVITED, Verb.MEMBER_UNINVITED):
        log(verb, hanna)
    for verb in (Verb.MEMBER_INVITED, Verb.MEMBER_CHANGED):
        log(verb, scorer)
    log(Verb.MEMBER_INVITED, admin, days=7.1)
    log(Verb.MEMBER_INVITED, cem, by=scorer)
    log(Verb.MEMBER_INVITED, deleted)
    log(Verb.MEMBER_INVITED, bodo)
    kept = [log(Verb.MEMBER_INVITED, bodo, days=6.9), log(Verb.MEMBER_INVITED, hanna, admin, to=make_club("Herz"))]
    kept[1].club.memberships.create(user=admin, admin=True)
    deleted.delete()
    entries = list(Change.objects.order_by("pk").values())

    import_module("scoring.migrations.0035_invitations").fill(apps, connection.schema_editor())

    columns = ("pk", "club", "user", "created_by", "created_at", "scorer", "treasurer", "admin")
    assert list(Invitation.objects.order_by("pk").values_list(*columns)) == [
        (one.pk, one.club_id, int(one.subject_id), one.actor_id, one.at, True, False, True) for one in kept
    ]
    assert list(Change.objects.order_by("pk").values()) == entries
    client = Client()
    client.force_login(bodo)
    address = reverse("invitation", args=[club.slug, kept[0].pk])
    assert formats.date_format(timezone.localtime(kept[0].at + week), "SHORT_DATE_FORMAT") in client.get(address).content.decode()
    assert client.post(address).status_code == 302
    member = Membership.objects.get(club=club, user=bodo)
    assert (member.scorer, member.treasurer, member.admin) == (True, False, True)
    assert invite_member(club=club, actor=Actor(host), login="hanna", roles=[]).pk > kept[1].pk


@pytest.mark.django_db(transaction=True)
def test_an_invitation_accepted_twice_at_once_adds_one_member() -> None:
    club = make_club()
    bodo = make_user("bodo", make_club("Pik"))
    invitation = invite(club, make_user("anna", club, ["admin"]))
    accept = partial(accept_invitation, invitation=invitation, user=bodo)
    assert set(get_outcomes(accept, accept)) == {Membership, ActionRefused}
    assert Membership.objects.filter(club=club, user=bodo).count() == 1


def test_changed_roles_are_logged(club: Club, admin: User) -> None:
    member = make_user("bodo", club).memberships.get()
    change_member(membership=member, actor=Actor(admin), roles=["scorer", "treasurer"])
    change_member(membership=member, actor=Actor(admin), roles=["treasurer", "scorer"])
    member.refresh_from_db()
    assert (member.scorer, member.treasurer, member.admin) == (True, True, False)
    before = {"scorer": False, "treasurer": False, "admin": False}
    after = {"scorer": True, "treasurer": True, "admin": False}
    assert changes(club) == [(Verb.MEMBER_CHANGED, str(member.user_id), before, after)]


def test_the_last_admin_cannot_be_removed(club: Club, admin: User) -> None:
    member = admin.memberships.get()
    make_user("bodo", club, ["scorer"])
    make_user("fremd", make_club("Pik"), ["admin"])
    User.objects.filter(pk=make_user("gesperrt", club, ["admin"]).pk).update(is_active=False)
    with pytest.raises(ActionRefused, match="mindestens einen Verwalter"):
        change_member(membership=member, actor=Actor(admin), roles=["scorer"])
    with pytest.raises(ActionRefused, match="mindestens einen Verwalter"):
        remove_member(membership=member, actor=Actor(admin))
    assert changes(club) == []
    make_user("bea", club, ["admin"])
    change_member(membership=member, actor=Actor(admin), roles=[])
    assert not Membership.objects.get(pk=member.pk).admin


def test_a_removed_member_stays_as_a_player(club: Club, admin: User) -> None:
    bodo = make_user("bodo", club)
    player = make_player(club, "Bodo", user=bodo)
    elsewhere = make_player(make_club("Pik"), "Bodo", user=bodo)
    remove_member(membership=bodo.memberships.get(), actor=Actor(admin))
    player.refresh_from_db()
    elsewhere.refresh_from_db()
    assert (player.user, elsewhere.user) == (None, bodo)
    assert User.objects.filter(pk=bodo.pk).exists()
    person, member = Change.objects.filter(club=club).order_by("id")
    assert (person.verb, member.verb) == (Verb.PLAYER_CHANGED, Verb.MEMBER_CHANGED)
    assert person.click == member.click
    assert member.after is None


def test_a_rule_set_begins_as_a_preset(club: Club, admin: User) -> None:
    rule_set = add_rule_set(club=club, actor=Actor(admin), preset="klassisch", name="Unser Abend")
    assert (rule_set.version, rule_set.unit, rule_set.rules.unit) == (1, "cents", "cents")
    assert changes(club)[-1][:2] == (Verb.RULES_ADDED, str(rule_set.pk))
    with pytest.raises(ValidationError):
        add_rule_set(club=club, actor=Actor(admin), preset="ddv", name="Unser Abend")
    with pytest.raises(Refused):
        add_rule_set(club=club, actor=Actor(admin), preset="skat", name="Skat")


@pytest.mark.django_db(transaction=True)
def test_two_admins_cannot_remove_each_other() -> None:
    club = make_club()
    members = [make_user(login, club, ["admin"]).memberships.get() for login in ("anna", "bodo")]
    outcomes = get_outcomes(*(partial(remove_member, membership=member, actor=Actor()) for member in members))
    assert outcomes.count(ActionRefused) == 1
    assert Membership.objects.filter(club=club, admin=True).count() == 1
