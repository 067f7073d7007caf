"""The settings as lines of the page: what each is called, what it says now, by which words it is found, and which of them
have no meaning as others are, so that the page does not show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from scoring.rules import labels
from scoring.rulesets.words.bock import bock_line
from scoring.rulesets.words.called import called, finds
from scoring.rulesets.words.parts import about
from scoring.rulesets.words.rulesets import SECTIONS
from scoring.rulesets.words.settings import sentence

from .typed import Part

if TYPE_CHECKING:
    from .settings import SettingsForm

# Which settings mean nothing while another one, the last of the names, is as the style of the page looks for.
NEEDS: Final = {
    **dict.fromkeys(("limit", "limit_counts", "re_limit_more"), "limits"),
    **dict.fromkeys(("absage", "missed_absage", "against_absage", "lost_announcement"), "re_kontra"),
    "against": "against_absage",
    **dict.fromkeys(("gegen_die_alten", "gegen_when"), "gegen_in"),
    "special_payer": "specials_when",
    "tie_120": "kontra_121",
    **dict.fromkeys(
        (f"bock__{key}" for key in ("triggers", "per_game", "length", "overlap", "effect", "carry")), "bock"
    ),
    "bock__cap": "bock__overlap",
    **dict.fromkeys(("bock__factor", "bock__drawn"), "bock__effect"),
    "bock__duty_solo_uses": "duty_solo",
}


@dataclass(frozen=True)
class Setting:
    """One setting on the page: its name, the sentence that explains it, other words for it, its value in words, its fields,
    notes, its values at tables of other sizes, the setting that it depends on, and whether a search found it."""

    key: str
    name: str
    explained: str
    called: str
    sentence: str
    parts: list[Part]
    open: bool
    faulty: bool
    notes: list[str]
    elsewhere: list[str]
    needs: str
    found: bool


def setting_lines(form: SettingsForm) -> list[tuple[str, list[Setting]]]:
    """All settings of the form, grouped as they are told."""
    said, notes = form.said, form.notes.settings
    found = [
        (str(title), [_setting(form, key, labels.SETTINGS[key], sentence(key, said), notes) for key in keys])
        for title, keys in SECTIONS
    ]
    known = about(said)
    there = _("Bock gibt es nicht.") if said["bock"] is None else _("Bock gibt es.")
    lines = [_setting(form, "bock", labels.SETTINGS["bock"], there, notes)]
    lines += [
        _setting(form, f"bock__{key}", explained, bock_line(key, said, known), notes)
        for key, explained in labels.BOCK.items()
    ]
    found.append((_("Bock"), lines))
    text = said.get("text") or _("Sonst ist nichts aufgeschrieben.")
    found.append((_("Außerdem"), [_setting(form, "text", labels.SETTINGS["text"], text, notes)]))
    shown = [(title, [line for line in lines if line.parts or line.key == "specials"]) for title, lines in found]
    found_keys = {line.key for _title, lines in shown for line in lines if line.found}
    # What means nothing as things are is found with what it needs for that.
    needed = {need for key in found_keys for need in _needs(key)}
    return [
        (title, [replace(line, found=True, open=True) if line.key in needed else line for line in lines])
        for title, lines in shown
        if lines
    ]


def _needs(key: str) -> Iterator[str]:
    while need := NEEDS.get(key):
        yield need
        key = need


def _setting(
    form: SettingsForm, key: str, explained: labels.Label, said: str, notes: Mapping[str, list[str]]
) -> Setting:
    inner = key.removeprefix("bock__")
    if inner == key:
        typed = form.typed.get(key)
    else:
        typed = form.typed["bock"].shapes["yes"].parts.get(inner)  # type: ignore[attr-defined]  # of the Bock it is an Either
    fields = [] if typed is None else [name for name in typed.fields(key) if name in form.fields]
    if key == "specials":
        fields = list(form.specials.fields())
    if key == "bock":
        fields = ["bock"]
    parts = typed.parts(key, form) if typed and fields else []
    changed = not form.fields.keys().isdisjoint(fields) and bool(set(fields) & set(form.changed_data))
    faulty = form.is_bound and any(name in form.errors for name in fields)
    also = called(key)
    found = bool(form.found) and finds(form.found, _(explained.name), _(explained.sentence), also, said)
    return Setting(
        key=key,
        name=_(explained.name),
        explained=_(explained.sentence),
        called=also,
        sentence=said,
        parts=parts,
        open=form.is_bound and changed or faulty or found or (key == "specials" and form.add == "special"),
        faulty=faulty,
        notes=notes.get(key, []),
        elsewhere=_elsewhere(form, key),
        needs="" if faulty or _said_by_kind(form, key) else NEEDS.get(key, ""),
        found=found,
    )


def _said_by_kind(form: SettingsForm, key: str) -> bool:
    """Does a row by kind of game decide whether a setting means something?"""
    return any(NEEDS.get(key) in row for row in form.current.get("per_kind", {}).values())


def _elsewhere(form: SettingsForm, key: str) -> list[str]:
    """What this setting says at tables of other sizes."""
    if form.people is not None or key.startswith("bock"):
        return []
    return [
        _("Mit %(people)s am Tisch: %(sentence)s")
        % {"people": size, "sentence": sentence(key, {**form.stored, **other})}
        for size, other in sorted(form.stored.get("at", {}).items())
        if key in other
    ]
