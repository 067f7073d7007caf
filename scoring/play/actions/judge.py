"""Whether a line may stand on a sheet."""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_noop as _

from scoring.core.text import validate_plain
from scoring.play.models import Game
from scoring.rules.parsing import ShortFacts, parse_line
from scoring.rules.settings import RuleSettings
from scoring.rules.validation import Refused, Sentence

# What a single line cannot decide for itself.
FRAME: Final = ("table", "dealer", "rules", "bock")


def judge(form: str, facts: dict[str, Any], rules: RuleSettings, dealer: int | None) -> None:
    """Refuse facts that cannot stand on a sheet of these rules, seated as `rules` are. Raises Refused by field."""
    frame = {field: Sentence(_("Das steht für den ganzen Tisch fest. Bitte weglassen.")) for field in FRAME}
    if faults := {field: sentence for field, sentence in frame.items() if field in facts}:
        raise Refused(faults)
    read = parse_line(form, facts, rules, dealer)
    if form in (Game.Form.PLAYED, Game.Form.SHORT) and isinstance(read, ShortFacts) != (form == Game.Form.SHORT):
        raise Refused({"form": Sentence(_("Diese Angaben gehören zur anderen Form der Eingabe. Bitte jene wählen."))})
    try:
        validate_plain(facts.get("reason", ""))
    except ValidationError as error:
        raise Refused({"reason": Sentence(error.messages[0])}) from error
