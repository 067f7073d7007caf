"""Make a rule set of the answers to five questions, and compute the sample games that explain the answers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Mapping, Sequence
from typing import Any, Final, NamedTuple

from scoring.rules.constants import ANNOUNCED_TRIGGERS, SPECIAL_PREFIX, SPECIALS
from scoring.rules.game_settings import PLAIN_BOCK
from scoring.rules.settings import DEFAULT, PRESETS, RuleSettings, get_preset_data
from scoring.rules.settings_schema import is_worth_points
from scoring.rules.sheet import Line, LineResult, fold
from scoring.rules.validation import _

Data = dict[str, Any]

LONGEST_KEY: Final = 30
_SPELT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})

PROPOSED: Final = "hausrunde" if "hausrunde" in PRESETS else DEFAULT


class Choice(NamedTuple):
    """An answer to a question: its label, and the value of the settings that it makes."""

    label: str
    value: Any


# The answers to each question by code. First the deck, and whether Armut exists.
CARDS: Final[Mapping[str, Choice]] = {
    "nines": Choice(_("Mit Neunen, ohne Armut"), (48, False)),
    "nines_armut": Choice(_("Mit Neunen und Armut"), (48, True)),
    "no_nines": Choice(_("Ohne Neunen, ohne Armut"), (40, False)),
    "no_nines_armut": Choice(_("Ohne Neunen, mit Armut"), (40, True)),
}
RE_KONTRA: Final[Mapping[str, Choice]] = {
    "add": Choice(_("Zwei Punkte dazu"), {"add": 2}),
    "add_one": Choice(_("Ein Punkt dazu"), {"add": 1}),
    "times": Choice(_("Jede Ansage verdoppelt"), {"times": 2}),
    "none": Choice(_("Keine Ansagen"), None),
}
# `lost_announcement`.
LOST: Final[Mapping[str, Choice]] = {
    "once": Choice(_("Zählt wie sonst"), None),
    "double": Choice(_("Zählt doppelt"), {"times": 2, "when": "ansage"}),
    "double_re": Choice(_("Nur ein verlorenes Re zählt doppelt"), {"times": 2, "when": "re"}),
}
# `solo_times` and `soloist_share`.
SOLO: Final[Mapping[str, Choice]] = {
    "each": Choice(_("Mit jedem abgerechnet"), (1, 3)),
    "times": Choice(_("Verdoppelt"), (2, 1)),
    "plain": Choice(_("Wie ein anderes Spiel"), (1, 1)),
}
# `duty_solo`: within how many rounds each player plays one.
DUTY: Final[Mapping[str, Choice]] = {
    "none": Choice(_("Keins"), None),
    **{str(rounds): Choice(str(rounds), {"rounds": rounds}) for rounds in range(1, 8)},
}
WHEN: Final = ("before", "bock_only", "after")
# An answer beside the built-in special points: the Karlchen under this name.
CHARLIE: Final = "charlie"
# The number of times that an own special point can be made in one game.
MOST_OF_OWN: Final = 2
HERZSTICH: Final = f"{SPECIAL_PREFIX}herzstich"
# A Herzstich that only starts a Bock: entered with one tap, for no party.
_BARE_HERZSTICH: Final = {"points": 0, "of": "game"}
TRIGGERS: Final = (
    *("lost_announcement", "lost_re", "lost_solo", "tie_120", HERZSTICH, "zero_game", "schwarz", "both_said", "redeal", "manual"),
)
LENGTHS: Final[Mapping[str, Choice]] = {
    "table": Choice(_("So viele Spiele, wie am Tisch sitzen"), "table"),
    "4": Choice(_("Vier Spiele"), 4),
    "8": Choice(_("Acht Spiele"), 8),
}
# The highest level for each; 8 is the default of a rule set.
OVERLAPS: Final[Mapping[str, Choice]] = {
    "append": Choice(_("Der zweite kommt hinten dran"), 1),
    "fill": Choice(_("Doppelbock, mehr nicht; der Rest kommt hinten dran"), 2),
    "stack": Choice(_("Beide zugleich, jeder verdoppelt noch einmal"), 8),
    "extend": Choice(_("Der laufende beginnt von vorn"), 1),
    "ignore": Choice(_("Der zweite zählt nicht"), 1),
}

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
    """The answers, as codes of the tables above. `specials` are built-in special points and CHARLIE, `own` the names of own ones,
    `text` house rules without points."""

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


def get_answers(settings: Data) -> Answers:
    """Return the answers that complete settings give. A setting that no answer matches becomes the first answer."""
    bock = settings["bock"] or {**PLAIN_BOCK, "overlap": "fill"}
    specials = settings["specials"]
    named = {special for special, row in specials.items() if isinstance(row, Mapping) and "name" in row}
    share = 3 if settings["soloist_share"] == "opponents" else settings["soloist_share"]
    return Answers(
        cards=_find_code(CARDS, (settings["deck"], "armut" in settings["kinds"])),
        re_kontra=_find_code(RE_KONTRA, settings["re_kontra"]),
        lost=_find_code(LOST, settings["lost_announcement"]),
        solo=_find_code(SOLO, (settings["solo_times"], share)),
        duty=_find_code(DUTY, settings["duty_solo"]),
        specials=[
            CHARLIE if special == "karlchen" and special in named else special
            for special in SPECIALS
            if special in specials and is_worth_points(specials[special])
        ],
        own=[row["name"] for special, row in specials.items() if special not in SPECIALS],
        text=settings.get("text", ""),
        when=settings["specials_when"] if settings["specials_when"] in WHEN else WHEN[0],
        triggers=[HERZSTICH if trigger == "herzstich" else trigger for trigger in bock["triggers"]],
        length=_find_code(LENGTHS, bock["length"]),
        overlap=bock["overlap"],
    )


def _find_code(choices: Mapping[str, Choice], value: Any) -> str:
    return next((code for code, choice in choices.items() if choice.value == value), next(iter(choices)))


def build_settings(answers: Answers) -> Data:
    """Return the proposed preset with those answers laid over it that differ from its own. The settings are not validated."""
    data = get_preset_data(PROPOSED)
    proposed = get_answers(data)
    if answers.cards != proposed.cards:
        data["deck"], armut = CARDS[answers.cards].value
        data["kinds"] = [kind for kind in data["kinds"] if kind != "armut"]
        if armut:
            # After the other partner games.
            data["kinds"].insert(sum(kind in ("normal", "hochzeit") for kind in data["kinds"]), "armut")
    if answers.re_kontra != proposed.re_kontra:
        data["re_kontra"] = RE_KONTRA[answers.re_kontra].value
    announced = data["re_kontra"] is not None
    if answers.lost != proposed.lost or not announced:
        data["lost_announcement"] = LOST[answers.lost].value if announced else None
    if answers.duty != proposed.duty:
        data["duty_solo"] = DUTY[answers.duty].value
    if answers.text != proposed.text:
        data["text"] = answers.text
    if answers.solo != proposed.solo:
        data["solo_times"], data["soloist_share"] = SOLO[answers.solo].value
    if answers.when != proposed.when:
        data["specials_when"] = answers.when
    data["specials"] = _build_specials(answers, data["specials"])
    if HERZSTICH in answers.triggers:
        data["specials"].setdefault("herzstich", dict(_BARE_HERZSTICH))
    data["bock"] = _build_bock(answers._replace(triggers=_list_possible_triggers(answers)), proposed, data["bock"])
    return data


def _build_specials(answers: Answers, before: Data) -> Data:
    wanted = ["karlchen" if special == CHARLIE else special for special in answers.specials]
    found = {special: before[special] for special in before if special in wanted}
    found |= {special: 1 for special in wanted if special not in found or not is_worth_points(found[special])}
    if CHARLIE in answers.specials:
        named = {special: name for special, name in _CHARLIES.items() if special in found}
        found |= {special: {"name": name, "points": 1} for special, name in named.items()}
    for name in answers.own:
        found[make_key(name, {*SPECIALS, *found})] = {"name": name, "points": 1, "most": MOST_OF_OWN}
    return found


_CHARLIES: Final = {"karlchen": "Charlie", "karlchen_gefangen": "Charlie gefangen"}


def make_key(name: str, taken: Container[str]) -> str:
    """Return a key of Latin letters and digits that resembles the name (März: maerz) and is not taken."""
    spelt = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", name).lower().translate(_SPELT))
    plain = re.sub("[^a-z0-9]+", "_", spelt.encode("ascii", "ignore").decode()).lstrip("_0123456789")
    key = plain[:LONGEST_KEY].strip("_") or "eigen"
    found, number = key, 1
    while found in taken:
        number += 1
        found = f"{key[: LONGEST_KEY - len(str(number)) - 1]}_{number}"
    return found


def _build_bock(answers: Answers, proposed: Answers, before: Data | None) -> Data | None:
    if not answers.triggers:
        return None
    bock = dict(before) if before else {**PLAIN_BOCK, "overlap": proposed.overlap, "cap": OVERLAPS[proposed.overlap].value}
    if answers.triggers != proposed.triggers:
        bock["triggers"] = list(answers.triggers)
    if answers.length != proposed.length:
        bock["length"] = LENGTHS[answers.length].value
    if answers.overlap != proposed.overlap:
        bock["overlap"], bock["cap"] = answers.overlap, OVERLAPS[answers.overlap].value
    return bock


def compute_armut_worth(answers: Answers) -> int | None:
    """Return what an Armut won with 155 eyes brings each of Re; None if there is no Armut."""
    rules = _parse_rules(answers)
    return _score(rules, _ARMUT).outcome.value if "armut" in rules.kinds else None


def compute_announced_worth(answers: Answers) -> int:
    """Return what a game won with 185 eyes brings each of Re, with Re announced if there are announcements."""
    return _score(_parse_rules(answers), {**_WON, **_get_announcement(answers)}).outcome.value


def compute_special_worth(answers: Answers) -> int:
    """Return what the sample game of `when`, which has a special point, brings each of Re: in a Bock if there is one."""
    answers = answers._replace(specials=[*answers.specials, "fuchs"])
    game = {**_FOX, **_get_announcement(answers), **({"eyes": _RE_LOST["eyes"]} if doubles_lost_announcements(answers) else {})}
    if not has_bock(answers):
        return _score(_parse_rules(answers), game).outcome.value
    return _score(_parse_rules_in_bock(answers), {**game, "bock": 1}).outcome.value


def has_bock(answers: Answers) -> bool:
    return bool(_list_possible_triggers(answers))


def doubles_lost_announcements(answers: Answers) -> bool:
    """Return whether only a lost announcement doubles a game."""
    return answers.re_kontra in ("add", "add_one") and answers.lost != "once"


def _list_possible_triggers(answers: Answers) -> list[str]:
    """Return the triggers without those that wait for an announcement where there is none."""
    return [one for one in answers.triggers if answers.re_kontra != "none" or one not in ANNOUNCED_TRIGGERS]


def _get_announcement(answers: Answers) -> Data:
    return _RE_SAID if answers.re_kontra != "none" else {}


def compute_lost_worths(answers: Answers) -> tuple[int, int] | None:
    """Return what a lost announcement with 110 eyes costs each of Re, and each of Kontra; None without announcements."""
    if answers.re_kontra == "none":
        return None
    rules = _parse_rules(answers)
    return abs(_score(rules, _RE_LOST).outcome.value), abs(_score(rules, _KONTRA_LOST).outcome.value)


def count_lost_bocks(answers: Answers) -> tuple[int, ...]:
    """Return how many Bock games follow a lost Re and a lost Kontra; without announcements those after a lost Damensolo."""
    rules = _parse_rules(answers)
    games = [_SOLO_LOST] if answers.re_kontra == "none" else [_RE_LOST, _KONTRA_LOST]
    return tuple(_score(rules, game).bock_started for game in games)


def count_duty_games(answers: Answers, people: int) -> int | None:
    """Return how many games an evening has in which everyone plays the Pflichtsolo; None without Pflichtsolo."""
    duty = DUTY[answers.duty].value
    return people * duty["rounds"] + people if duty else None


def compute_solo_worth(answers: Answers) -> tuple[int, int]:
    """Return what a Damensolo won with 155 eyes brings the soloist, and each opponent."""
    points = _score(_parse_rules(answers), _SOLO).outcome.points
    return points[0], points[1]


def compute_bock_worths(answers: Answers, people: int = 4, bocks: int = 3) -> list[int]:
    """Return what games worth 1 bring while there is Bock, from the second on, if each of the first `bocks` games starts one."""
    line = [{**_PLAIN, "starts_bock": int(number < bocks)} for number in range(_GAMES)]
    played = fold([Line("played", range(people), people - 1, facts) for facts in line], _parse_rules_in_bock(answers))
    levels = [one.level for one in played]
    last = max((number for number, level in enumerate(levels) if level), default=0)
    return [one.outcome.value for one in played[1 : last + 1]]


def _parse_rules(answers: Answers) -> RuleSettings:
    return RuleSettings.from_data(build_settings(answers))


def _parse_rules_in_bock(answers: Answers) -> RuleSettings:
    return _parse_rules(answers._replace(triggers=["manual"]))


def _score(rules: RuleSettings, facts: Data) -> LineResult:
    return fold([Line("played", range(4), 3, facts)], rules)[0]
