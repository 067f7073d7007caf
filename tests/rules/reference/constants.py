"""The codes of facts and rule sets (sections 1, 9, 10 and 12)."""

from __future__ import annotations

from typing import Any

Line = dict[str, Any]
Settings = dict[str, Any]
Step = dict[str, Any]
Answer = dict[str, Any]

PARTNER_KINDS = ["normal", "hochzeit", "armut"]
QUIET_SOLOS = ["stille_hochzeit", "hochzeit_allein"]
FARBSOLI = ["farbsolo_kreuz", "farbsolo_pik", "farbsolo_herz"]
ANNOUNCED_SOLOS = [
    "damensolo", "bubensolo", "koenigssolo", "fleischlos", "trumpfsolo", *FARBSOLI,
    "damen_buben_solo", "asse_solo", "zehner_solo", "grossspiel",
]  # fmt: skip
ALL_KINDS = PARTNER_KINDS + QUIET_SOLOS + ANNOUNCED_SOLOS
# Words that hold for many kinds; `duty` is a game entered as Pflichtsolo.
GROUP_WORDS = ["partner", "solo", "quiet", "announced", "ramsch", "duty"]

MOST_SPECIALS = {
    "fuchs": 2, "karlchen": 1, "karlchen_gefangen": 2, "doppelkopf": 4, "fuchs_am_ende": 1,
    "fuchs_am_ende_gefangen": 2, "dulle_gefangen": 2, "herzstich": 1,
}  # fmt: skip
# A party has at most one of the first two; one of the four shows that it made the last trick.
EXCLUSIVE = ["karlchen", "fuchs_am_ende"]
OF_THE_LAST_TRICK = [*EXCLUSIVE, "karlchen_gefangen", "fuchs_am_ende_gefangen"]
# With `by_kind`: the words of solos in which all special points count, and those that count in a Farbsolo.
ORDINARY_TRUMPS = ["trumpfsolo", "quiet"]
IN_FARBSOLO = ["doppelkopf", "karlchen", "karlchen_gefangen"]
SPECIAL_COLUMNS = ["name", "points", "most", "most_party", "kinds", "of"]

SAID = ["none", "said", "no90", "no60", "no30", "schwarz"]
ABSAGEN = ["no90", "no60", "no30", "schwarz"]
LIMIT_OF = {"no90": 90, "no60": 60, "no30": 30, "schwarz": 0}
LIMIT_CODE = {90: "under_90", 60: "under_60", 30: "under_30", 0: "no_trick"}
AGAINST = {"no90": 120, "no60": 90, "no30": 60, "schwarz": 30}
OTHER = {"re": "kontra", "kontra": "re"}

# One number of eyes for each band.
BANDS = {
    "0": 0, "1-29": 15, "30-59": 45, "60-89": 75, "90-119": 105, "120": 120,
    "121-150": 135, "151-180": 165, "181-210": 195, "211-239": 225, "240": 240,
}  # fmt: skip

TRIGGERS = [
    "lost_announcement", "lost_solo", "tie_120", "herzstich", "zero_game", "schwarz", "manual",
    "lost_re", "lost_kontra", "both_said", "won_solo", "redeal",
]  # fmt: skip

EVERY_FORM = {"rules", "table", "dealer", "expect", "note"}
BOTH_FORMS = EVERY_FORM | {"out", "starts_bock", "bock"}
PLAYED_ONLY = {
    "kind", "duty", "re", "eyes", "band", "no_trick", "winner", "re_said", "kontra_said", "last_said",
    "re_specials", "kontra_specials", "game_specials",
}  # fmt: skip
SHORT_ONLY = {"winners", "base", "solo"}
SPECIAL_FIELDS = ["re_specials", "kontra_specials", "game_specials"]
