"""Decides that a finger gets what it taps: in the middle of every control of a page lies that control, or its label, in the other
engines as well."""

from __future__ import annotations

from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from tests.engines.phones import IS_SEEN, MIDDLE, Phone
from tests.factories import PASSWORD, Cast, add_game, make_table

# What lies over the middle of which control, and how many were looked at. Switched off, hidden and folded ones are not asked. Of a
# line of the sheet each cell leads to its page.
COVERED = f"""(within) => {{
    const [isSeen, middle] = [{IS_SEEN}, {MIDDLE}];
    const name = (one) => `${{one?.localName}} ${{one?.id || one?.className}} ${{one?.textContent.trim().slice(0, 20)}}`;
    const controls = ":is(a[href], button, input, select, textarea, summary, #rows td):not(.skip, :disabled, [type=hidden])";
    const covered = [];
    let count = 0;
    for (const one of document.querySelectorAll(`${{within}} ${{controls}}`)) {{
        const target = [one, ...(one.labels ?? [])].find(isSeen);
        if (!target) continue;
        count += 1;
        const there = document.elementFromPoint(...middle(target));
        const wanted = one.localName === "td" ? [one.closest("tr").querySelector("a")] : [one, ...(one.labels ?? [])];
        if (!wanted.some((part) => part.contains(there))) covered.push(`${{name(one)}}: ${{name(there)}}`);
    }}
    return [count, covered];
}}"""


def test_every_control_is_under_the_finger(phone: Phone, live_server: LiveServer, cast: Cast) -> None:
    table = make_table(cast.club)
    for _ in range(3):
        add_game(table)
    phone.log_in(live_server.url, cast.scorer.username, PASSWORD)
    phone.open(live_server.url + reverse("table", args=[cast.club.slug, table.pk]))
    count, covered = phone.ask(COVERED, "body")
    assert covered == []
    assert count > 40
