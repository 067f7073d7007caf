"""Five questions make a rule set: what each answer sets, which answers a rule set has given, and what one and the same game
is worth by each of them. What nobody is asked stays as it is in the preset that the answers are laid over."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Mapping, Sequence
from typing import Any, Final, NamedTuple

from scoring.rules.constants import ANNOUNCED_TRIGGERS, SPECIAL_PREFIX, SPECIALS
from scoring.rules.game_settings import PLAIN_BOCK
from scoring.rules.settings import DEFAULT, PRESETS, RuleSettings, get_preset_data
from scoring.rules.sheet import Line, LineResult, fold

Data = dict[str, Any]

LONGEST_KEY: Final = 30
_SPELT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})

# The preset whose answers are proposed.
PROPOSED: Final = "hausrunde" if "hausrunde" in PRESETS else DEFAULT

# What can be answered, question by question: code -> what it sets.
CARDS: Final[Mapping[str, tuple[int, bool]]] = {
    "nines": (48, False),
    "nines_armut": (48, True),
    "no_nines": (40, False),
    "no_nines_armut": (40, True),
}
RE_KONTRA: Final[Mapping[str, Data | None]] = {
    "add": {"add": 2},
    "add_one": {"add": 1},
    "times": {"times": 2},
    "none": None,
}
# `lost_announcement`.
LOST: Final[Mapping[str, Data | None]] = {
    "once": None,
    "double": {"times": 2, "when": "ansage"},
    "double_re": {"times": 2, "when": "re"},
}
# `solo_times` and `soloist_share`.
SOLO: Final[Mapping[str, tuple[int, int]]] = {"each": (1, 3), "times": (2, 1), "plain": (1, 1)}
# `duty_solo`: within how many rounds everybody plays one.
DUTY: Final[Mapping[str, Data | None]] = {"none": None, **{str(rounds): {"rounds": rounds} for rounds in range(1, 8)}}
WHEN: Final = ("before", "bock_only", "after")
# The Karlchen under this name: an answer beside the built-in special points.
CHARLIE: Final = "charlie"
# How often an own special point may come in one game.
MOST_OF_OWN: Final = 2
HERZSTICH: Final = f"{SPECIAL_PREFIX}herzstich"
# A Herzstich that only starts a Bock: one tap, and of no party.
_BARE_HERZSTICH: Final = {"points": 0, "of": "game"}
TRIGGERS: Final = (
    "lost_announcement",
    "lost_re",
    "lost_solo",
    "tie_120",
    HERZSTICH,
    "zero_game",
    "schwarz",
    "both_said",
    "redeal",
    "manual",
)
LENGTHS: Final = ("table", "4", "8")
# The highest level that goes with each; stacked it is the one that a rule set has anyway.
OVERLAPS: Final[Mapping[str, int]] = {"append": 1, "fill": 2, "stack": 8, "extend": 1, "ignore": 1}

_WON: Final = {"kind": "normal", "re": [0, 1], "eyes": 185}
_FOX: Final = {"kind": "normal", "re": [0, 1], "eyes": 155, "re_specials": {"fuchs": 1}}
_RE_SAID: Final = {"re_said": "said"}
_RE_LOST: Final = {"kind": "normal", "re": [0, 1], "eyes": 110, **_RE_SAID}
_KONTRA_LOST: Final = {"kind": "normal", "re": [0, 1], "eyes": 130, "kontra_said": "said"}
_ARMUT: Final = {"kind": "armut", "re": [0, 1], "eyes": 155}
_SOLO: Final = {"kind": "damensolo", "re": [0], "eyes": 155}
_SOLO_LOST: Final = {"kind": "damensolo", "re": [0], "eyes": 110}
_PLAIN: Final = {"kind": "normal", "re": [0, 1], "eyes": 125}
# More games than any Bock above lasts.
_GAMES: Final = 40


class Answers(NamedTuple):
    """What was answered: codes of the tables above; `specials` are built-in ones and CHARLIE, `own` the names of others, `text`
    what the house rules say without points."""

    cards: str
    re_kontra: str
    lost: str
    solo: str
    duty: str
    specials: Sequence[str]
    own: Sequence[str]
    text: str
    when: str
    triggers: Sequence[str]
    length: str
    overlap: str


def answers_of(settings: Data) -> Answers:
    """What a complete rule set answers; where it says what no answer does, the first one."""
    bock = settings["bock"] or {**PLAIN_BOCK, "overlap": "fill"}
    share = 3 if settings["soloist_share"] == "opponents" else settings["soloist_share"]
    return Answers(
        cards=_code(CARDS, (settings["deck"], "armut" in settings["kinds"])),
        re_kontra=_code(RE_KONTRA, settings["re_kontra"]),
        lost=_code(LOST, settings["lost_announcement"]),
        solo=_code(SOLO, (settings["solo_times"], share)),
        duty=_code(DUTY, settings["duty_solo"]),
        specials=[
            CHARLIE if special == "karlchen" and _is_named(settings["specials"][special]) else special
            for special in SPECIALS
            if _counts(settings["specials"].get(special))
        ],
        own=[row["name"] for special, row in settings["specials"].items() if special not in SPECIALS],
        text=settings.get("text", ""),
        when=settings["specials_when"] if settings["specials_when"] in WHEN else WHEN[0],
        triggers=[HERZSTICH if trigger == "herzstich" else trigger for trigger in bock["triggers"]],
        length=str(bock["length"]) if str(bock["length"]) in LENGTHS else LENGTHS[0],
        overlap=bock["overlap"],
    )


def _counts(row: Data | int | None) -> bool:
    """Return whether a special point exists and is more than a reason for a Bock, which has 0 points."""
    return row is not None and (row["points"] if isinstance(row, Mapping) else row) != 0


def _is_named(row: Data | int) -> bool:
    return isinstance(row, Mapping) and "name" in row


def _code(answers: Mapping[str, Any], value: Any) -> str:
    return next((code for code, sets in answers.items() if sets == value), next(iter(answers)))


def settings_of(answers: Answers) -> Data:
    """The complete rule set: the proposed preset with the answers laid over it. An answer that the preset gives as well
    changes nothing of it. The rule set is judged where it is saved."""
    data = get_preset_data(PROPOSED)
    was = answers_of(data)
    if answers.cards != was.cards:
        data["deck"], armut = CARDS[answers.cards]
        data["kinds"] = [kind for kind in data["kinds"] if kind != "armut"]
        if armut:
            # Behind the other games for two.
            data["kinds"].insert(sum(kind in ("normal", "hochzeit") for kind in data["kinds"]), "armut")
    if answers.re_kontra != was.re_kontra:
        data["re_kontra"] = RE_KONTRA[answers.re_kontra]
    announced = data["re_kontra"] is not None
    if answers.lost != was.lost or not announced:
        data["lost_announcement"] = LOST[answers.lost] if announced else None
    if answers.duty != was.duty:
        data["duty_solo"] = DUTY[answers.duty]
    if answers.text != was.text:
        data["text"] = answers.text
    if answers.solo != was.solo:
        data["solo_times"], data["soloist_share"] = SOLO[answers.solo]
    if answers.when != was.when:
        data["specials_when"] = answers.when
    data["specials"] = _specials(answers, data["specials"])
    if HERZSTICH in answers.triggers:
        data["specials"].setdefault("herzstich", dict(_BARE_HERZSTICH))
    data["bock"] = _bock(answers._replace(triggers=_starting(answers)), was, data["bock"])
    return data


def _specials(answers: Answers, before: Data) -> Data:
    wanted = ["karlchen" if special == CHARLIE else special for special in answers.specials]
    kept = {special: before[special] for special in before if special in wanted}
    kept |= {special: 1 for special in wanted if not _counts(kept.get(special))}
    if CHARLIE in answers.specials:
        named = {special: name for special, name in _CHARLIES.items() if special in kept}
        kept |= {special: {"name": name, "points": 1} for special, name in named.items()}
    for name in answers.own:
        kept[key_of(name, {*SPECIALS, *kept})] = {"name": name, "points": 1, "most": MOST_OF_OWN}
    return kept


_CHARLIES: Final = {"karlchen": "Charlie", "karlchen_gefangen": "Charlie gefangen"}


def key_of(name: str, taken: Container[str]) -> str:
    """A key that nothing else has, as like the name as a key can be: März is maerz, and what is left of it Latin letters
    and digits."""
    spelt = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", name).lower().translate(_SPELT))
    plain = re.sub("[^a-z0-9]+", "_", spelt.encode("ascii", "ignore").decode()).lstrip("_0123456789")
    key = plain[:LONGEST_KEY].strip("_") or "eigen"
    found, number = key, 1
    while found in taken:
        number += 1
        found = f"{key[: LONGEST_KEY - len(str(number)) - 1]}_{number}"
    return found


def _bock(answers: Answers, was: Answers, before: Data | None) -> Data | None:
    if not answers.triggers:
        return None
    bock = dict(before) if before else {**PLAIN_BOCK, "overlap": was.overlap, "cap": OVERLAPS[was.overlap]}
    if answers.triggers != was.triggers:
        bock["triggers"] = list(answers.triggers)
    if answers.length != was.length:
        bock["length"] = answers.length if answers.length == "table" else int(answers.length)
    if answers.overlap != was.overlap:
        bock["overlap"], bock["cap"] = answers.overlap, OVERLAPS[answers.overlap]
    return bock


# --- What a game is then worth ----------------------------------------------------------------------------------------


def armut_worth(answers: Answers) -> int | None:
    """What an Armut brings each of Re, who win it with 155 eyes; None where there is none."""
    rules = _rules(answers)
    return _first(rules, _ARMUT).outcome.value if "armut" in rules.kinds else None


def announced_worth(answers: Answers) -> int:
    """Return what a game brings each of Re, won with 185 eyes, Re said if there are announcements."""
    return _first(_rules(answers), {**_WON, **_said(answers)}).outcome.value


def special_worth(answers: Answers) -> int:
    """Return what the sample game for `when` brings each of Re: with a special point, Re said and in a Bock if there is
    that, lost with 110 eyes where `loses_to_double`, else won with 155."""
    answers = answers._replace(specials=[*answers.specials, "fuchs"])
    game = {**_FOX, **_said(answers), **({"eyes": _RE_LOST["eyes"]} if loses_to_double(answers) else {})}
    if not has_bock(answers):
        return _first(_rules(answers), game).outcome.value
    return _first(_in_bock(answers), {**game, "bock": 1}).outcome.value


def has_bock(answers: Answers) -> bool:
    """Return whether any of the triggers can start a Bock."""
    return bool(_starting(answers))


def loses_to_double(answers: Answers) -> bool:
    """Return whether a lost announcement doubles a game, and an announcement that is won does not."""
    return answers.re_kontra in ("add", "add_one") and answers.lost != "once"


def _starting(answers: Answers) -> list[str]:
    """Return the triggers without those that wait for an announcement where there is none."""
    return [one for one in answers.triggers if answers.re_kontra != "none" or one not in ANNOUNCED_TRIGGERS]


def _said(answers: Answers) -> Data:
    return _RE_SAID if answers.re_kontra != "none" else {}


def lost_worths(answers: Answers) -> tuple[int, int] | None:
    """What a game costs each of Re, and each of Kontra, who announced it and lost with 110 eyes; None without announcements."""
    if answers.re_kontra == "none":
        return None
    rules = _rules(answers)
    return abs(_first(rules, _RE_LOST).outcome.value), abs(_first(rules, _KONTRA_LOST).outcome.value)


def lost_bocks(answers: Answers) -> tuple[int, ...]:
    """How many games of Bock follow a lost Re and a lost Kontra; without announcements a lost Damensolo alone."""
    rules = _rules(answers)
    games = [_SOLO_LOST] if answers.re_kontra == "none" else [_RE_LOST, _KONTRA_LOST]
    return tuple(_first(rules, game).bock_started for game in games)


def duty_games(answers: Answers, people: int) -> int | None:
    """How many games an evening has on which everybody plays the Pflichtsolo; None where there is none."""
    duty = DUTY[answers.duty]
    return people * duty["rounds"] + people if duty else None


def solo_worth(answers: Answers) -> tuple[int, int]:
    """What a Damensolo won with 155 eyes brings the soloist, and each opponent."""
    points = _first(_rules(answers), _SOLO).outcome.points
    return points[0], points[1]


def bock_worths(answers: Answers, people: int = 4, bocks: int = 3) -> list[int]:
    """What the games behind the first one bring that would bring 1, as long as there is Bock, where the first `bocks` games
    each start one."""
    line = [{**_PLAIN, "starts_bock": int(number < bocks)} for number in range(_GAMES)]
    played = fold([Line("played", people, people - 1, facts) for facts in line], _in_bock(answers))
    levels = [one.level for one in played]
    last = max((number for number, level in enumerate(levels) if level), default=0)
    return [one.outcome.value for one in played[1 : last + 1]]


def _rules(answers: Answers) -> RuleSettings:
    return RuleSettings.from_data(settings_of(answers))


def _in_bock(answers: Answers) -> RuleSettings:
    """The rules as answered, with a Bock that is started by hand."""
    return _rules(answers._replace(triggers=["manual"]))


def _first(rules: RuleSettings, facts: Data) -> LineResult:
    return fold([Line("played", 4, 3, facts)], rules)[0]
