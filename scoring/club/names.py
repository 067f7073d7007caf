"""Names of players as a reader may see them, and their letters and colors.
Every page that strangers may open gets its names from `Names`: they read only the initial of a player who wants that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.club.models import Club, Player
from scoring.core.names import name_key
from scoring.core.text import text_key


@dataclass(frozen=True)
class Names:
    """The names for one reader: `instead` has initials by player id, `whole` is true for members."""

    whole: bool = True
    instead: Mapping[int, str] = field(default_factory=dict)

    def get(self, player: int, name: str) -> str:
        return self.instead.get(player, name)

    def apply_to(self, people: Iterable[Player]) -> list[Player]:
        """Replace the names on these instances, which must not be saved afterwards."""
        players = list(people)
        for player in players:
            player.name = self.get(player.pk, player.name)
            player.name_key = name_key(player.name)
        return players


def get_names_for_strangers(club: Club) -> Names:
    """Return the initials of players who want that, and of all rows that were merged into theirs. One query."""
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


COLORS = 12  # the stylesheet has this many colors for people: .p0 and so on


def get_color_class(player: int, name: str) -> str:
    """Return the CSS class of a player's color. An initial has none: the color would tell two players apart."""
    return "" if name == get_initial(name) else f"p{player % COLORS}"


def build_letters(people: Mapping[int, str]) -> dict[int, str]:
    """Return one letter for each player (names by id), with a second one, in which they differ, for those who share the first."""
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
    """Return "A." for Anna as for Armin: an initial must not tell them apart."""
    return f"{name[:1].upper()}."
