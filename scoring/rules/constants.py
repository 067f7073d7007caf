"""The codes of facts and rule sets, the same in the database, the browser and the archive."""

from __future__ import annotations

import re
from typing import Final, Literal

Party = Literal["re", "kontra"]

PARTNER_KINDS: Final = ("normal", "hochzeit", "armut")
QUIET_SOLOS: Final = ("stille_hochzeit", "hochzeit_allein")
ANNOUNCED_SOLOS: Final = (
    *("damensolo", "bubensolo", "koenigssolo", "fleischlos", "trumpfsolo", "farbsolo_kreuz", "farbsolo_pik", "farbsolo_herz"),
    *("damen_buben_solo", "asse_solo", "zehner_solo", "grossspiel"),
)
SOLO_KINDS: Final = QUIET_SOLOS + ANNOUNCED_SOLOS
KINDS: Final = PARTNER_KINDS + SOLO_KINDS
# One plays against all others, but it is no solo. It is no built-in kind: a club's own kind can be like it.
RAMSCH: Final = "ramsch"
LIKE: Final = (*KINDS, RAMSCH)
# A word is a kind or a sort of games, which can have a row of settings (`per_kind`). `duty`: entered as Pflichtsolo.
SORTS: Final = ("partner", "solo", RAMSCH, "quiet", "announced", "duty")
WORDS: Final = (*KINDS, *SORTS)
OWN_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,29}")

SAID: Final = ("none", "said", "no90", "no60", "no30", "schwarz")
SAID_INDEX: Final = {said: index for index, said in enumerate(SAID)}
# The eyes that the opponents must stay below, by announced step; 0 is schwarz.
ABSAGE_EYES: Final = {"no90": 90, "no60": 60, "no30": 30, "schwarz": 0}

# The maximum count of each special point in a game, for both parties together.
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
# Who can earn a special point; one of the game belongs to no party.
SPECIAL_OF: Final = ("party", "re", "kontra", "game")
# The fields of an entry, and whose special points they take.
SPECIAL_FIELDS: Final = {"re_specials": ("party", "re"), "kontra_specials": ("party", "kontra"), "game_specials": ("game",)}
# Prefix of the step of a club's own special point, and of the trigger that a special point was entered.
SPECIAL_PREFIX: Final = "special:"
# Exclude each other: only one card makes the last trick.
EXCLUSIVE: Final = frozenset({"karlchen", "fuchs_am_ende"})
LAST_TRICK: Final = EXCLUSIVE | {"karlchen_gefangen", "fuchs_am_ende_gefangen"}
# With `specials_in_solo: by_kind` all special points count with the ordinary trumps (words), these in a Farbsolo, and only
# the Doppelkopf in other solos (document anleitung).
ORDINARY_TRUMPS: Final = frozenset({"trumpfsolo", "quiet"})
IN_FARBSOLO: Final = frozenset({"doppelkopf", "karlchen", "karlchen_gefangen"})

# A result is one of these zones. The first thirteen are ranges of Re's eyes in which all games have the same result, so a
# band is as good as exact eyes. Then follow the borders of the setting `re_limit_more` (so ZONE_EYES has the second lowest
# eyes of the ranges above them), and the games decided without eyes.
RE_NO_TRICK: Final = 0
RE_NO_EYES: Final = 1
TIE: Final = 6
KONTRA_NO_EYES: Final = 11
KONTRA_NO_TRICK: Final = 12
RE_AT_LIMIT: Final = {30: 13, 60: 14, 90: 15}
BY_HAND: Final = {"re": 16, "kontra": 17}
ZONE_EYES: Final = (0, 0, 1, 31, 61, 91, 120, 121, 151, 181, 211, 240, 240, 30, 60, 90, 240, 0)
ZONES: Final = len(ZONE_EYES)
# The number of a case is (re_said * 6 + kontra_said) * ZONES + zone, plus RE_LAST if both announced and Re was the last.
RE_LAST: Final = len(SAID) ** 2 * ZONES
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
    + [RE_AT_LIMIT.get(eyes) or max(zone for zone in range(2, 11) if ZONE_EYES[zone] <= eyes) for eyes in range(1, ALL_EYES)]
    + [KONTRA_NO_TRICK]
)
# Bands that are not exact enough if `re_limit_more` applies to their lowest eyes.
BANDS_AT_LIMIT: Final = {"30-59": 30, "60-89": 60, "90-119": 90}
BAND_OF_ZONE: Final = (
    {zone: band for band, zone in BANDS.items()}
    | {RE_AT_LIMIT[limit]: band for band, limit in BANDS_AT_LIMIT.items()}
    | {RE_NO_EYES: "0", KONTRA_NO_EYES: "240"}
)

_FRAME_FIELDS: Final = frozenset({"table", "dealer", "out", "rules", "starts_bock", "bock"})
PLAYED_ONLY: Final = frozenset(
    {"kind", "duty", "re", "eyes", "band", "no_trick", "re_said", "kontra_said", "last_said", "winner", *SPECIAL_FIELDS}
)
SHORT_ONLY: Final = frozenset({"winners", "base", "solo"})
PLAYED_FIELDS: Final = _FRAME_FIELDS | PLAYED_ONLY
SHORT_FIELDS: Final = _FRAME_FIELDS | SHORT_ONLY
FORMS: Final = ("played", "short", "penalty", "correction", "redeal")

ANNOUNCED_TRIGGERS: Final = ("lost_announcement", "lost_re", "lost_kontra", "both_said")
KIND_PREFIX: Final = "kind:"
TABLES: Final = (4, 5, 6, 7, 8)
