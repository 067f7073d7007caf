"""The pages about the people who play: one of them, two side by side, each with each, and merging two who are one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import attrgetter, or_
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.club.access import Access, Role, get_club, get_player, refuse_outsider
from scoring.club.models import Player
from scoring.club.queries import get_merge_target, list_merged_into, list_people
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused
from scoring.core.formats import NAME_ATTRS, fill_in_names, get_kind_label, mark_as_name
from scoring.core.names import name_key
from scoring.core.tables import paginate
from scoring.play.models import TableResult, YearCareer
from scoring.play.rules import Tally
from scoring.players import queries
from scoring.players.actions import merge_players, preview_merge, unmerge_player
from scoring.players.charts import draw_bars, draw_mean, draw_totals
from scoring.players.tables import (
    PlayerEveningsTable,
    build_announced_table,
    build_companions_table,
    build_compare_table,
    build_specials_table,
    build_stretches_table,
    build_tallies_table,
)
from scoring.rules import labels
from scoring.rulesets.texts.settings import get_special_name
from scoring.standings.forms import SelectionForm
from scoring.standings.queries.selection import Selection, list_openings_of_player
from scoring.standings.queries.standings import list_standings, read_choices

# Evenings on a page of the table.
EVENINGS_ON_PAGE = 12


class CompareForm(forms.Form):
    """The choice of another player with results."""

    def __init__(self, data: QueryDict | None, player: Player, access: Access) -> None:
        super().__init__(data)
        counted = Q(pk__in=YearCareer.objects.filter(club=player.club_id).values("player"))
        if access.member:
            running = TableResult.objects.filter(table__evening__club=player.club_id, table__evening__closed_at=None)
            counted |= Q(pk__in=running.values("player"))
        played = list_people(player.club).filter(counted)
        self.fields["other"] = other = _build_player_field(_("Daneben"), played.exclude(pk=player.pk))
        other.label_from_instance = lambda one: access.names.get(one.pk, one.name)  # type: ignore[assignment]  # as Django's pages say to do it


class MergeForm(forms.Form):
    def __init__(self, data: QueryDict | None, player: Player) -> None:
        super().__init__(data)
        people = list_people(player.club).filter(erased_on=None).exclude(pk=player.pk)
        self.fields["into"] = _build_player_field(_("Ist dieselbe Person wie"), people)


def _build_player_field(label: str, people: QuerySet[Player]) -> forms.ModelChoiceField[Player]:
    widget = forms.Select(attrs={"class": "form-select"} | NAME_ATTRS)
    return forms.ModelChoiceField(people, label=label, empty_label=_("– wählen –"), widget=widget)


def _get_listed_player(request: HttpRequest, slug: str, pk: int) -> tuple[Player, Access]:
    """Return a player with the name that the reader sees. Strangers get 404 for players who are on no list."""
    player, access = get_player(request, slug, pk, Role.LIST)
    if not access.member and not player.merged_into_id and not queries.is_listed(player, closed_only=True):
        refuse_outsider(request)
    access.names.apply_to([player])
    return player, access


@require_safe
def player(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = _get_listed_player(request, slug, pk)
    if player.merged_into_id:
        return redirect("player", slug, get_merge_target(player).pk)
    with snapshot():
        life = queries.read_lives([player], request.GET.get("unit"), closed_only=not access.member)[0]
        companions = queries.read_companions(life)
        openings = list_openings_of_player(player)
        stretches = queries.list_stretches(life)
        listed = list_standings(access.club, Selection(unit=life.unit, closed_only=not access.member)) if life.evenings else []
    access.names.apply_to(companion for companion, _together, _against in companions)
    parties = [(_(labels.PARTIES[party]), tally) for party, tally in life.career.parties.items() if tally.games]
    solos = _sort_by_kind(life.career.solos, life.own["kinds"])
    specials = _sort_by_count(life.career.specials, life.own["specials"])
    context = {
        "access": access,
        "section": "standings",
        "player": player,
        "life": life,
        "lives": [life],
        "listed": listed,
        "rank": next((row.rank for row in listed if row.player_id == player.pk), None),
        "companions": build_companions_table(companions, slug, life.unit),
        "openings": openings,
        "with_openings": life.points + sum(one.points for one in openings if one.unit == life.unit),
        "partners": _list_partners(companions),
        "enough": queries.MIN_GAMES_TOGETHER,
        "latest_stretch": stretches[0] if len(stretches) > 1 else None,
        "stretches": build_stretches_table(stretches, slug, life.unit),
        "merged": list_merged_into(player) if access.admin else (),
        "has_more": access.admin or access.member and (player.user_id or player.by_initial),
        "totals": draw_totals([life]),
        "mean": draw_mean(life),
        "evenings": _build_evenings_table(request, [life]),
        "bars": draw_bars(life.form),
        "compare_form": CompareForm(None, player, access),
        "parties": parties,
        "parties_table": build_tallies_table(_("Partei"), parties, life.unit),
        "kinds_table": build_tallies_table(_("Spielart"), _sort_by_kind(life.career.kinds, life.own["kinds"]), life.unit),
        "solos": solos,
        "solos_table": build_tallies_table(_("Solo"), solos, life.unit),
        "specials": specials,
        "specials_table": build_specials_table(specials),
        "announced": build_announced_table(life.career.announced),
    }
    return render(request, "scoring/players/player.html", context)


@require_safe
def compare(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Compare two players; without a valid second one, show the choice."""
    player, access = _get_listed_player(request, slug, pk)
    if player.merged_into_id:
        return redirect("compare", slug, get_merge_target(player).pk)
    form = CompareForm(request.GET if "other" in request.GET else None, player, access)
    context = {"access": access, "section": "standings", "player": player, "compare_form": form}
    if form.is_valid():
        with snapshot():
            lives = queries.read_lives([player, form.cleaned_data["other"]], request.GET.get("unit"), not access.member)
        access.names.apply_to(life.player for life in lives)
        tallies = lives[0].mates.get(lives[1].player.pk, (Tally(), Tally()))
        pairs = zip((_("zusammen"), _("gegeneinander")), tallies, strict=True)
        context |= {
            "lives": lives,
            "life": lives[0],
            "totals": draw_totals(lives),
            "evenings": _build_evenings_table(request, lives),
            "compared": build_compare_table(lives),
            "pair": build_tallies_table(_("Spiele der beiden"), [pair for pair in pairs if pair[1].games], lives[0].unit),
        }
    return render(request, "scoring/players/compare.html", context)


def _build_evenings_table(request: HttpRequest, lives: Sequence[queries.Life]) -> PlayerEveningsTable:
    results = [{one.evening: one for one in life.evenings} for life in lives]
    latest = sorted(reduce(or_, results).values(), key=attrgetter("day", "evening"), reverse=True)
    table = PlayerEveningsTable(latest, lives)

    def read_results(page: Sequence[queries.EveningSum]) -> list[dict[str, Any]]:
        return [
            {"evening": one.evening, "held_on": one.held_on, "results": [of_player.get(one.evening) for of_player in results]}
            for one in page
        ]

    paginate(table, request, EVENINGS_ON_PAGE, read_results)
    return table


def _list_partners(companions: Sequence[queries.Companion]) -> list[tuple[str, Player, Tally]]:
    """Return the best and the worst partner, each with its heading; empty if there are too few games."""
    tallies = {companion: together for companion, together, _against in companions}
    found = queries.find_partners(tallies)
    names = (_("Am besten zusammen mit"), _("Am schlechtesten zusammen mit"))
    return [(name, partner, tallies[partner]) for name, partner in zip(names, found, strict=True)] if found else []


def _sort_by_kind(tallies: Mapping[str, Tally], own: Mapping[str, str]) -> list[tuple[str, Tally]]:
    """Return the tallies by label in the order of the rules; kinds of the club's own follow, the unknown kind is last."""
    return [(get_kind_label(code, own), tallies[code]) for code in dict.fromkeys([*labels.KINDS, *own, ""]) if code in tallies]


def _sort_by_count(specials: Mapping[str, Sequence[int]], own: Mapping[str, str]) -> list[tuple[str, int, int]]:
    """Return label, count and games of special points, the most frequent first."""
    named = [(get_special_name(code, own), count, games) for code, (count, games) in specials.items()]
    return sorted(named, key=lambda one: (-one[1], name_key(one[0])))


@require_safe
def matrix(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the games of each pair of players together; `?against=1`: against each other."""
    access = get_club(request, slug, Role.LIST)
    with snapshot():
        form = SelectionForm(request.GET, choices=read_choices(access.club, closed_only=not access.member))
        # Players who have only an opening balance have played with no other player.
        rows = list_standings(access.club, form.selection, openings=())
        found, together, apart = queries.read_matrix(access.club, form.selection, [row.player_id for row in rows])
    people = sorted(access.names.apply_to(found), key=lambda player: (player.name_key, player.pk))
    against = "against" in request.GET
    tallies = apart if against else together
    context = {
        "access": access,
        "section": "standings",
        "form": form,
        "against": against,
        "people": people,
        "rows": [(one, [tallies.get((one.pk, other.pk)) for other in people]) for one in people],
    }
    return render(request, "scoring/players/matrix.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_player(request, slug, pk, Role.ADMIN)
    if player.merged_into_id:
        return redirect("player", slug, get_merge_target(player).pk)
    data = request.POST if request.method == "POST" else request.GET if "into" in request.GET else None
    form = MergeForm(data, player=player)
    context = {"access": access, "section": "more", "player": player, "form": form}
    if not form.is_valid():
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
        status = refused.status if request.method == "POST" else 200
        return render(request, "scoring/players/merge.html", context, status=status)
    return render(request, "scoring/players/merge.html", context)


@require_POST
def unmerge(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    player, access = get_player(request, slug, pk, Role.ADMIN)
    try:
        into = unmerge_player(player=player, actor=access.actor)
    except ActionRefused as refused:
        messages.warning(request, str(refused))
        return redirect("player", slug, get_merge_target(player).pk)
    sentence = _("%(name)s und %(into)s sind wieder zwei Personen.")
    messages.success(request, fill_in_names(sentence, name=mark_as_name(player), into=mark_as_name(into)))
    return redirect("player", slug, player.pk)
