"""Lock and check a table before it changes or carries on the open Bock games of another one."""

from __future__ import annotations

from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from scoring.club.actions import Actor
from scoring.club.models import Club
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.core.text import validate_plain
from scoring.play.models import Evening, Game, Table
from scoring.play.queries import Records, lock_table
from scoring.rules.parsing import ShortFacts, parse_line
from scoring.rules.settings import RuleSettings
from scoring.rules.validation import Refused, Sentence


class EveningIsClosed(ActionRefused):
    sentence = _("Der Abend ist abgeschlossen. Ein Verwalter kann ihn wieder öffnen.")


class WrongLineUp(ActionRefused):
    sentence = _("An einen Tisch gehören vier bis acht verschiedene Personen dieses Clubs.")


class TableChanged(ActionRefused):
    sentence = _("Am Tisch hat sich inzwischen etwas geändert. Bitte noch einmal ansehen, was sich ändern würde.")


def lock_club(club: Club) -> Club:
    """Lock all tables of a club, then the club, in the order in which a guest is added at a table. The lock does not cover the
    club's key, so that other transactions can still refer to it."""
    list(Table.objects.select_for_update().filter(evening__club=club).order_by("pk").values_list("pk"))
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def lock_open(table: Table, actor: Actor) -> Records:
    """Lock a table like `lock_table`. Raise EveningIsClosed."""
    records = lock_table(table)
    refuse_closed(records, actor)
    return records


def refuse_closed(records: Records, actor: Actor) -> None:
    """Raise EveningIsClosed if the evening is closed and the actor is no admin. The evening is the one read with the seats: the one
    read with the lock can be from before it was closed."""
    if not (actor.admin or records.rounds[-1].table.evening.is_open):
        raise EveningIsClosed


# Fields that the facts of a line may not have: the line, its table or the Bock chain decides them.
TABLE_FIELDS: Final = ("table", "dealer", "rules", "bock")


def check_line(form: str, facts: dict[str, Any], rules: RuleSettings, dealer: int | None) -> None:
    """Raise Refused (by field) for facts that are invalid on a sheet of these rules at this size of table."""
    frame = {field: Sentence(gettext_noop("Das steht für den ganzen Tisch fest. Bitte weglassen.")) for field in TABLE_FIELDS}
    if faults := {field: sentence for field, sentence in frame.items() if field in facts}:
        raise Refused(faults)
    read = parse_line(form, facts, rules, dealer)
    if form in (Game.Form.PLAYED, Game.Form.SHORT) and isinstance(read, ShortFacts) != (form == Game.Form.SHORT):
        raise Refused({"form": Sentence(gettext_noop("Diese Angaben gehören zur anderen Form der Eingabe. Bitte jene wählen."))})
    try:
        validate_plain(facts.get("reason", ""))
    except ValidationError as error:
        raise Refused({"reason": Sentence(error.messages[0])}) from error


def lock_earlier(earlier: Table) -> Table:
    """Lock the earlier table, before any table of a later evening is locked."""
    tables = Table.objects.select_for_update(of=("self",)).select_related("rule_set", "evening")
    return tables.get(pk=earlier.pk)


def check_carry(table: Table, earlier: Table) -> None:
    """Raise ActionRefused if this table, which may not be stored yet, cannot carry on from the other."""
    rules_carry = table.rule_set.rules.carry and earlier.rule_set.rules.carry
    if not rules_carry or not is_before(earlier.evening, table.evening):
        raise InvalidInput(
            _(
                "Weiterspielen lassen sich nur übrige Böcke eines früheren Abends im selben Club, "
                "wenn beide Regelwerke das vorsehen."
            )
        )
    if Table.objects.filter(carries_on=earlier).exclude(pk=table.pk).exists():
        raise ActionRefused(_("Diese übrigen Böcke werden schon an einem anderen Tisch weitergespielt."))


def is_before(earlier: Evening, later: Evening) -> bool:
    """Return whether this is an earlier evening of the same club; on one day, the one that was begun first."""
    if earlier.club_id != later.club_id:
        return False
    return (earlier.held_on, earlier.pk) < (later.held_on, later.pk)
