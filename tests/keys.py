"""How tests come by the links that open something by themselves, and what stands in their addresses."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from scoring.accounts.actions import RESET_TOKENS, create_join_link
from scoring.club.actions import Actor
from scoring.models import Club, JoinLink
from scoring.table.actions.tables import renew_link
from tests.factories import Cast, make_user


def make_join_link(club: Club, admin: User, roles: Iterable[str] = (), most_uses: int = 1, days: int = 7) -> JoinLink:
    """A link by which so many people can join for so many days more."""
    ends_on = timezone.localdate() + datetime.timedelta(days=days)
    return create_join_link(club=club, actor=Actor(admin), roles=list(roles), most_uses=most_uses, ends_on=ends_on)


def tokens_of(cast: Cast) -> dict[str, str]:
    """By the name of an address, the token of a link that stands; and of which login that to a new password is."""
    forgetful = make_user("hatice", cast.club)
    link, invitation = renew_link(table=cast.table, actor=Actor(cast.scorer)), make_join_link(cast.club, cast.admin)
    return {
        **dict.fromkeys(("link_card", "link_open"), link.token),
        **dict.fromkeys(("join_card", "join_open"), invitation.token),
        "password_reset_confirm": RESET_TOKENS.make_token(forgetful),
        "uid": urlsafe_base64_encode(force_bytes(forgetful.pk)),
    }
