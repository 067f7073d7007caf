"""Joining by a link: what is stored, what the history says, what is refused, and that two at once are two in a row."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.utils import timezone

from scoring.accounts.actions import JoinLinkOver, PersonTaken, end_link, join, join_as_new, make_link
from scoring.accounts.queries import free_people, open_links
from scoring.club.actions.history import Actor
from scoring.club.actions.people import change_member
from scoring.club.errors import AlreadyMember, LoginTaken
from scoring.history.words import tell
from scoring.imports.actions.hidden import hidden, hide
from scoring.models import Change, Club, JoinLink, Membership, Player, Verb
from tests.factories import Cast, make_club, make_player, make_user
from tests.keys import make_join_link

pytestmark = pytest.mark.django_db

ENOUGH = "Vier ganz andere Wörter"


def bodo(cast: Cast) -> Player:
    return Player.objects.get(club=cast.club, name="Bodo")


def changes(club: Club, after: int) -> list[tuple[str, str, object, object, int | None]]:
    rows = Change.objects.filter(club=club, pk__gt=after).order_by("pk")
    return list(rows.values_list("verb", "subject_id", "before", "after", "actor"))


def last(club: Club) -> int:
    return Change.objects.filter(club=club).order_by("-pk").values_list("pk", flat=True).first() or 0


def test_a_new_login_joins_and_is_somebody(cast: Cast) -> None:
    link, before = make_join_link(cast.club, cast.admin, ["scorer"]), last(cast.club)
    member = join_as_new(link=link, login="bodo", password=ENOUGH, person=bodo(cast).pk)
    assert (member.scorer, member.treasurer, member.admin) == (True, False, False)
    assert member.user.check_password(ENOUGH)
    assert bodo(cast).user == member.user
    link.refresh_from_db()
    assert (link.uses, list(open_links(cast.club))) == (1, [])
    roles = {"scorer": True, "treasurer": False, "admin": False}
    told = changes(cast.club, before)
    assert [(verb, actor) for verb, *_rest, actor in told] == [
        (Verb.MEMBER_JOINED, member.user_id),
        (Verb.PLAYER_CHANGED, member.user_id),
    ]
    assert told[0][1:4] == (str(member.user_id), None, roles)
    assert ENOUGH not in str(told)


def test_a_login_that_is_there_joins_another_club_and_need_be_nobody(cast: Cast) -> None:
    link = make_join_link(cast.club, cast.admin, most_uses=2)
    join(link=link, user=cast.stranger, person=None)
    assert Membership.objects.filter(user=cast.stranger).count() == 2
    assert not Player.objects.filter(club=cast.club, user__isnull=False).exists()
    with pytest.raises(AlreadyMember):
        join(link=link, user=cast.stranger, person=bodo(cast).pk)
    assert JoinLink.objects.get(pk=link.pk).uses == 1


def test_making_and_ending_a_link_stand_in_the_history(cast: Cast) -> None:
    before = last(cast.club)
    link = make_join_link(cast.club, cast.admin, ["scorer"], most_uses=5)
    end_link(link=link, actor=Actor(cast.admin))
    values = {
        "scorer": True,
        "treasurer": False,
        "admin": False,
        "most_uses": 5,
        "ends_on": (timezone.localdate() + datetime.timedelta(days=7)).isoformat(),
    }
    assert changes(cast.club, before) == [
        (Verb.LINK_MADE, str(link.pk), None, values, cast.admin.pk),
        (Verb.LINK_ENDED, str(link.pk), values, None, cast.admin.pk),
    ]
    (made, ended) = tell(list(Change.objects.filter(club=cast.club, pk__gt=before).order_by("pk")))
    assert [(one.label, one.before, one.after) for one in made.differences][:2] == [
        ("Rechte", None, "liest, schreibt"),
        ("Für wie viele", None, "5"),
    ]
    assert ended.done == "Link zum Beitreten beendet"
    assert link.token not in str(Change.objects.values())


def over(cast: Cast, how: str) -> JoinLink:
    link = make_join_link(cast.club, cast.admin)
    match how:
        case "ended":
            end_link(link=link, actor=Actor(cast.admin))
        case "used up":
            join(link=link, user=make_user("erste"), person=None)
        case "past its day":
            JoinLink.objects.update(ends_on=timezone.localdate() - datetime.timedelta(days=1))
        case "made by an admin of before":
            make_user("zweite", cast.club, ["admin"])
            change_member(membership=cast.admin.memberships.get(), actor=Actor(), roles=["scorer"])
        case "of a club that left":
            with hidden() as slug:
                hide(cast.club, slug)
    return link


@pytest.mark.parametrize(
    "how", ["ended", "used up", "past its day", "made by an admin of before", "of a club that left"]
)
def test_a_link_that_is_over_lets_nobody_in(cast: Cast, how: str) -> None:
    link = over(cast, how)
    members = Membership.objects.count()
    for attempt in (
        lambda: join(link=link, user=cast.stranger, person=None),
        lambda: join_as_new(link=link, login="neu", password=ENOUGH, person=None),
        lambda: end_link(link=link, actor=Actor(cast.admin)),
    ):
        with pytest.raises((JoinLinkOver, Club.DoesNotExist)):
            attempt()
    assert Membership.objects.count() == members
    assert not Membership.objects.filter(user__username="neu").exists()


def test_it_holds_on_its_last_day(cast: Cast) -> None:
    assert join(link=make_join_link(cast.club, cast.admin, days=0), user=cast.stranger, person=None)


def test_only_somebody_of_the_club_whom_no_login_has_can_be_said(cast: Cast) -> None:
    """A person with a login, one who left, was merged or erased, or of another club: refused, and nothing is kept."""
    day = datetime.date(2026, 1, 1)
    one = make_player(cast.club, "Rita", user=cast.reader)
    others = [
        one,
        make_player(cast.club, "Weg", left_on=day),
        make_player(cast.club, "Zweimal", merged_into=one),
        make_player(cast.club, "Gelöschte Person 1", erased_on=day),
        Player.objects.filter(club=cast.other_club).first(),
    ]
    link, before = make_join_link(cast.club, cast.admin, most_uses=9), last(cast.club)
    for player in others:
        with pytest.raises(PersonTaken):
            join(link=link, user=cast.stranger, person=player.pk)
        with pytest.raises(PersonTaken):
            join_as_new(link=link, login="neu", password=ENOUGH, person=player.pk)
    assert changes(cast.club, before) == []
    assert JoinLink.objects.get(pk=link.pk).uses == 0
    assert not Membership.objects.filter(user__username="neu").exists()
    assert {player.name for player in free_people(cast.club)} == {"Ärmel", "Bodo", "Çelik", "Özlem"}


@pytest.mark.parametrize("login", ["rita", "RITA"])
def test_a_login_name_is_taken_once(cast: Cast, login: str) -> None:
    link = make_join_link(cast.club, cast.admin)
    with pytest.raises(LoginTaken, match="meldet sich zuerst an"):
        join_as_new(link=link, login=login, password=ENOUGH, person=None)
    assert list(open_links(cast.club)) == [link], "nothing of it was used"


@pytest.mark.parametrize(("roles", "most_uses"), [(["admin"], 2), ([], 0), ([], 51)])
def test_a_link_that_should_not_be_is_not_made(cast: Cast, roles: list[str], most_uses: int) -> None:
    with pytest.raises(ValidationError):
        make_link(
            club=cast.club,
            actor=Actor(cast.admin),
            roles=roles,
            most_uses=most_uses,
            ends_on=timezone.localdate(),
        )


def at_once(*attempts: Callable[[], object]) -> list[object]:
    """What each of them came to, all begun in the same moment."""
    start, came = threading.Barrier(len(attempts)), []

    def run(attempt: Callable[[], object]) -> None:
        start.wait()
        try:
            came.append(type(attempt()))
        except Exception as error:
            came.append(type(error))
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[attempt]) for attempt in attempts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return came


@pytest.mark.django_db(transaction=True)
def test_two_at_once_for_one_place_are_one_and_a_refusal() -> None:
    club = make_club()
    link = make_join_link(club, make_user("anna", club, ["admin"]))
    came = at_once(
        lambda: join_as_new(link=link, login="bodo", password=ENOUGH, person=None),
        lambda: join_as_new(link=link, login="bea", password=ENOUGH, person=None),
    )
    assert set(came) == {Membership, JoinLinkOver}
    assert Membership.objects.filter(club=club).count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_at_once_for_one_person_are_one_and_a_refusal() -> None:
    club = make_club()
    link = make_join_link(club, make_user("anna", club, ["admin"]), most_uses=2)
    player = make_player(club, "Bodo")
    came = at_once(
        lambda: join_as_new(link=link, login="bodo", password=ENOUGH, person=player.pk),
        lambda: join(link=link, user=make_user("bea"), person=player.pk),
    )
    assert set(came) == {Membership, PersonTaken}
    assert JoinLink.objects.get().uses == 1
