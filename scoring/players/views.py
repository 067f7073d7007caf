"""The pages about the people who play: one of them, two side by side, each with each, and merging two who are one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import attrgetter, or_

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.club.access import Access, Role, get_club, get_player, refuse_outsider
from scoring.club.models import Player
from scoring.club.queries import get_merge_target, list_merged_into
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.formats import (
    fill_in_names,
    format_mean,
    format_percent,
    format_points,
    format_signed,
    get_kind_label,
    mark_as_name,
)
from scoring.core.names import name_key
from scoring.core.tables import paginate
from scoring.play.rules import SpecialTally, Streak, Tally
from scoring.players.actions import merge_players, part_player, preview_merge
from scoring.players.charts import draw_form, draw_mean, draw_ways
from scoring.players.forms import BesideForm, MergeForm
from scoring.players.queries import (
    ENOUGH_TOGETHER,
    Companion,
    EveningSum,
    Life,
    between,
    is_listed,
    partners,
    read_companions,
    read_lives,
    read_matrix,
    stretches_of,
)
from scoring.players.tables import EveningFigures, WaysTable
from scoring.rules import labels
from scoring.rulesets.models import RuleSet
from scoring.standings.forms import SelectionForm
from scoring.standings.queries.selection import Selection, openings_with
from scoring.standings.queries.standings import choices, standings
from scoring.standings.tables import NOTHING

# So many evenings stand on a page of their figures.
ON_A_PAGE = 12


def _listed(request: HttpRequest, slug: str, pk: int) -> tuple[Player, Access]:
    """Somebody of the club, as the reader knows them. To strangers nobody is there who is not on a list."""
    player, access = get_player(request, slug, pk, Role.LIST)
    if not access.member and not player.merged_into_id and not is_listed(player, closed_only=True):
        refuse_outsider(request)
    access.names.apply_to([player])
    return player, access


@require_safe
def player(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = _listed(request, slug, pk)
    if player.merged_into_id:
        return redirect("player", slug, get_merge_target(player).pk)
    with snapshot():
        life = read_lives([player], request.GET.get("unit"), closed_only=not access.member)[0]
        companions = read_companions(life)
        openings = openings_with(player)
        stretches = stretches_of(life)
        listed = standings(access.club, Selection(unit=life.unit, closed_only=not access.member)) if life.evenings else []
    access.names.apply_to(one.player for one in companions)
    context = {
        "access": access,
        "section": "standings",
        "player": player,
        "life": life,
        "lives": [life],
        "listed": listed,
        "rank": next((row.rank for row in listed if row.player_id == player.pk), None),
        "companions": companions,
        "openings": openings,
        "with_openings": life.points + sum(one.points for one in openings if one.unit == life.unit),
        "partners": _partners(companions),
        "enough": ENOUGH_TOGETHER,
        "stretches": stretches if len(stretches) > 1 else [],
        "merged": list_merged_into(player) if access.admin else (),
        "has_more": access.admin or access.member and (player.user_id or player.by_initial),
        "ways": draw_ways([life]),
        "mean": draw_mean(life),
        "evenings": _evenings(request, [life]),
        "bars": draw_form(life.form),
        "beside": BesideForm(None, player, access),
        "parties": [(_(labels.PARTIES[party]), tally) for party, tally in life.career.parties.items() if tally.games],
        "kinds": _by_kind(life.career.kinds, life.own.kinds),
        "solos": _by_kind(life.career.solos, life.own.kinds),
        "specials": _by_count(life.career.specials, life.own.specials),
        "announced": [one for one in life.career.announced.values() if one.kept or one.missed],
    }
    return render(request, "scoring/players/player.html", context)


@require_safe
def beside(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Two people in the same figures; without the second one, or with one whom the club does not have, the choice."""
    player, access = _listed(request, slug, pk)
    if player.merged_into_id:
        return redirect("beside", slug, get_merge_target(player).pk)
    form = BesideForm(request.GET if "other" in request.GET else None, player, access)
    context = {"access": access, "section": "standings", "player": player, "beside": form}
    if form.is_valid():
        with snapshot():
            lives = read_lives([player, form.cleaned_data["other"]], request.GET.get("unit"), not access.member)
        access.names.apply_to(life.player for life in lives)
        mate = between(*lives)
        context |= {
            "lives": lives,
            "life": lives[0],
            "ways": draw_ways(lives),
            "evenings": _evenings(request, lives),
            "compared": _figures(lives),
            "mate": mate,
            "pair": [
                (name, tally)
                for name, tally in ((_("zusammen"), mate.together), (_("gegeneinander"), mate.against))
                if tally.games
            ],
        }
    return render(request, "scoring/players/beside.html", context)


def _evenings(request: HttpRequest, lives: Sequence[Life]) -> WaysTable:
    """The evenings of some people, the latest first, those of this page with what they brought everybody."""
    brought = [{one.evening: one for one in life.evenings} for life in lives]
    latest = sorted(reduce(or_, brought).values(), key=attrgetter("day", "evening"), reverse=True)
    table = WaysTable(latest, lives)

    def with_figures(page: Sequence[EveningSum]) -> list[EveningFigures]:
        return [EveningFigures(one.evening, one.held_on, [of.get(one.evening) for of in brought]) for one in page]

    paginate(table, request, ON_A_PAGE, with_figures)
    return table


def _partners(companions: Sequence[Companion]) -> list[tuple[str, Companion]]:
    """The person with whom somebody plays best, and the one with whom they play worst, each with its heading. Empty where
    there are too few games."""
    by_id = {one.player.pk: one for one in companions}
    found = partners({pk: one.mate for pk, one in by_id.items()})
    names = (_("Am besten zusammen mit"), _("Am schlechtesten zusammen mit"))
    return [(name, by_id[pk]) for name, pk in zip(names, found, strict=True)] if found else []


def _by_kind(tallies: Mapping[str, Tally], own: Mapping[str, str]) -> list[tuple[str, Tally]]:
    """By name, in the order of the rules, those of the club's own behind them; what is not known comes last."""
    return [(get_kind_label(code, own), tallies[code]) for code in dict.fromkeys([*labels.KINDS, *own, ""]) if code in tallies]


def _by_count(specials: Mapping[str, SpecialTally], own: Mapping[str, str]) -> list[tuple[str, SpecialTally]]:
    """By name, what was entered most first."""
    named = [(_(labels.special_name(code, own)), entered) for code, entered in specials.items()]
    return sorted(named, key=lambda one: (-one[1].count, name_key(one[0])))


def _figures(lives: Sequence[Life]) -> list[tuple[str, list[str]]]:
    """The same figures of both, each with its name."""
    rows: list[tuple[str, Callable[[Life], str]]] = [
        (_("Abende"), lambda life: str(len(life.played))),
        (_("Spiele"), lambda life: str(life.career.all.games)),
        (_("Cent") if lives[0].unit == RuleSet.Unit.CENTS else _("Punkte"), lambda life: format_points(life.points)),
        (_("Ø/Abend"), lambda life: format_mean(life.evening_average)),
        (_("Abendsiege"), lambda life: str(life.evenings_won)),
        (_("Ø/Spiel"), lambda life: format_mean(life.average)),
        (_("Siegquote"), lambda life: format_percent(life.career.all.win_rate)),
        (_("Siegquote als Re"), lambda life: format_percent(life.career.parties["re"].win_rate)),
        (_("Siegquote als Kontra"), lambda life: format_percent(life.career.parties["kontra"].win_rate)),
        (_("Soli: gewonnen / gespielt"), _solos),
        (_("Ansagen: gehalten / gemacht"), _kept),
        (_("Bester Abend"), lambda life: format_signed(life.best_evening.points if life.best_evening else None)),
        (_("Schlechtester Abend"), lambda life: format_signed(life.worst_evening.points if life.worst_evening else None)),
        (_("Bestes Spiel"), lambda life: format_signed(life.career.best.points if life.career.best else None)),
        (_("Teuerstes Spiel"), lambda life: format_signed(life.career.worst.points if life.career.worst else None)),
        (_("Meiste Siege in Folge"), lambda life: _length(life.career.won_longest)),
        (_("Meiste Niederlagen in Folge"), lambda life: _length(life.career.lost_longest)),
    ]
    return [(label, [figure(life) for life in lives]) for label, figure in rows]


def _solos(life: Life) -> str:
    solos = life.career.solos.values()
    return f"{sum(solo.wins for solo in solos)}/{sum(solo.games for solo in solos)}"


def _kept(life: Life) -> str:
    said = life.career.announced.values()
    return f"{sum(one.kept for one in said)}/{sum(one.kept + one.missed for one in said)}"


def _length(streak: Streak | None) -> str:
    return str(streak.length) if streak else NOTHING


@require_safe
def matrix(request: HttpRequest, slug: str) -> HttpResponse:
    """Who plays well with whom; `?against=1`: against whom."""
    access = get_club(request, slug, Role.LIST)
    with snapshot():
        form = SelectionForm(request.GET, choices=choices(access.club, closed_only=not access.member))
        # Who is in an opening balance alone has played with nobody here.
        rows = standings(access.club, form.selection, openings=())
        found = read_matrix(access.club, form.selection, [row.player_id for row in rows])
    people = sorted(access.names.apply_to(found.people), key=lambda player: (player.name_key, player.pk))
    against = "against" in request.GET
    context = {
        "access": access,
        "section": "standings",
        "form": form,
        "against": against,
        "people": people,
        "rows": [
            (one, [(found.against if against else found.together).get((one.pk, other.pk)) for other in people])
            for one in people
        ],
    }
    return render(request, "scoring/players/matrix.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_player(request, slug, pk, Role.ADMIN)
    if player.merged_into_id:
        return redirect("player", slug, get_merge_target(player).pk)
    asked = request.POST if request.method == "POST" else request.GET if "into" in request.GET else None
    form = MergeForm(asked, player=player)
    context = {"access": access, "section": "more", "player": player, "form": form}
    if not form.is_bound or not form.is_valid():
        return render(request, "scoring/players/merge.html", context, status=422 if request.method == "POST" else 200)
    into = form.cleaned_data["into"]
    try:
        if request.method == "POST":
            merge_players(player=player, into=into, actor=access.actor)
            done = fill_in_names(_("%(name)s wird jetzt als %(into)s geführt."), name=mark_as_name(player), into=mark_as_name(into))
            messages.success(request, done)
            return redirect("player", slug, into.pk)
        with snapshot():
            context |= {"into": into, "merge": preview_merge(player=player, into=into)}
    except ActionRefused as refused:
        context["refused"] = str(refused)
        return render(
            request, "scoring/players/merge.html", context, status=refused.status if request.method == "POST" else 200
        )
    return render(request, "scoring/players/merge.html", context)


@require_POST
def part(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_player(request, slug, pk, Role.ADMIN)
    try:
        into = part_player(player=player, actor=access.actor)
    except ActionRefused as refused:
        messages.warning(request, str(refused))
        return redirect("player", slug, get_merge_target(player).pk)
    sentence = _("%(name)s und %(into)s sind wieder zwei Personen.")
    parted = fill_in_names(sentence, name=mark_as_name(player), into=mark_as_name(into))
    messages.success(request, parted)
    return redirect("player", slug, player.pk)
