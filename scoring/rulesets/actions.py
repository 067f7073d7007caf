"""Found a club; add, change and rename its rule sets. A version that a table has played by never changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.dispatch import Signal
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from scoring.club.actions import Actor, add_first_admin, add_player, record
from scoring.club.models import Club, Verb
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.core.text import tidy
from scoring.rules import labels
from scoring.rules.settings import PRESETS, resolve

from .models import RuleSet
from .queries import is_used, list_current_rule_sets


class NewerVersion(ActionRefused):
    """The rule set was changed since the client read it; `newest` is its latest version now."""

    sentence = _("Inzwischen gibt es eine neuere Fassung. Noch einmal speichern ersetzt, was darin steht.")

    def __init__(self, newest: RuleSet) -> None:
        super().__init__()
        self.newest = newest


NAME_TAKEN: Final = _("Ein Regelwerk dieses Namens gibt es schon. Bitte einen anderen wählen.")


class NothingDiffers(ActionRefused):
    sentence = _("Sie haben nichts geändert.")


# Sent with the log entry, in the same transaction, while the club is locked. `apps.py` connects the receivers.
renamed: Final = Signal()


@transaction.atomic
def add_rule_set(*, club: Club, actor: Actor, preset: str, name: str, settings: Mapping[str, Any] | None = None) -> RuleSet:
    """Add a preset with `settings` laid over it. Raise ValidationError by field, Refused for an unknown preset."""
    return _add(club, actor, name, resolve({"base": preset, **(settings or {})}), {"preset": preset})


@transaction.atomic
def copy_rule_set(*, source: RuleSet, actor: Actor, name: str) -> RuleSet:
    """Add a rule set with the settings of `source`. Raise ValidationError by field."""
    return _add(source.club, actor, name, source.settings, {"rule_set": source.pk})


def _add(club: Club, actor: Actor, name: str, settings: Mapping[str, Any], began_as: Mapping[str, Any]) -> RuleSet:
    rule_set = _save(RuleSet(club=club, name=name, settings=dict(settings)))
    after = {**began_as, "version": 1}
    record(club=club, actor=actor, verb=Verb.RULES_ADDED, subject=rule_set.pk, after=after)
    return rule_set


@transaction.atomic
def change_rule_set(*, rule_set: RuleSet, actor: Actor, settings: Mapping[str, Any]) -> RuleSet:
    """Return the version with the new settings: the latest one, changed in place, if nothing refers to it. `rule_set` is the latest
    version as the client saw it. Raise NewerVersion, NothingDiffers, ValidationError by field."""
    # The lock keeps new tables from using this version meanwhile.
    newest = _lock_versions(rule_set).order_by("-version").select_for_update()[0]
    as_seen = newest.pk == rule_set.pk and newest.settings == rule_set.settings
    if newest.settings == settings:
        if as_seen:
            raise NothingDiffers
        return newest
    if not as_seen:
        raise NewerVersion(newest)
    if not is_used(newest):
        return _change_in_place(newest, actor, settings)
    changed = _save(RuleSet(club=rule_set.club, name=newest.name, version=newest.version + 1, settings=dict(settings)))
    record(
        club=rule_set.club,
        actor=actor,
        verb=Verb.RULES_CHANGED,
        subject=changed.pk,
        before={"rule_set": newest.pk},
        after={"rule_set": changed.pk},
    )
    return changed


def deals_again_after_redeal(settings: Mapping[str, Any]) -> bool:
    """Return whether the same seat deals again after a redeal, at every size of table."""
    return all("redeal" in one["deal_stays"] for one in (settings, *settings.get("at", {}).values()) if "deal_stays" in one)


def let_same_seat_deal_again(*, rule_set: RuleSet, actor: Actor) -> RuleSet:
    """Let the same seat deal again after a redeal and change nothing else. Raise NewerVersion, NothingDiffers."""

    def add_redeal(settings: Mapping[str, Any]) -> dict[str, Any]:
        if "redeal" in settings.get("deal_stays", ["redeal"]):
            return dict(settings)
        return {**settings, "deal_stays": [*settings["deal_stays"], "redeal"]}

    settings = add_redeal(rule_set.settings)
    if "at" in settings:
        settings["at"] = {size: add_redeal(other) for size, other in settings["at"].items()}
    return change_rule_set(rule_set=rule_set, actor=actor, settings=settings)


def _change_in_place(rule_set: RuleSet, actor: Actor, settings: Mapping[str, Any]) -> RuleSet:
    """Only the log entry keeps the old settings."""
    before, rule_set.settings = rule_set.settings, dict(settings)
    record(
        club=rule_set.club,
        actor=actor,
        verb=Verb.RULES_CHANGED,
        subject=rule_set.pk,
        before={"settings": before},
        after={"settings": rule_set.settings},
    )
    return _save(rule_set)


@transaction.atomic
def rename_rule_set(*, rule_set: RuleSet, actor: Actor, name: str) -> RuleSet:
    """Rename all versions of a rule set. Raise InvalidInput, NothingDiffers, ValidationError by field."""
    versions = _lock_versions(rule_set)
    named = versions.get(pk=rule_set.pk)
    before, named.name = named.name, tidy(name)
    named.clean_fields()
    if named.name == before:
        raise NothingDiffers
    if RuleSet.objects.filter(club=rule_set.club_id, name=named.name).exists():
        raise InvalidInput(NAME_TAKEN)
    try:
        with transaction.atomic():
            versions.update(name=named.name)
    except IntegrityError as error:
        # Another rule set got this name meanwhile.
        raise InvalidInput(NAME_TAKEN) from error
    change = record(
        club=rule_set.club,
        actor=actor,
        verb=Verb.RULES_RENAMED,
        subject=rule_set.pk,
        before={"name": before},
        after={"name": named.name},
    )
    renamed.send(None, change=change, actor=actor)
    return named


def _lock_versions(rule_set: RuleSet) -> QuerySet[RuleSet]:
    """Lock the club and return all versions of a rule set. Its name is read after the lock, because it may have changed."""
    Club.objects.select_for_update(no_key=True).get(pk=rule_set.club_id)
    name = RuleSet.objects.get(pk=rule_set.pk).name
    return RuleSet.objects.filter(club=rule_set.club_id, name=name)


def _save(rule_set: RuleSet) -> RuleSet:
    rule_set.full_clean(exclude=["unit"])
    rule_set.save()
    return rule_set


@transaction.atomic
def found_club(*, name: str, slug: str = "", admin: str, own: str = "") -> tuple[Club, str | None]:
    """Create a club with a rule set for every preset (`own` last, so the first evening proposes it). Return the first password of
    its `admin`, None for an existing login. Raise ValidationError by field."""
    club = Club(name=name, slug=slug or slugify(name))
    club.full_clean()
    club.save()
    for preset in sorted(PRESETS, key=lambda preset: preset == own):
        add_rule_set(club=club, actor=Actor(), preset=preset, name=labels.PRESETS[preset])
    return club, add_first_admin(club=club, admin=admin)


@transaction.atomic
def begin_with_answers(*, club: Club, actor: Actor, name: str, settings: Mapping[str, Any], people: Iterable[str]) -> RuleSet:
    """Add a rule set of complete settings and these players, in this order. Raise ValidationError by field."""
    rule_set = _add(club, actor, name, settings, {})
    for person in people:
        add_player(club=club, actor=actor, name=person)
    return rule_set


@transaction.atomic
def begin_with_preset(*, club: Club, actor: Actor, preset: str, people: Iterable[str]) -> RuleSet:
    """Add these players, and the preset's rule set if the club has none of its name. Raise ValidationError by field."""
    name = labels.PRESETS[preset]
    for person in people:
        add_player(club=club, actor=actor, name=person)
    existing = list_current_rule_sets(club).filter(name=name).first()
    return existing or add_rule_set(club=club, actor=actor, preset=preset, name=name)
