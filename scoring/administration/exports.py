"""The file with all data about one person, as JSON with German keys. Other people are named in log entries only."""

from __future__ import annotations

import datetime
import json
from collections import defaultdict
from collections.abc import Collection
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser, User
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, Q
from django.utils import timezone

from scoring.cash.models import DUES_FIELDS, Attendance, CashCount, DuesStatus, Fine, Leg, Report, SettlementLine
from scoring.club.models import PLAYER_FIELDS, ROLES, Change, Membership, Player
from scoring.club.queries import collect_merged, list_changes
from scoring.club.texts import ChangeDescription, describe_changes
from scoring.core.database import snapshot
from scoring.league.models import MonthClosing, Supplement
from scoring.league.queries.books import read_content
from scoring.play.models import Game, Score, Seat, TableResult
from scoring.standings.models import OpeningStanding
from scoring.table.models import LateEntry

BATCH_SIZE: Final = 500  # log entries that are described at once

Values = dict[str, Any]


def build_own_data(player: Player, reader: User | AnonymousUser) -> bytes:
    """Return the file about a person and those merged into them. The mail address is for the person alone."""
    with snapshot():
        people = collect_merged(Player.objects.filter(club=player.club_id), player)
        ids = {one.pk for one in people}
        document = {
            "stand": _format_time(timezone.now()),
            "club": player.club.name,
            "person": _build_person(player, people),
            "anmeldung": _build_login(player, reader),
            "anfangsstand": _list_openings(ids),
            "abende": _list_tables(ids),
            "zeilen": _list_lines(ids),
            "anwesenheit": _list_attendance(ids),
            "strafen": _list_fines(ids),
            "kasse": _list_legs(ids),
            "gemeldete_zahlungen": _list_reports(ids),
            "kassenstuerze": _list_counts(ids),
            "mitgliedsbeitrag": _list_dues(ids),
            "ausgleich": _list_settlements(ids),
            "nachzuegler": _list_late_entries(player, ids),
            "veroeffentlicht": _list_published(player, ids),
            "verlauf": _list_changes(player, ids),
        }
    return (json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1) + "\n").encode()


def _format_time(at: datetime.datetime) -> str:
    return timezone.localtime(at).isoformat(timespec="seconds")


def _build_person(player: Player, people: list[Player]) -> Values:
    return {
        **{key: getattr(player, name) for name, key in PLAYER_FIELDS.items() if key},
        "name_entfernt_am": player.erased_on,
        "auch_gefuehrt_als": [one.name for one in people if one.pk != player.pk],
    }


def _build_login(player: Player, reader: User | AnonymousUser) -> Values | None:
    if player.user is None:
        return None
    member = Membership.objects.filter(club=player.club_id, user=player.user).first()
    return {
        "name": player.user.get_username(),
        **({"e_mail": player.user.email} if reader == player.user else {}),
        "angelegt_am": _format_time(player.user.date_joined),
        "zuletzt_angemeldet_am": _format_time(player.user.last_login) if player.user.last_login else None,
        **{role.key: bool(member and getattr(member, name)) for name, role in ROLES.items()},
    }


def _list_openings(ids: Collection[int]) -> list[Values]:
    return [
        {
            "stand_vom": one.until,
            "einheit": str(one.get_unit_display()),
            "punkte": one.points,
            "abende": one.evenings,
            "spiele": one.games,
            "siege": one.wins,
            "soli": one.solos,
            "gewonnene_soli": one.solos_won,
        }
        for one in OpeningStanding.objects.filter(player__in=ids).order_by("until", "pk")
    ]


def _list_tables(ids: Collection[int]) -> list[Values]:
    results = TableResult.objects.filter(player__in=ids).select_related("table__evening", "table__rule_set")
    sums = {one.table: one for one in results}
    seats = Seat.objects.filter(player__in=ids).select_related("round__table__evening", "round__table__rule_set")
    tables = {*sums, *(seat.round.table for seat in seats)}
    figures = {"spiele": "games", "punkte": "points", "siege": "wins"}
    figures |= {"soli": "solos", "gewonnene_soli": "solos_won", "punkte_aus_soli": "solo_points"}
    found = []
    for table in sorted(tables, key=lambda table: (table.evening.held_on, table.evening_id, table.number)):
        result = sums.get(table)
        found.append(
            {
                "datum": table.evening.held_on,
                "ort": table.evening.place,
                "tisch": table.number,
                "regelwerk": str(table.rule_set),
                "einheit": str(table.rule_set.get_unit_display()),
                "ohne_einzelne_spiele": table.without_games,
                **{german: getattr(result, name) if result else 0 for german, name in figures.items()},
            }
        )
    return found


def _list_attendance(ids: Collection[int]) -> list[Values]:
    rows = Attendance.objects.filter(player__in=ids).select_related("evening")
    return [
        {
            "datum": row.evening.held_on,
            "als_gast": row.guest,
            "gefehlt": str(row.get_absence_display()) if row.absence else "",
            "mitgebracht": row.brought_by_id is not None,
            "gastgeber": row.evening.host_id in ids,
            "getraenke": row.drinks,
        }
        for row in rows.order_by("evening__held_on", "evening", "place")
    ]


def _list_fines(ids: Collection[int]) -> list[Values]:
    fines = Fine.objects.filter(player__in=ids).select_related("evening")
    return [
        {
            "datum": fine.evening.held_on,
            "strafe": fine.code,
            str(fine.get_unit_display()).lower(): fine.amount,
            "gestrichen": fine.struck,
            "wartet": fine.waits,
            "eingetragen_am": _format_time(fine.entered_at),
        }
        for fine in fines.order_by("evening__held_on", "entered_at", "key")
    ]


def _list_lines(ids: Collection[int]) -> list[Values]:
    scores = Score.objects.filter(player__in=ids).select_related("game__round__table__evening")
    evening = "game__round__table__evening"
    numbers = _number_lines({score.game.round.table_id for score in scores})
    return [
        {
            "datum": score.game.round.table.evening.held_on,
            "tisch": score.game.round.table.number,
            "zeile": numbers[score.game_id],
            "art": str(score.game.get_form_display()),
            "punkte": score.points,
            "partei": score.party,
            "gespielt": score.played,
            "gewonnen": score.won,
            "solo": score.solo,
            "bemerkung": score.game.note,
            "grund": score.game.facts.get("reason", ""),
            "eingetragen_am": _format_time(score.game.entered_at),
        }
        for score in scores.order_by(
            f"{evening}__held_on", evening, "game__round__table__number", "game__round__position", "game__position"
        )
    ]


def _number_lines(tables: Collection[int]) -> dict[Any, int]:
    numbers: dict[Any, int] = {}
    counted: dict[int, int] = defaultdict(int)
    games = Game.objects.filter(round__table__in=tables, deleted=False).order_by("round__position", "position")
    for key, table in games.values_list("key", "round__table"):
        counted[table] += 1
        numbers[key] = counted[table]
    return numbers


def _list_legs(ids: Collection[int]) -> list[Values]:
    """Return the legs on the accounts of the person, by day; a positive amount is a debt."""
    legs = Leg.objects.filter(account__player__in=ids, entry__number__isnull=False).select_related("entry")
    return [
        {
            "datum": leg.entry.date,
            "nummer": str(leg.entry),
            "art": leg.entry.kind_label,
            "wofuer": leg.kind,
            "cent": leg.cents,
            "grund": leg.entry.reason,
        }
        for leg in legs.order_by("entry__date", "entry__year", "entry__number", "kind")
    ]


def _list_reports(ids: Collection[int]) -> list[Values]:
    return [
        {
            "gemeldet_am": _format_time(report.reported_at),
            "datum": report.date,
            "cent": report.cents,
            "wie": str(report.get_box_display()),
            "notiz": report.note,
            "stand": str(report.get_state_display()),
            "grund": report.reason,
        }
        for report in Report.objects.filter(player__in=ids).order_by("reported_at", "pk")
    ]


def _list_counts(ids: Collection[int]) -> list[Values]:
    counts = CashCount.objects.filter(Q(counter__in=ids) | Q(witness__in=ids))
    return [
        {"gezaehlt_am": _format_time(count.counted_at), "als_zeuge": count.witness_id in ids}
        for count in counts.order_by("counted_at", "pk")
    ]


def _list_dues(ids: Collection[int]) -> list[Values]:
    rows = DuesStatus.objects.filter(player__in=ids).order_by("month", "pk")
    return [{key: _get_shown_value(row, name) for name, key in DUES_FIELDS.items()} for row in rows]


def _get_shown_value(row: Model, field: str) -> object:
    """Return the value of a field, a choice by its label."""
    get_label = getattr(row, f"get_{field}_display", None)
    return str(get_label()) if get_label else getattr(row, field)


def _list_settlements(ids: Collection[int]) -> list[Values]:
    lines = SettlementLine.objects.filter(Q(payer__in=ids) | Q(receiver__in=ids)).select_related("settlement")
    return [
        {"gemacht_am": _format_time(line.settlement.made_at), "zahlt": line.payer_id in ids, "cent": line.cents}
        for line in lines.order_by("settlement__made_at", "settlement", "place")
    ]


def _list_late_entries(player: Player, ids: Collection[int]) -> list[Values]:
    """Return the late entries of the person that wait or were discarded."""
    typed = Q(spoken_as__in=ids)
    if player.user_id:
        typed |= Q(entered_by=player.user_id)
    entries = LateEntry.objects.filter(typed, table__evening__club=player.club_id).select_related("table__evening")
    return [
        {
            "angekommen_am": _format_time(entry.arrived_at),
            "datum": entry.table.evening.held_on,
            "tisch": entry.table.number,
            "art": str(Game.Form(entry.form).label),
            "bemerkung": entry.note,
            "verworfen": entry.discarded,
        }
        for entry in entries.order_by("arrived_at", "key")
    ]


def _list_published(player: Player, ids: Collection[int]) -> list[Values]:
    of_club = {"season__club": player.club_id}
    found: list[Values] = []
    for closing in MonthClosing.objects.filter(**of_club).defer("file").select_related("season").order_by("pk"):
        about = {"saison": closing.season.name, "monat": closing.month, "fassung": closing.version}
        about["abgeschlossen_am"] = _format_time(closing.closed_at)
        found += [
            about
            | {"name": row["name"], "platz": row["rank"], "ergebnis_in_hundertsteln": row["result"]}
            | {"abende": row["evenings"], "spiele": row["games"]}
            for row in read_content(closing)["rows"]
            if row["player"] in ids
        ]
    for supplement in Supplement.objects.filter(**of_club).select_related("season").order_by("pk"):
        about = {"saison": supplement.season.name, "monat": supplement.month}
        about |= {"nachtrag_zu": supplement.about, "grund": supplement.reason}
        found += [
            about | {"name": line["name"], "unterschied_in_hundertsteln": line["difference"]}
            for line in read_content(supplement)["differences"]
            if line["player"] in ids
        ]
    return found


def _list_changes(player: Player, ids: set[int]) -> list[Values]:
    """Return the log entries by the person, with the login or a link, and about them, the latest last."""
    mine = Q(spoken_as__in=ids) | Q(verb__startswith="player.", subject_id__in=[str(pk) for pk in ids])
    if player.user_id:
        mine |= Q(actor=player.user_id) | Q(verb__startswith="member.", subject_id=str(player.user_id))
    named = [
        change.pk
        for change in Change.objects.filter(Q(verb__startswith="evening.") | Q(verb__startswith="table."), club=player.club_id)
        if not ids.isdisjoint([pk for side in (change.before, change.after) if side for pk in side.get("players", ())])
    ]
    pks = sorted({*named, *Change.objects.filter(mine, club=player.club_id).values_list("pk", flat=True)})
    found = []
    for start in range(0, len(pks), BATCH_SIZE):
        changes = list_changes(player.club).filter(pk__in=pks[start : start + BATCH_SIZE]).order_by("pk")
        found += [_build_change(change) for change in describe_changes(list(changes))]
    return found


def _build_change(description: ChangeDescription) -> Values:
    change = description.change
    return {
        "wann": _format_time(change.at),
        "wer": change.actor.get_username() if change.actor else str(change.spoken_as or ""),
        "was": description.done,
        "wen_oder_was": description.about,
        "wo": description.place,
        "im_einzelnen": [
            {"was": one["label"], "vorher": one["before"], "nachher": one["after"]} for one in description.differences
        ],
    }
