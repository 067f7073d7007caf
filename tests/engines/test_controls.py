"""Decides that a finger gets what it taps: in the middle of every control of a page lies that control, or its label, in the other
engines as well."""

from __future__ import annotations

import pytest
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from scoring.models import Membership, Table
from scoring.play.queries import read_records
from tests.cash.kasse import make_kasse
from tests.cash.tariffs import give_tariff
from tests.effort import in_soak
from tests.engines.phones import IS_SEEN, REACH, Phone
from tests.factories import PASSWORD, Cast, add_game, make_table

# What lies over the middle of which control, and how many were looked at. Switched off, hidden and folded ones are not asked. Of a
# line of the sheet each cell leads to its page.
COVERED = f"""(within) => {{
    const [isSeen, reach] = [{IS_SEEN}, {REACH}];
    const name = (one) => `${{one?.localName}} ${{one?.id || one?.className}} ${{one?.textContent.trim().slice(0, 20)}}`;
    const controls = ":is(a[href], button, input, select, textarea, summary, #rows td):not(.skip, :disabled, [type=hidden])";
    const covered = [];
    let count = 0;
    for (const one of document.querySelectorAll(`${{within}} ${{controls}}`)) {{
        const target = [one, ...(one.labels ?? [])].find(isSeen);
        if (!target) continue;
        count += 1;
        const wanted = one.localName === "td" ? [one.closest("tr").querySelector("a")] : [one, ...(one.labels ?? [])];
        const {{ there, isReached }} = reach(target, wanted);
        if (!isReached) covered.push(`${{name(one)}}: ${{name(there)}}`);
    }}
    return [count, covered];
}}"""

# Where each fold stands: what the server says anew, like the costs, takes the same place.
FOLDS = f"""() => {{
    const place = (one) => one === document.body ? "body"
        : `${{place(one.parentElement)}} > :nth-child(${{[...one.parentElement.children].indexOf(one) + 1}})`;
    return [...document.querySelectorAll("summary")].filter({IS_SEEN}).map(place);
}}"""
# Nothing moves any more: a drawer rises. In a closed fold Firefox lets it wait for ever.
AT_REST = """() => document.getAnimations().every(
    ({ playState, effect }) => playState !== "running" || effect.target.closest("details:not([open])")
)"""


# Faces that do not stand in the middle above their name, or not as high as the others of their row.
CROOKED = """() => [...document.querySelectorAll(".offered .key > [data-i]")].flatMap((face) => {
    const [own, key] = [face, face.parentElement].map((one) => one.getBoundingClientRect());
    const isAside = Math.abs(own.left + own.width / 2 - key.left - key.width / 2) > 1;
    return isAside || own.top - key.top > 14 ? [`${key.top} ${own.top} ${face.parentElement.textContent}`] : [];
})"""
IS_SEEN_SAVE = f'() => ({IS_SEEN})(document.getElementById("save"))'
OFFERED = [f".beside [href$='{end}']" for end in ("#guest", "#leave", "penalty", "/cash/")]


def folded(phone: Phone) -> list[str]:
    """What lies over a control of a fold or of a panel, each opened by a tap."""
    covered = []
    for fold in phone.ask(FOLDS):
        phone.tap(fold)
        phone.wait_for("(fold) => document.querySelector(fold).parentElement.open", fold)
        phone.wait_for(AT_REST)
        covered += phone.ask(COVERED, "details[open]")[1]
        phone.ask("(fold) => { document.querySelector(fold).parentElement.open = false; }", fold)
    return covered


@pytest.fixture
def table(cast: Cast) -> Table:
    give_tariff(cast.club, drinks={"list": {"bier": 150}})
    table = make_table(cast.club, preset="anleitung")
    add_game(table)
    add_game(table, kind="damensolo", re=[2], eyes=140)
    add_game(table, re=[1, 3], eyes=100)
    return table


# All three play the evening in `make test`; the controls are looked at in the newer WebKit.
@pytest.mark.parametrize("phone", ["WebKitGTK", in_soak("WPE"), in_soak("Firefox")], indirect=True)
def test_every_control_is_under_the_finger(phone: Phone, live_server: LiveServer, cast: Cast, table: Table) -> None:
    club, evening = cast.club.slug, table.evening_id
    game = read_records(table).games[0]
    at_table = reverse("table", args=[club, table.pk])
    line = reverse("game", args=[club, table.pk, game.key])
    pages = [
        at_table,
        f"{line}#edit",
        reverse("result", args=[club, evening]),
        reverse("standings", args=[club]),
        reverse("evening_new", args=[club]),
        line,
    ]
    Membership.objects.filter(user=cast.scorer).update(treasurer=True)
    phone.log_in(live_server.url, cast.scorer.username, PASSWORD)
    found = {}
    for address in pages:
        phone.open(live_server.url + address)
        # WebKit knows a moment after the page what its address leads to.
        phone.wait_for("() => !location.hash || document.querySelector(':target') !== null")
        count, covered = phone.ask(COVERED, "body")
        assert count >= (5 if address == line else 10), address
        found[address] = [*covered, *folded(phone)]
    for panel in ("#solo-button", *OFFERED):
        phone.open(live_server.url + at_table)
        phone.tap(panel)
        phone.wait_for("() => document.querySelectorAll('.offered, #solos:not([hidden])').length")
        phone.wait_for(AT_REST)
        count, covered = phone.ask(COVERED, ":is(.offered, #solos)")
        assert count >= 3, panel
        found[panel] = [*covered, *phone.ask(CROOKED)]
        # Nothing lies below it that could be entered.
        assert phone.ask(IS_SEEN_SAVE) == (panel == "#solo-button")
    assert {place: covered for place, covered in found.items() if covered} == {}
    # A tap shows the choices of a register, and the next hides them.
    make_kasse(cast.club)
    seen = f"() => [...document.querySelectorAll('.in-place select')].filter({IS_SEEN}).length"
    statement = reverse("cash_statement", args=[club, cast.club.players.earliest("pk").pk])
    for address in (reverse("history", args=[club]), statement, reverse("cash_entries", args=[club])):
        phone.open(live_server.url + address)
        phone.wait_for("() => document.readyState === 'complete' && document.querySelector('.in-place') !== null")
        assert not phone.ask(seen), address
        phone.tap(".in-place .more", "Filter")
        phone.wait_for(seen)
        assert phone.ask(COVERED, ".in-place")[1] == [], address
        phone.tap(".in-place .more", "Filter")
        phone.wait_for(f"() => !({seen})()")
