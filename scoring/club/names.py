"""What people are called for each reader. A stranger reads the initial of everybody who wants that; a reader of the club reads
all names. Every name goes through `Names` on its way to a page that strangers may open. Where people stand in a row, each is an
initial in a colour of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.club.models import Club, Player
from scoring.core.names import name_key
from scoring.core.text import text_key


@dataclass(frozen=True)
class Names:
    """What people are called for one reader: `instead` of their names, by id. `whole`: the reader belongs to the club."""

    whole: bool = True
    instead: Mapping[int, str] = field(default_factory=dict)

    def get(self, player: int, name: str) -> str:
        return self.instead.get(player, name)

    def apply_to(self, people: Iterable[Player]) -> list[Player]:
        """The people as the reader knows them; they are read only, and never saved after this."""
        found = list(people)
        for player in found:
            player.name = self.get(player.pk, player.name)
            player.name_key = name_key(player.name)
        return found


def get_names_for_strangers(club: Club) -> Names:
    """The initials of whoever wants to be read by strangers only so, with everybody who turned out to be them. One query."""
    people = Player.objects.filter(club=club).values_list("pk", "name", "by_initial", "merged_into")
    rows = {pk: (name, by_initial, into) for pk, name, by_initial, into in people}
    instead = {}
    for player in rows:
        into: int | None = player
        hidden = False
        while into is not None:
            name, by_initial, into = rows[into]
            hidden = hidden or by_initial
        if hidden:
            instead[player] = get_initial(name)
    return Names(whole=False, instead=instead)


# So many colours the stylesheet has for people: .p0 and so on.
COLORS = 12


def get_color_class(player: int, name: str) -> str:
    """The class of somebody's colour, the same for good. Who is an initial has none: it would tell two of them apart."""
    return "" if name == get_initial(name) else f"p{player % COLORS}"


def build_letters(people: Mapping[int, str]) -> dict[int, str]:
    """What stands for everybody in a row: their initial, with the first letter in which they differ where others share it."""
    alike: dict[str, list[str]] = {}
    for name in people.values():
        alike.setdefault(name[:1].upper(), []).append(name)
    return {player: _build_letters_of(name, alike[name[:1].upper()]) for player, name in people.items()}


def _build_letters_of(name: str, alike: Sequence[str]) -> str:
    if len(alike) < 2:
        return name[:1].upper()
    differs = (
        at
        for at in range(1, len(name))
        if name[at].isalnum() and sum(text_key(other[: at + 1]) == text_key(name[: at + 1]) for other in alike) == 1
    )
    at = next(differs, 1)
    return name[:1].upper() + name[at : at + 1]


def get_initial(name: str) -> str:
    """„A.“ for Anna and for Armin: who wants to be an initial is not told apart by more of the name."""
    return f"{name[:1].upper()}."
