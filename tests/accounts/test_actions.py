"""Links to join a club: rows, history, refusals, and two requests at the same time."""

from __future__ import annotations

import datetime

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from scoring.accounts.actions import JoinLinkExpired, create_join_link, end_join_link, join, join_with_new_login
from scoring.accounts.queries import list_open_join_links, list_players_without_login
from scoring.club.actions import Actor, AlreadyMember, LoginTaken, change_member
from scoring.club.texts import describe_changes
from scoring.core.errors import ActionRefused
from scoring.imports.actions import hidden_slug, hide_club
from scoring.models import Change, Club, JoinLink, Membership, Player, Verb
from tests.cash.together import get_outcomes
from tests.factories import Cast, make_club, make_join_link, make_player, make_user

pytestmark = pytest.mark.django_db

ENOUGH = "Vier ganz andere Wörter"


def bodo(cast: Cast) -> Player:
    return Player.objects.get(club=cast.club, name="Bodo")


def list_changes(club: Club, after: int) -> list[tuple[str, str, object, object, int | None]]:
    rows = Change.objects.filter(club=club, pk__gt=after).order_by("pk")
    return list(rows.values_list("verb", "subject_id", "before", "after", "actor"))


def get_last_change(club: Club) -> int:
    return Change.objects.filter(club=club).order_by("-pk").values_list("pk", flat=True).first() or 0


def test_a_new_login_joins_as_a_player(cast: Cast) -> None:
    link, before = make_join_link(cast.club, cast.admin, ["scorer"]), get_last_change(cast.club)
    member = join_with_new_login(link=link, login="bodo", password=ENOUGH, player_id=bodo(cast).pk)
    assert (member.scorer, member.treasurer, member.admin) == (True, False, False)
    assert member.user.check_password(ENOUGH)
    assert bodo(cast).user == member.user
    link.refresh_from_db()
    assert (link.uses, list(list_open_join_links(cast.club))) == (1, [])
    roles = {"scorer": True, "treasurer": False, "admin": False}
    log = list_changes(cast.club, before)
    assert [(verb, actor) for verb, *_rest, actor in log] == [
        (Verb.MEMBER_JOINED, member.user_id),
        (Verb.PLAYER_CHANGED, member.user_id),
    ]
    assert log[0][1:4] == (str(member.user_id), None, roles)
    assert ENOUGH not in str(log)


def test_an_existing_login_joins_another_club_without_a_player(cast: Cast) -> None:
    link = make_join_link(cast.club, cast.admin, most_uses=2)
    join(link=link, user=cast.stranger, player_id=None)
    assert Membership.objects.filter(user=cast.stranger).count() == 2
    assert not Player.objects.filter(club=cast.club, user__isnull=False).exists()
    with pytest.raises(AlreadyMember):
        join(link=link, user=cast.stranger, player_id=bodo(cast).pk)
    assert JoinLink.objects.get(pk=link.pk).uses == 1


def test_the_history_shows_that_a_link_was_made_and_ended(cast: Cast) -> None:
    before = get_last_change(cast.club)
    link = make_join_link(cast.club, cast.admin, ["scorer"], most_uses=5)
    end_join_link(link=link, actor=Actor(cast.admin))
    values = {
        "scorer": True,
        "treasurer": False,
        "admin": False,
        "most_uses": 5,
        "ends_on": (timezone.localdate() + datetime.timedelta(days=7)).isoformat(),
    }
    assert list_changes(cast.club, before) == [
        (Verb.LINK_MADE, str(link.pk), None, values, cast.admin.pk),
        (Verb.LINK_ENDED, str(link.pk), values, None, cast.admin.pk),
    ]
    (made, ended) = describe_changes(list(Change.objects.filter(club=cast.club, pk__gt=before).order_by("pk")))
    assert [tuple(one.values()) for one in made.differences][:2] == [
        ("Rechte", None, "liest, schreibt"),
        ("Für wie viele", None, "5"),
    ]
    assert ended.done == "Link zum Beitreten beendet"
    assert link.token not in str(Change.objects.values())


def make_closed_link(cast: Cast, how: str) -> JoinLink:
    link = make_join_link(cast.club, cast.admin)
    match how:
        case "ended":
            end_join_link(link=link, actor=Actor(cast.admin))
        case "used up":
            join(link=link, user=make_user("erste"), player_id=None)
        case "expired":
            JoinLink.objects.update(ends_on=timezone.localdate() - datetime.timedelta(days=1))
        case "made by a former admin":
            make_user("zweite", cast.club, ["admin"])
            change_member(membership=cast.admin.memberships.get(), actor=Actor(), roles=["scorer"])
        case "of a hidden club":
            with hidden_slug() as slug:
                hide_club(cast.club, slug)
    return link


@pytest.mark.parametrize("how", ["ended", "used up", "expired", "made by a former admin", "of a hidden club"])
def test_a_closed_link_cannot_be_used(cast: Cast, how: str) -> None:
    link = make_closed_link(cast, how)
    members = Membership.objects.count()
    for attempt in (
        lambda: join(link=link, user=cast.stranger, player_id=None),
        lambda: join_with_new_login(link=link, login="neu", password=ENOUGH, player_id=None),
        lambda: end_join_link(link=link, actor=Actor(cast.admin)),
    ):
        with pytest.raises((JoinLinkExpired, Club.DoesNotExist)):
            attempt()
    assert Membership.objects.count() == members
    assert not Membership.objects.filter(user__username="neu").exists()


def test_a_link_can_be_used_on_its_last_day(cast: Cast) -> None:
    assert join(link=make_join_link(cast.club, cast.admin, days=0), user=cast.stranger, player_id=None)


def test_only_an_active_player_without_a_login_can_be_chosen(cast: Cast) -> None:
    """A player with a login, one who left, was merged or erased, or is of another club is refused, and nothing is stored."""
    day = datetime.date(2026, 1, 1)
    one = make_player(cast.club, "Rita", user=cast.reader)
    others = [
        one,
        make_player(cast.club, "Weg", left_on=day),
        make_player(cast.club, "Zweimal", merged_into=one),
        make_player(cast.club, "Gelöschte Person 1", erased_on=day),
        Player.objects.filter(club=cast.other_club).first(),
    ]
    link, before = make_join_link(cast.club, cast.admin, most_uses=9), get_last_change(cast.club)
    for player in others:
        with pytest.raises(ActionRefused, match="Diese Person hat inzwischen einen Zugang"):
            join(link=link, user=cast.stranger, player_id=player.pk)
        with pytest.raises(ActionRefused, match="Diese Person hat inzwischen einen Zugang"):
            join_with_new_login(link=link, login="neu", password=ENOUGH, player_id=player.pk)
    assert list_changes(cast.club, before) == []
    assert JoinLink.objects.get(pk=link.pk).uses == 0
    assert not Membership.objects.filter(user__username="neu").exists()
    assert {player.name for player in list_players_without_login(cast.club)} == {"Ärmel", "Bodo", "Çelik", "Özlem"}


def test_a_login_name_is_taken_once(cast: Cast) -> None:
    link = make_join_link(cast.club, cast.admin)
    for login in ("rita", "RITA"):
        with pytest.raises(LoginTaken, match="meldet sich zuerst an"):
            join_with_new_login(link=link, login=login, password=ENOUGH, player_id=None)
    assert list(list_open_join_links(cast.club)) == [link], "no use was counted"


def test_an_invalid_link_is_not_made(cast: Cast) -> None:
    values = {"club": cast.club, "actor": Actor(cast.admin), "ends_on": timezone.localdate()}
    for admin, most_uses in ((True, 2), (False, 0), (False, 51)):
        with pytest.raises(ValidationError):
            create_join_link(admin=admin, most_uses=most_uses, **values)


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_for_the_last_use_one_is_refused() -> None:
    club = make_club()
    link = make_join_link(club, make_user("anna", club, ["admin"]))
    results = get_outcomes(
        lambda: join_with_new_login(link=link, login="bodo", password=ENOUGH, player_id=None),
        lambda: join_with_new_login(link=link, login="bea", password=ENOUGH, player_id=None),
    )
    assert set(results) == {Membership, JoinLinkExpired}
    assert Membership.objects.filter(club=club).count() == 2


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_for_one_player_one_is_refused() -> None:
    club = make_club()
    link = make_join_link(club, make_user("anna", club, ["admin"]), most_uses=2)
    player = make_player(club, "Bodo")
    results = get_outcomes(
        lambda: join_with_new_login(link=link, login="bodo", password=ENOUGH, player_id=player.pk),
        lambda: join(link=link, user=make_user("bea"), player_id=player.pk),
    )
    assert set(results) == {Membership, ActionRefused}
    assert JoinLink.objects.get().uses == 1
