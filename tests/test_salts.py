"""Salts stay the same when a module moves: links, drafts and counts that were made before still hold."""

from __future__ import annotations

import uuid

from django.core import signing
from django.test import RequestFactory, override_settings

from clubledger.web.throttle import counted_name
from scoring.accounts.actions import ResetTokens
from scoring.accounts.queries import hash_session_key
from scoring.models import JoinLink, TableLink
from scoring.rulesets.views import SALT

DRAFT = "eyJydWxlX3NldCI6NSwic2V0dGluZ3MiOnsiYmFzZSI6ImRkdiJ9fQ:1xX7ff:p1XIN2-HOlgf8D97SkGNqTCnURrdIlMR4KqjgX5tXjk"


@override_settings(SECRET_KEY="of before")
def test_what_was_signed_before_still_holds() -> None:
    nonce = uuid.UUID(int=7)
    assert TableLink(pk=3, nonce=nonce).token == "3-iaEKB2qc0Oi684T9v00OIQ"
    assert JoinLink(pk=3, nonce=nonce).token == "3-lhkr3pmxOik8RxyE0IBI0g"
    assert hash_session_key("session") == "6ca489552d1f2ade579e"
    assert counted_name(RequestFactory().get("/"), {"username": "anna"}) == "610cb979e5def0b748504899bff9bd12089b7aa5"
    assert signing.loads(DRAFT, salt=SALT) == {"rule_set": 5, "settings": {"base": "ddv"}}
    assert ResetTokens.key_salt == "scoring.logins.ResetTokens"
