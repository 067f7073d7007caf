"""Decides that a finger gets what it taps: in the middle of every control of a page lies that control, or its label, in the other
engines as well."""

from __future__ import annotations

from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from tests.engines.phones import MIDDLE, Phone
from tests.factories import PASSWORD, Cast, add_game, make_table

# What lies over the middle of which control. What has no place or is switched off is not asked; what is folded is, once it is open.
COVERED = f"(within) => {{ const middle = {MIDDLE};" + """
    const name = (one) => one && `${one.localName} ${one.id || one.name || one.className} ${one.textContent.trim().slice(0, 20)}`;
    const isSeen = (one) => one.getClientRects().length && getComputedStyle(one).visibility === "visible"
        && one.getBoundingClientRect().width > 2 && !one.parentElement.closest("details:not([open]) > :not(summary)");
    const covered = [];
    let count = 0;
    const controls = ":is(a[href], button, input, select, textarea, summary, #rows td):not(.skip)";
    for (const one of document.querySelectorAll(`${within} ${controls}`)) {
        const label = one.labels?.[0];
        const target = isSeen(one) ? one : label;
        if (one.disabled || one.type === "hidden" || !target || !isSeen(target)) continue;
        const there = document.elementFromPoint(...middle(target));
        const wanted = one.localName === "td" ? [one.closest("tr").querySelector("a")] : [one, ...(one.labels ?? [])];
        count += 1;
        if (!wanted.some((part) => part.contains(there))) covered.push(`${name(one)}: ${name(there)}`);
    }
    return [count, covered];
}"""


def test_every_control_is_under_the_finger(phone: Phone, live_server: LiveServer, cast: Cast) -> None:
    table = make_table(cast.club)
    for _ in range(3):
        add_game(table)
    phone.log_in(live_server.url, cast.scorer.username, PASSWORD)
    phone.open(live_server.url + reverse("table", args=[cast.club.slug, table.pk]))
    count, covered = phone.ask(COVERED, "body")
    assert covered == []
    assert count > 40
