"""Everything that a club keeps about one person, as a JSON file with German keys: for themselves. Whom they played
with it does not say; of others it holds only what the history tells of what they did or changed."""

from __future__ import annotations

import datetime
import json
from collections import defaultdict
from collections.abc import Collection
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser, User
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q
from django.utils import timezone

from scoring.cash.models.beside import CashCount, Report
from scoring.cash.models.books import Leg
from scoring.cash.models.dues import DuesStatus
from scoring.cash.models.facts import Attendance, Fine
from scoring.cash.models.settling import SettlementLine
from scoring.club.models import Change, Membership, Player
from scoring.club.queries import collect_merged, list_changes
from scoring.club.texts import ChangeDescription, describe_changes
from scoring.core.database import snapshot
from scoring.league.models import MonthClosing, Supplement
from scoring.league.queries.books import read_content
from scoring.play.models import Game, Score, Seat, TableResult
from scoring.standings.models import OpeningStanding
from scoring.table.models import LateEntry

# How many rows of the history are put into sentences at once.
_AT_ONCE: Final = 500

Told = dict[str, Any]


def own_data(player: Player, reader: User | AnonymousUser) -> bytes:
    """The file about a person, with whoever was merged into them; one moment of the club. Their address of mail stands in it
    where the `reader` is themselves."""
    with snapshot():
        people = collect_merged(Player.objects.filter(club=player.club_id), player)
        ids = {one.pk for one in people}
        document = {
            "stand": _moment(timezone.now()),
            "club": player.club.name,
            "person": _person(player, people),
            "anmeldung": _login(player, reader),
            "anfangsstand": _opened(ids),
            "abende": _evenings(ids),
            "zeilen": _lines(ids),
            "anwesenheit": _attended(ids),
            "strafen": _fined(ids),
            "kasse": _booked(ids),
            "gemeldete_zahlungen": _reported(ids),
            "kassenstuerze": _counted(ids),
            "mitgliedsbeitrag": _dues(ids),
            "ausgleich": _settled(ids),
            "nachzuegler": _late(player, ids),
            "veroeffentlicht": _published(player, ids),
            "verlauf": _history(player, ids),
        }
    return (json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1) + "\n").encode()


def _moment(at: datetime.datetime) -> str:
    return timezone.localtime(at).isoformat(timespec="seconds")


def _person(player: Player, people: list[Player]) -> Told:
    return {
        "name": player.name,
        "gast": player.guest,
        "dabei_seit": player.joined_on,
        "ausgeschieden_am": player.left_on,
        "ruht_ab": player.rests_from,
        "ruht_bis": player.rests_until,
        "name_entfernt_am": player.erased_on,
        "auch_gefuehrt_als": [one.name for one in people if one.pk != player.pk],
    }


def _login(player: Player, reader: User | AnonymousUser) -> Told | None:
    if player.user is None:
        return None
    member = Membership.objects.filter(club=player.club_id, user=player.user).first()
    return {
        "name": player.user.get_username(),
        **({"e_mail": player.user.email} if reader == player.user else {}),
        "angelegt_am": _moment(player.user.date_joined),
        "zuletzt_angemeldet_am": _moment(player.user.last_login) if player.user.last_login else None,
        "schreibt": bool(member and member.scorer),
        "fuehrt_die_kasse": bool(member and member.treasurer),
        "verwaltet": bool(member and member.admin),
    }


def _opened(ids: Collection[int]) -> list[Told]:
    """What the person had before the first evening that is kept; null is what nobody knows."""
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


def _evenings(ids: Collection[int]) -> list[Told]:
    """Every table at which the person sat, with what it brought them; nothing where no game was played."""
    results = TableResult.objects.filter(player__in=ids).select_related("table__evening", "table__rule_set")
    sums = {one.table: one for one in results}
    seats = Seat.objects.filter(player__in=ids).select_related("round__table__evening", "round__table__rule_set")
    tables = {*sums, *(seat.round.table for seat in seats)}
    found = []
    for table in sorted(tables, key=lambda table: (table.evening.held_on, table.evening_id, table.number)):
        brought = sums.get(table)
        found.append(
            {
                "datum": table.evening.held_on,
                "ort": table.evening.place,
                "tisch": table.number,
                "regelwerk": str(table.rule_set),
                "einheit": str(table.rule_set.get_unit_display()),
                "ohne_einzelne_spiele": table.without_games,
                "spiele": brought.games if brought else 0,
                "punkte": brought.points if brought else 0,
                "siege": brought.wins if brought else 0,
                "soli": brought.solos if brought else 0,
                "gewonnene_soli": brought.solos_won if brought else 0,
                "punkte_aus_soli": brought.solo_points if brought else 0,
            }
        )
    return found


def _attended(ids: Collection[int]) -> list[Told]:
    """The evenings on whose list the person stands, and as what; whom they brought stands with those."""
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


def _fined(ids: Collection[int]) -> list[Told]:
    fines = Fine.objects.filter(player__in=ids).select_related("evening")
    return [
        {
            "datum": fine.evening.held_on,
            "strafe": fine.code,
            str(fine.get_unit_display()).lower(): fine.amount,
            "gestrichen": fine.struck,
            "wartet": fine.waits,
            "eingetragen_am": _moment(fine.entered_at),
        }
        for fine in fines.order_by("evening__held_on", "entered_at", "key")
    ]


def _lines(ids: Collection[int]) -> list[Told]:
    """Every line of a sheet that brought the person anything or that they played, in order."""
    scores = Score.objects.filter(player__in=ids).select_related("game__round__table__evening")
    evening = "game__round__table__evening"
    numbers = _numbers({score.game.round.table_id for score in scores})
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
            "eingetragen_am": _moment(score.game.entered_at),
        }
        for score in scores.order_by(
            f"{evening}__held_on", evening, "game__round__table__number", "game__round__position", "game__position"
        )
    ]


def _numbers(tables: Collection[int]) -> dict[Any, int]:
    """Which line of its sheet each one is."""
    numbers: dict[Any, int] = {}
    counted: dict[int, int] = defaultdict(int)
    games = Game.objects.filter(round__table__in=tables, deleted=False).order_by("round__position", "position")
    for key, table in games.values_list("key", "round__table"):
        counted[table] += 1
        numbers[key] = counted[table]
    return numbers


def _booked(ids: Collection[int]) -> list[Told]:
    """Every leg on the person's accounts, by day; what is above 0 they owed."""
    legs = Leg.objects.filter(account__player__in=ids, entry__number__isnull=False).select_related("entry")
    return [
        {
            "datum": leg.entry.date,
            "nummer": str(leg.entry),
            "art": str(leg.entry.get_kind_display()),
            "wofuer": leg.kind,
            "cent": leg.cents,
            "grund": leg.entry.reason,
        }
        for leg in legs.order_by("entry__date", "entry__year", "entry__number", "kind")
    ]


def _reported(ids: Collection[int]) -> list[Told]:
    """Payments that the person reported, whatever became of them."""
    return [
        {
            "gemeldet_am": _moment(report.reported_at),
            "datum": report.date,
            "cent": report.cents,
            "wie": str(report.get_box_display()),
            "notiz": report.note,
            "stand": str(report.get_state_display()),
            "grund": report.reason,
        }
        for report in Report.objects.filter(player__in=ids).order_by("reported_at", "pk")
    ]


def _counted(ids: Collection[int]) -> list[Told]:
    """When the person counted the box, or was the witness of it."""
    counts = CashCount.objects.filter(Q(counter__in=ids) | Q(witness__in=ids))
    return [
        {"gezaehlt_am": _moment(count.counted_at), "als_zeuge": count.witness_id in ids}
        for count in counts.order_by("counted_at", "pk")
    ]


def _dues(ids: Collection[int]) -> list[Told]:
    """From which month on the person pays how much of the dues."""
    rows = DuesStatus.objects.filter(player__in=ids).order_by("month", "pk")
    return [{"ab": row.month, "stufe": str(row.get_status_display())} for row in rows]


def _settled(ids: Collection[int]) -> list[Told]:
    """What the person was to pay or to get directly, where people settled among themselves."""
    lines = SettlementLine.objects.filter(Q(payer__in=ids) | Q(receiver__in=ids)).select_related("settlement")
    return [
        {"gemacht_am": _moment(line.settlement.made_at), "zahlt": line.payer_id in ids, "cent": line.cents}
        for line in lines.order_by("settlement__made_at", "settlement", "place")
    ]


def _late(player: Player, ids: Collection[int]) -> list[Told]:
    """What the person typed that came too late and is no line: it waits, or was discarded."""
    typed = Q(spoken_as__in=ids)
    if player.user_id:
        typed |= Q(entered_by=player.user_id)
    entries = LateEntry.objects.filter(typed, table__evening__club=player.club_id).select_related("table__evening")
    return [
        {
            "angekommen_am": _moment(entry.arrived_at),
            "datum": entry.table.evening.held_on,
            "tisch": entry.table.number,
            "art": str(Game.Form(entry.form).label),
            "bemerkung": entry.note,
            "verworfen": entry.discarded,
        }
        for entry in entries.order_by("arrived_at", "key")
    ]


def _published(player: Player, ids: Collection[int]) -> list[Told]:
    """What was published of the person: in each version of a month their row, in each supplement their difference."""
    of_club = {"season__club": player.club_id}
    found: list[Told] = []
    for closing in MonthClosing.objects.filter(**of_club).defer("file").select_related("season").order_by("pk"):
        about = {"saison": closing.season.name, "monat": closing.month, "fassung": closing.version}
        about["abgeschlossen_am"] = _moment(closing.closed_at)
        found += [
            about
            | {"name": row["name"], "platz": row["rank"], "ergebnis_in_hundertsteln": row["result"]}
            | {"abende": row["evenings"], "spiele": row["games"]}
            for row in read_content(closing)["rows"]
            if row["player"] in ids
        ]
    for told in Supplement.objects.filter(**of_club).select_related("season").order_by("pk"):
        about = {"saison": told.season.name, "monat": told.month, "nachtrag_zu": told.about, "grund": told.reason}
        found += [
            about | {"name": line["name"], "unterschied_in_hundertsteln": line["difference"]}
            for line in read_content(told)["differences"]
            if line["player"] in ids
        ]
    return found


def _history(player: Player, ids: set[int]) -> list[Told]:
    """What the person did, under their login or by the link of a table, and what was done about them, the latest last."""
    mine = Q(spoken_as__in=ids) | Q(verb__startswith="player.", subject_id__in=[str(pk) for pk in ids])
    if player.user_id:
        mine |= Q(actor=player.user_id) | Q(verb__startswith="member.", subject_id=str(player.user_id))
    named = [
        change.pk
        for change in Change.objects.filter(
            Q(verb__startswith="evening.") | Q(verb__startswith="table."), club=player.club_id
        )
        if not ids.isdisjoint([pk for side in (change.before, change.after) if side for pk in side.get("players", ())])
    ]
    pks = sorted({*named, *Change.objects.filter(mine, club=player.club_id).values_list("pk", flat=True)})
    found = []
    for start in range(0, len(pks), _AT_ONCE):
        changes = list_changes(player.club).filter(pk__in=pks[start : start + _AT_ONCE]).order_by("pk")
        found += [_told(change) for change in describe_changes(list(changes))]
    return found


def _told(told: ChangeDescription) -> Told:
    change = told.change
    return {
        "wann": _moment(change.at),
        "wer": change.actor.get_username() if change.actor else str(change.spoken_as or ""),
        "was": told.done,
        "wen_oder_was": told.about,
        "wo": told.place,
        "im_einzelnen": [{"was": one.label, "vorher": one.before, "nachher": one.after} for one in told.differences],
    }
