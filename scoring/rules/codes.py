"""What everything is called in the facts: kinds of game, announcements, special points, zones and bands of the eyes, what
starts a Bock, and the fields of an entry. The same codes stand in the store, in the browser and in the archive.
"""

from __future__ import annotations

from typing import Final, Literal

Party = Literal["re", "kontra"]

PARTNER_KINDS: Final = ("normal", "hochzeit", "armut")
QUIET_SOLOS: Final = ("stille_hochzeit", "hochzeit_allein")
ANNOUNCED_SOLOS: Final = (
    "damensolo",
    "bubensolo",
    "koenigssolo",
    "fleischlos",
    "trumpfsolo",
    "farbsolo_kreuz",
    "farbsolo_pik",
    "farbsolo_herz",
    "damen_buben_solo",
    "asse_solo",
    "zehner_solo",
    "grossspiel",
)
SOLO_KINDS: Final = QUIET_SOLOS + ANNOUNCED_SOLOS
KINDS: Final = PARTNER_KINDS + SOLO_KINDS

SAID: Final = ("none", "said", "no90", "no60", "no30", "schwarz")
SAID_INDEX: Final = {said: index for index, said in enumerate(SAID)}

# How many of each special point one game can hold, both parties together.
SPECIALS: Final = {
    "fuchs": 2,
    "karlchen": 1,
    "karlchen_gefangen": 2,
    "doppelkopf": 4,
    "fuchs_am_ende": 1,
    "fuchs_am_ende_gefangen": 2,
    "dulle_gefangen": 2,
    "herzstich": 1,
}
# Only one card makes the last trick.
EXCLUSIVE: Final = frozenset({"karlchen", "fuchs_am_ende"})

# A result is one of these zones of Re's eyes. Inside a zone no rule set tells two games apart, so a band is as good
# as exact eyes. The last zone is 120:120 once more, for the rule that asks whose Ansage came last.
RE_NO_TRICK: Final = 0
RE_NO_EYES: Final = 1
TIE: Final = 6
KONTRA_NO_EYES: Final = 11
KONTRA_NO_TRICK: Final = 12
TIE_RE_LAST: Final = 13
ZONE_EYES: Final = (0, 0, 1, 30, 60, 90, 120, 121, 151, 181, 211, 240, 240, 120)
ZONES: Final = len(ZONE_EYES)
BANDS: Final = {
    "0": RE_NO_TRICK,
    "1-29": 2,
    "30-59": 3,
    "60-89": 4,
    "90-119": 5,
    "120": TIE,
    "121-150": 7,
    "151-180": 8,
    "181-210": 9,
    "211-239": 10,
    "240": KONTRA_NO_TRICK,
}
ALL_EYES: Final = 240
ZONE_OF_EYES: Final = (
    [RE_NO_TRICK]
    + [max(zone for zone in range(2, 11) if ZONE_EYES[zone] <= eyes) for eyes in range(1, ALL_EYES)]
    + [KONTRA_NO_TRICK]
)
BAND_OF_ZONE: Final = {zone: band for band, zone in BANDS.items()} | {
    RE_NO_EYES: "0",
    KONTRA_NO_EYES: "240",
    TIE_RE_LAST: "120",
}

_FRAME_FIELDS: Final = frozenset({"table", "dealer", "out", "rules", "starts_bock", "bock"})
PLAYED_ONLY: Final = frozenset(
    [
        "kind",
        "duty",
        "re",
        "eyes",
        "band",
        "no_trick",
        "re_said",
        "kontra_said",
        "last_said",
        "re_specials",
        "kontra_specials",
    ]
)
SHORT_ONLY: Final = frozenset({"winners", "base", "solo"})
PLAYED_FIELDS: Final = _FRAME_FIELDS | PLAYED_ONLY
SHORT_FIELDS: Final = _FRAME_FIELDS | SHORT_ONLY
FORMS: Final = ("played", "short", "penalty", "correction", "redeal")

# What can start a Bock, and after what the dealer stays.
TRIGGERS: Final = ("lost_announcement", "lost_solo", "tie_120", "herzstich", "zero_game", "schwarz", "manual")
DEAL_STAYS: Final = ("duty_solo", "lustsolo", "penalty", "redeal")

# How many people a table may have.
TABLES: Final = (4, 5, 6, 7, 8)
