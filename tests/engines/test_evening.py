"""An evening as fingers tap it, in the other engines: log in, three games, undo, a correction, a guest, a page that is loaded again
while a game is half typed, no net and back, and a game that another phone enters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from scoring.models import Table
from scoring.play.queries import read_sheet
from tests.engines.phones import Phone
from tests.factories import PASSWORD, add_game, make_club, make_table, make_user
from tests.network import Net

ROWS = "(count) => document.querySelectorAll('#rows tr').length === count"
WAITING = "(count) => document.querySelectorAll('#rows .waiting').length === count"
# The page of the table has come back, and its scripts run.
SCRIPTED = "() => document.getElementById('solo-button')?.hidden === false"
MARKED = "(count) => document.querySelectorAll('#entry .tile input:checked').length === count"
TOTALS = """(wanted) => {
    const shown = [...document.querySelectorAll("#sheet [data-total]")].map((one) => Number(one.innerText.replace("−", "-")));
    return shown.join() === wanted.join();
}"""


@pytest.fixture
def net(live_server: LiveServer) -> Iterator[Net]:
    """A wire to the site that can be cut."""
    net = Net(live_server.url)
    yield net
    net.cut()


@contextmanager
def leaves(phone: Phone) -> Iterator[None]:
    """Wait until the page that is open now has been replaced and the scripts of the next one run."""
    phone.run("document.body.id = 'old'")
    yield
    phone.wait_for("() => document.body.id !== 'old'")
    phone.wait_for(SCRIPTED)


def mark(phone: Phone, names: Sequence[str]) -> None:
    for count, name in enumerate(names, 1):
        phone.tap("#entry .tile", name)
        phone.wait_for(MARKED, count)


def enter(phone: Phone, names: Sequence[str], said: str = "Gespeichert") -> None:
    mark(phone, names)
    phone.tap(".bands .pill", "121")
    phone.tap("#save")
    phone.expect("#live-steps", said)
    phone.wait_for(MARKED, 0)


def totals(table: Table) -> list[int]:
    return [total for _player, total in read_sheet(table).columns]


def test_an_evening(phone: Phone, live_server: LiveServer, net: Net, db: None) -> None:
    club = make_club()
    table = make_table(club)
    make_user("schorsch", club, ["scorer"])
    one, two, three, four = [seat.player.name for seat in table.rounds.get().seats.order_by("place")]
    phone.log_in(net.url, "schorsch", PASSWORD)
    phone.open(at_table := net.url + reverse("table", args=[club.slug, table.pk]))

    for count, names in enumerate([(one, two), (two, three), (three, four)], 1):
        enter(phone, names)
        phone.wait_for(ROWS, count)
    assert totals(table) == [-1, 1, 1, -1]
    phone.wait_for(TOTALS, totals(table))

    phone.tap("#undo-button")
    phone.wait_for(ROWS, 2)
    # At the button, or at the finger where the answer takes long.
    phone.expect("body", "Zurückgenommen")

    # The last cell of the first game: all of its row leads to its page.
    phone.tap("#rows tr:last-child td:last-child")
    phone.expect("h1", "Spiel 1")
    phone.tap("a[href='#edit']")
    phone.tap("#entry .bands .pill", "151")
    phone.tap("#save")
    phone.expect("#effects", "Das ändert sich")
    phone.tap("#save")
    phone.wait_for(TOTALS, [1, 3, -1, -3])
    assert totals(table) == [1, 3, -1, -3]

    phone.wait_for(SCRIPTED)
    phone.tap(".beside [href$='#guest']")
    phone.tap("#seating input")
    phone.type("Gustav")
    with leaves(phone):
        phone.tap("#seating .new-name .key")
    phone.expect("#entry .tiles", "Gustav")

    mark(phone, [one, four])
    with leaves(phone):
        phone.open(at_table)
    phone.wait_for(MARKED, 2)
    phone.expect("#live-steps", "Von vorhin, noch nicht eingetragen.")
    phone.tap("#drop")
    phone.wait_for(MARKED, 0)

    net.cut()
    enter(phone, [one, two], "wartet auf Versand")
    phone.wait_for(WAITING, 1)
    net.mend()
    phone.wait_for(WAITING, 0)
    phone.wait_for(ROWS, 3)

    add_game(table)
    phone.wait_for(ROWS, 4)
    phone.wait_for(TOTALS, totals(table))
    assert not phone.text(".unreached")
