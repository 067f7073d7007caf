"""A new password for somebody who forgot theirs: by a link that is good once and for a day. The site mails it to them, or an
admin of their only club hands it to them. Whoever holds the link can use it, so it ends with every change of
what the login may do."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from scoring.club.actions.history import Actor
from scoring.club.actions.people import lock_club, member_values, record_member
from scoring.club.errors import LoginOfOthersToo
from scoring.club.models.people import Membership
from scoring.club.queries import belongs_to_others_too


class ResetTokens(PasswordResetTokenGenerator):
    """Django's own, which end with a new password, the next login, another address of mail and after a day. Here they also end
    when the login joins or leaves a club, when somebody becomes an admin of one or is none any more, and when it runs the
    installation: an admin who goes takes no key along, and a key to one club never opens another."""

    key_salt = "scoring.logins.ResetTokens"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        around = Membership.objects.filter(club__memberships__user=user).order_by("pk")
        clubs = [(one.pk, one.admin) for one in around if one.admin or one.user_id == user.pk]
        return f"{super()._make_hash_value(user, timestamp)}{user.is_superuser}{clubs}"


TOKENS: Final = ResetTokens()


def reset_path(user: User) -> str:
    """Where this login gets a new password."""
    return reverse(
        "password_reset_confirm", args=[urlsafe_base64_encode(force_bytes(user.pk)), TOKENS.make_token(user)]
    )


@transaction.atomic
def make_reset_link(*, membership: Membership, actor: Actor) -> str:
    """A link to be handed to a member who forgot the password; until it is used the old one holds. Raises LoginOfOthersToo: no
    club may take over the login of another."""
    lock_club(membership.club)
    member = Membership.objects.select_related("club", "user").get(pk=membership.pk)
    if belongs_to_others_too(member):
        raise LoginOfOthersToo
    before = member_values(member)
    record_member(member, actor, before, {**before, "reset_link": True})
    return reset_path(member.user)
