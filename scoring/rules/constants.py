"""The codes that facts are written with: kinds of game, announcements, special points, zones and bands of the eyes,
triggers of the Bock, the fields of an entry, and the defaults of a rule set. Database, browser and archive use the same
codes."""

from __future__ import annotations

import re
from typing import Any, Final, Literal

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
# One against all others, yet no solo. Not a kind of its own: an own kind of a rule set is like it.
RAMSCH: Final = "ramsch"
LIKE: Final = (*KINDS, RAMSCH)
# The sorts of games that a word can mean besides a kind; `duty` is a game entered as Pflichtsolo.
SORTS: Final = ("partner", "solo", RAMSCH, "quiet", "announced", "duty")
WORDS: Final = (*KINDS, *SORTS)
# What a club may call the kinds and special points of its own.
OWN_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,29}")

SAID: Final = ("none", "said", "no90", "no60", "no30", "schwarz")
SAID_INDEX: Final = {said: index for index, said in enumerate(SAID)}
# What the opponents must stay under, by announced step; 0 is schwarz.
ABSAGE_EYES: Final = {"no90": 90, "no60": 60, "no30": 30, "schwarz": 0}

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
# The columns of the row of a special point, and who can earn it; what is of the game is nobody's.
SPECIAL_COLUMNS: Final = ("name", "points", "most", "most_party", "kinds", "of")
SPECIAL_OF: Final = ("party", "re", "kontra", "game")
# Where each can stand in an entry.
SPECIAL_FIELDS: Final = {
    "re_specials": ("party", "re"),
    "kontra_specials": ("party", "kontra"),
    "game_specials": ("game",),
}
# The code of the step of an own special point, and the trigger that it was entered, begin with this.
SPECIAL_PREFIX: Final = "special:"
# Only one card makes the last trick.
EXCLUSIVE: Final = frozenset({"karlchen", "fuchs_am_ende"})
LAST_TRICK: Final = EXCLUSIVE | {"karlchen_gefangen", "fuchs_am_ende_gefangen"}
# With `specials_in_solo: by_kind`: the ordinary trumps (words) count everything, a Farbsolo what its trumps allow, the
# rest the Doppelkopf alone (document anleitung).
ORDINARY_TRUMPS: Final = frozenset({"trumpfsolo", "quiet"})
IN_FARBSOLO: Final = frozenset({"doppelkopf", "karlchen", "karlchen_gefangen"})

# A result is one of these zones. The first thirteen are ranges of Re's eyes: inside one no rule set tells two games
# apart, so a band is as good as exact eyes. Then follow the eyes at which the setting `re_limit_more` draws its border
# (so ZONE_EYES names of the ranges above them the second lowest), and the games that are decided without eyes.
RE_NO_TRICK: Final = 0
RE_NO_EYES: Final = 1
TIE: Final = 6
KONTRA_NO_EYES: Final = 11
KONTRA_NO_TRICK: Final = 12
RE_AT_LIMIT: Final = {30: 13, 60: 14, 90: 15}
BY_HAND: Final = {"re": 16, "kontra": 17}
ZONE_EYES: Final = (0, 0, 1, 31, 61, 91, 120, 121, 151, 181, 211, 240, 240, 30, 60, 90, 240, 0)
ZONES: Final = len(ZONE_EYES)
# The number of a case of announcements and zone is (re_said * 6 + kontra_said) * ZONES + zone, and so much more where
# both parties said something and Re was the last.
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
    + [
        RE_AT_LIMIT.get(eyes) or max(zone for zone in range(2, 11) if ZONE_EYES[zone] <= eyes)
        for eyes in range(1, ALL_EYES)
    ]
    + [KONTRA_NO_TRICK]
)
# Bands whose lowest eyes only exact eyes tell apart, where that is asked.
BANDS_AT_LIMIT: Final = {"30-59": 30, "60-89": 60, "90-119": 90}
BAND_OF_ZONE: Final = (
    {zone: band for band, zone in BANDS.items()}
    | {RE_AT_LIMIT[limit]: band for band, limit in BANDS_AT_LIMIT.items()}
    | {RE_NO_EYES: "0", KONTRA_NO_EYES: "240"}
)

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
        "game_specials",
        "winner",
    ]
)
SHORT_ONLY: Final = frozenset({"winners", "base", "solo"})
PLAYED_FIELDS: Final = _FRAME_FIELDS | PLAYED_ONLY
SHORT_FIELDS: Final = _FRAME_FIELDS | SHORT_ONLY
FORMS: Final = ("played", "short", "penalty", "correction", "redeal")

# What can start a Bock; besides, `special:` with a special point and `kind:` with a word. After what the dealer stays.
TRIGGERS: Final = (
    "lost_announcement",
    "lost_solo",
    "tie_120",
    "herzstich",
    "zero_game",
    "schwarz",
    "manual",
    "lost_re",
    "lost_kontra",
    "both_said",
    "won_solo",
    "redeal",
)
# Those that wait for an announcement.
ANNOUNCED_TRIGGERS: Final = ("lost_announcement", "lost_re", "lost_kontra", "both_said")
KIND_PREFIX: Final = "kind:"
DEAL_STAYS: Final = ("duty_solo", "lustsolo", "penalty", "redeal")

# Settings that a rule set may leave out, and what it means then; the same of its Bock.
DEFAULTS: Final[dict[str, Any]] = {
    "per_kind": {},
    "decided": "eyes",
    "won_at_120": True,
    "re_limit_more": 0,
    "against": 1,
    "missed_absage": "loses",
    "cowardice": None,
    "lost_times": 1,
    "highest": None,
    "text": "",
}
BOCK_DEFAULTS: Final[dict[str, Any]] = {"factor": 2, "drawn": "doubled"}
# Settings that a row of `per_kind` may replace, and what only such a row says.
ROW_KEYS: Final = (
    "kontra_121",
    "tie_120",
    "schwarz_by",
    "won",
    "limits",
    "limit",
    "limit_counts",
    "re_kontra",
    "absage",
    "against_absage",
    "nobody_wins",
    "gegen_die_alten",
    "gegen_in",
    "gegen_when",
    "specials_when",
    "specials_in_solo",
    "solo_point",
    "lost_announcement",
    "soloist_share",
    "negative",
    "counting",
    "sitter",
    "special_payer",
    *(key for key in DEFAULTS if key not in ("per_kind", "text")),
)
ROW_ONLY: Final = ("times", "in_bock")
OWN_KIND: Final = ("name", "like")

# How many people a table may have.
TABLES: Final = (4, 5, 6, 7, 8)

# What the scripts that score are handed of all this, under `codes` of the rule set.
FOR_SCRIPTS: Final = {
    "partner": PARTNER_KINDS,
    "quiet": QUIET_SOLOS,
    "specials": SPECIALS,
    "said": SAID,
    "defaults": DEFAULTS,
    "bock": BOCK_DEFAULTS,
}
