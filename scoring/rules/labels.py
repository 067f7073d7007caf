"""The German names of all codes, and a sentence for each preset."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from .validation import _

PARTIES: Final = {"re": _("Re"), "kontra": _("Kontra")}
# The parties of a solo.
ALONE: Final = {"re": _("Solo"), "kontra": _("Gegner")}
# The sides of a game, by the sort of game; `short` if only the winners are known.
SIDES: Final = {
    "partner": PARTIES,
    "solo": ALONE,
    "ramsch": {"re": _("Einer"), "kontra": _("Andere")},
    "short": {"re": _("Gewinner"), "kontra": _("Verlierer")},
}

# In the order of the pages: the most common solos first, similar trumps side by side.
KINDS: Final = {
    "normal": _("Normal"),
    "hochzeit": _("Hochzeit"),
    "armut": _("Armut"),
    "damensolo": _("Damensolo"),
    "bubensolo": _("Bubensolo"),
    "fleischlos": _("Fleischloses Solo"),
    "trumpfsolo": _("Trumpfsolo"),
    "farbsolo_herz": _("Herzsolo"),
    "farbsolo_pik": _("Piksolo"),
    "farbsolo_kreuz": _("Kreuzsolo"),
    "koenigssolo": _("Königssolo"),
    "damen_buben_solo": _("Damen-Buben-Solo"),
    "asse_solo": _("Assesolo"),
    "zehner_solo": _("Zehnersolo"),
    "grossspiel": _("Großspiel"),
    "stille_hochzeit": _("Stille Hochzeit"),
    "hochzeit_allein": _("Hochzeit allein"),
}

SAID: Final = {
    "none": _("nichts"),
    "said": _("angesagt"),
    "no90": _("keine 90"),
    "no60": _("keine 60"),
    "no30": _("keine 30"),
    "schwarz": _("schwarz"),
}

SPECIALS: Final = {
    "fuchs": _("Fuchs gefangen"),
    "karlchen": _("Karlchen"),
    "karlchen_gefangen": _("Karlchen gefangen"),
    "doppelkopf": _("Doppelkopf"),
    "fuchs_am_ende": _("Fuchs am Ende"),
    "fuchs_am_ende_gefangen": _("Fuchs am Ende gefangen"),
    "dulle_gefangen": _("Dulle gefangen"),
    "herzstich": _("Herzstich"),
}

BANDS: Final = {
    "0": _("ohne Stich"),
    "1-29": _("1–29"),
    "30-59": _("30–59"),
    "60-89": _("60–89"),
    "90-119": _("90–119"),
    "120": _("120"),
    "121-150": _("121–150"),
    "151-180": _("151–180"),
    "181-210": _("181–210"),
    "211-239": _("211–239"),
    "240": _("alle Stiche"),
}

# The fields of a line, in the order in which they are shown.
FACTS: Final = {
    "dealer": _("Geber"),
    "kind": _("Spielart"),
    "duty": _("Pflichtsolo"),
    "re": PARTIES["re"],
    "kontra": PARTIES["kontra"],
    "out": _("Setzt aus"),
    "eyes": _("Augen von Re"),
    "band": _("Augen von Re, ungefähr"),
    "no_trick": _("Ohne Stich"),
    "re_said": _("Re hat gesagt"),
    "kontra_said": _("Kontra hat gesagt"),
    "last_said": _("Zuletzt sagte an"),
    "re_specials": _("Sonderpunkte Re"),
    "kontra_specials": _("Sonderpunkte Kontra"),
    "game_specials": _("Sonderpunkte des Spiels"),
    "winner": _("Gewonnen hat"),
    "winners": _("Gewinner"),
    "base": _("Punkte vor Bock"),
    "solo": _("Solo"),
    "starts_bock": _("Bock selbst eingetragen"),
    "bock": _("Bock selbst eingetragen"),
    "points": _("Punkte"),
    "seat": _("Wegen"),
    "reason": _("Grund"),
    "note": _("Bemerkung"),
}

# The fields of a solo that have another name.
FACTS_ALONE: Final = {
    **ALONE,
    "eyes": _("Augen des Solos"),
    "band": _("Augen des Solos, ungefähr"),
    "re_said": _("Solo hat gesagt"),
    "kontra_said": _("Gegner haben gesagt"),
    "re_specials": _("Sonderpunkte Solo"),
    "kontra_specials": _("Sonderpunkte Gegner"),
}

# The names of steps (`reasons.explain`). {party} is the party that announced.
STEPS: Final = {
    "won": _("Gewonnen"),
    "won_ramsch": _("Verloren"),
    "cowardice": _("Feigheit"),
    "under_90": _("Keine 90"),
    "under_60": _("Keine 60"),
    "under_30": _("Keine 30"),
    "no_trick": _("Schwarz"),
    # `missed`: the loser had announced and missed it. `both`: the loser also stayed under it.
    "under_90_missed": _("Keine 90 verfehlt"),
    "under_60_missed": _("Keine 60 verfehlt"),
    "under_30_missed": _("Keine 30 verfehlt"),
    "no_trick_missed": _("Schwarz verfehlt"),
    "under_90_both": _("Keine 90, und verfehlt"),
    "under_60_both": _("Keine 60, und verfehlt"),
    "under_30_both": _("Keine 30, und verfehlt"),
    "no_trick_both": _("Schwarz, und verfehlt"),
    "re_said": _("Re angesagt"),
    "re_said_alone": _("Solo: Re angesagt"),
    "kontra_said": _("Kontra angesagt"),
    "kontra_said_alone": _("Gegner: Kontra angesagt"),
    "said_no90": _("{party}: keine 90 angesagt"),
    "said_no60": _("{party}: keine 60 angesagt"),
    "said_no30": _("{party}: keine 30 angesagt"),
    "said_schwarz": _("{party}: schwarz angesagt"),
    "missed_no90": _("{party}: keine 90 verfehlt"),
    "missed_no60": _("{party}: keine 60 verfehlt"),
    "missed_no30": _("{party}: keine 30 verfehlt"),
    "missed_schwarz": _("{party}: schwarz verfehlt"),
    "against_no90": _("120 Augen gegen keine 90"),
    "against_no60": _("90 Augen gegen keine 60"),
    "against_no30": _("60 Augen gegen keine 30"),
    "against_schwarz": _("30 Augen gegen schwarz"),
    "gegen_die_alten": _("Gegen die Alten"),
    **SPECIALS,
    "solo_point": _("Solopunkt"),
    "solo": _("Solo"),
    "kind": _("Spielart"),
    "lost": _("Kontra hat gewonnen"),
    "lost_alone": _("Gegner haben gewonnen"),
    "lost_ramsch": _("Verloren"),
    "lost_announcement": _("Ansage verloren"),
    "bock": _("Bock"),
    "highest": _("Über dem Deckel"),
    "negative": _("Der Gewinner zahlt nicht"),
    "base": _("Punkte vor Bock"),
}

# The sentences of an explanation, by the codes of `reasons.py`. `_them` is the plural for the opponents of a soloist;
# {party} is the side of the sentence, {other} the other one. {points} and {others} have a sign.
REASONS: Final = {
    # Why this party has won.
    "half": _("{party} hat mehr als 120 Augen."),
    "half_them": _("{party} haben mehr als 120 Augen."),
    "kept": _("{party} hat {announced} angesagt und gehalten."),
    "kept_them": _("{party} haben {announced} angesagt und gehalten."),
    "missed": _("{party} hat {announced} angesagt und verfehlt."),
    "missed_them": _("{party} haben {announced} angesagt und verfehlt."),
    "both_missed": _("Beide haben ihre Absage verfehlt."),
    "costs": _("Eine Absage entscheidet hier nicht: Verfehlt kostet sie nur ihre Punkte."),
    "needs_120": _("{party} braucht nur 120."),
    "needs_120_them": _("{party} brauchen nur 120."),
    "needs_121": _("{party} braucht 121."),
    "needs_121_them": _("{party} brauchen 121."),
    "said_121": _("{party} hat angesagt und braucht 121."),
    "said_121_them": _("{party} haben angesagt und brauchen 121."),
    "also_said": _("{party} braucht nur 120, denn auch {other} hat angesagt."),
    "also_said_them": _("{party} brauchen nur 120, denn auch {other} hat angesagt."),
    "last_re": _("{party} braucht nur 120, denn {other} hat zuletzt angesagt."),
    "last_re_them": _("{party} brauchen nur 120, denn {other} hat zuletzt angesagt."),
    "last_kontra": _("{party} hat zuletzt angesagt und braucht 121."),
    "last_kontra_them": _("{party} haben zuletzt angesagt und brauchen 121."),
    "re_said": _("{party} braucht nur 120, denn {other} hat angesagt."),
    "re_said_them": _("{party} brauchen nur 120, denn {other} hat angesagt."),
    "re_silent": _("{party} braucht 121, denn {other} hat nichts angesagt."),
    "re_silent_them": _("{party} brauchen 121, denn {other} hat nichts angesagt."),
    "tie": _("Bei 120 zu 120 gewinnt {party}."),
    "tie_them": _("Bei 120 zu 120 gewinnen {party}."),
    "tie_nobody": _("Bei 120 zu 120 gewinnt niemand."),
    "by_hand": _("Ohne Augen entschieden."),
    "ramsch_kontra": _("Einer hat gegen alle anderen verloren."),
    "ramsch_re": _("Einer hat alles gemacht und gegen alle anderen gewonnen."),
    "short": _("Eingetragen ist nur, wer wie viel gewonnen hat."),
    # Feigheit.
    "levels": _("{party} hat {reached} Stufen erreicht, „gewonnen“ mitgezählt, und {said} angesagt: {more} zu wenig."),
    "levels_them": _("{party} haben {reached} Stufen erreicht, „gewonnen“ mitgezählt, und {said} angesagt: {more} zu wenig."),
    "coward_near": _("Erst ab {levels} ist das Feigheit."),
    "coward_loses": _("Ab {levels} ist das Feigheit, und die andere Seite gewinnt."),
    "coward_nobody": _("Ab {levels} ist das Feigheit, und niemand gewinnt."),
    "coward_price": _("Ab {levels} ist das Feigheit, und die andere Seite gewinnt {n}."),
    # Other settings that decided about the steps.
    "nobody_net": _("Ohne Gewinner zählt nur, was jede Seite selbst erreicht hat."),
    "nobody_zero": _("Ohne Gewinner ist das Spiel nichts wert."),
    "no_won": _("Bei 120 zu 120 zählt „gewonnen“ nicht."),
    "limit_more": _("{party} ist mit genau {n} Augen schon unter der Stufe."),
    "highest": _("Mehr als {n} ist kein Spiel wert."),
    "bock_game": _("Der Bock verdoppelt die Sonderpunkte nicht."),
    "bock_drawn": _("Ohne Gewinner zählt der Bock nicht."),
    "bock_plain": _("Nach diesen Regeln zählt dieses Spiel im Bock einfach und verbraucht ein Bockspiel."),
    "bock_skips": _("Nach diesen Regeln zählt dieses Spiel im Bock einfach und verbraucht kein Bockspiel."),
    # From the value to points.
    "zero": _("Der Wert ist 0."),
    "each": _("{party} je {points}, {other} je {others}."),
    "alone": _("{party} {points}, {other} je {others}."),
    "alone_1": _("{party}: einfach, also {points}. {other} je {others}."),
    "alone_2": _("{party}: doppelt, also {points}. {other} je {others}."),
    "alone_3": _("{party}: dreifach, also {points}. {other} je {others}."),
    "alone_from": _("{party}: von jedem der {n} anderen, also {points}. {other} je {others}."),
    "alone_to": _("{party}: an jeden der {n} anderen, also {points}. {other} je {others}."),
    "points_winners": _("Hier zählt nur das Plus."),
    "points_losers": _("Hier zählt nur das Minus."),
    "cents_plus_minus": _("Gezahlt wird untereinander, nicht aus der Kasse."),
    "cents_winners": _("Die Gewinner bekommen es aus der Kasse."),
    "cents_losers": _("Die Verlierer zahlen es in die Kasse."),
    "out_nothing": _("Fürs Aussetzen gibt es nichts."),
    "out_winners": _("Fürs Aussetzen gibt es so viel wie für einen Gewinner: {points}."),
    "out_losers": _("Fürs Aussetzen gibt es so viel wie für einen Verlierer: {points}."),
    "out_re": _("Aussetzen zählt wie Re: {points}."),
    "out_kontra": _("Aussetzen zählt wie Kontra: {points}."),
    "out_opponents": _("Aussetzen zählt wie ein Gegner: {points}."),
    "paid_kasse": _("Sonderpunkte: {party} je {points} aus der Kasse."),
    "paid_kasse_one": _("Sonderpunkte: {party} {points} aus der Kasse."),
    "paid": _("Sonderpunkte: {party} je {points}, {other} je {others}."),
    "paid_to_one": _("Sonderpunkte: {party} {points}, {other} je {others}."),
    "paid_by_one": _("Sonderpunkte: {party} je {points}, {other} {others}."),
    "paid_rest": _("Ein Rest von {n} bleibt in der Kasse."),
    # The amount of a step that is paid.
    "step_kasse": _("je {n} aus der Kasse"),
    "step_players": _("je {n} von der anderen Seite"),
}

PRESETS: Final = {
    "ddv": _("Turnier (DDV)"),
    "ohne_neunen": _("Turnier ohne Neunen"),
    "anleitung": _("Mit Bock: Re und Kontra verdoppeln"),
    "vln": _("Kneipe: Re verdoppelt"),
    "klassisch": _("Um Cent aus der Kasse"),
    "hausrunde": _("Hausrunde mit Bock"),
}

PRESET_SENTENCES: Final = {
    "ddv": _("Mit Neunen, ohne Bock, Pflichtsolo in fünf Umläufen, Solo dreifach."),
    "ohne_neunen": _("Wie das Turnier, mit Trumpfabgabe und Pflichtsolo in sechs Umläufen."),
    "anleitung": _("Ohne Neunen; eine verlorene Ansage verdoppelt noch einmal und bringt Bock."),
    "vln": _("Ohne Neunen und Bock; Sonderpunkte zählen nach dem Verdoppeln."),
    "klassisch": _("Ohne Ansagen; mit sechs und acht am Tisch spielen feste Parteien."),
    "hausrunde": _("Mit Neunen; Bock nach Herzstich, 120 zu 120, verlorener Ansage und verlorenem Solo."),
}

# The triggers of a Bock, in lower case for use in a sentence. Others are `special:` with a special point and `kind:` with a word.
TRIGGERS: Final = {
    "lost_announcement": _("angesagt und verloren"),
    "lost_solo": _("verlorenes Solo"),
    "tie_120": _("120 zu 120"),
    "herzstich": _("der Herzstich geht durch"),
    "zero_game": _("ein Spiel ohne Punkte"),
    "schwarz": _("schwarz gespielt"),
    "manual": _("selbst eingetragen"),
    "lost_re": _("Re gesagt und verloren"),
    "lost_kontra": _("Kontra gesagt und verloren"),
    "both_said": _("Re und Kontra gesagt"),
    "won_solo": _("gewonnenes Solo"),
    "redeal": _("neu gegeben"),
}

# The words of section 10 of the house rules that are no kinds of game.
SORTS: Final = {
    "partner": _("Spiel zu zweien"),
    "solo": _("Solo"),
    "ramsch": _("Ramsch"),
    "quiet": _("stilles Solo"),
    "announced": _("angesagtes Solo"),
    "duty": _("Pflichtsolo"),
}

GEGEN_IN: Final = {"partner": _("Normalspiel und Hochzeit"), "armut": _("Armut"), "solo": _("Solo")}

WHEN: Final = {
    "before": _("vor dem Verdoppeln"),
    "after": _("nach dem Verdoppeln"),
    "bock_only": _("nach dem Verdoppeln, aber vor dem Bock"),
}

# After these the same seat deals again.
DEAL_STAYS: Final = {
    "duty_solo": _("Pflichtsolo"),
    "lustsolo": _("Lustsolo"),
    "penalty": _("Strafpunkte"),
    "redeal": _("neu gegeben"),
}


def sort_kinds(kinds: Collection[str]) -> list[str]:
    """Sort kinds of game in the order of the pages, a club's own last."""
    return [*(kind for kind in KINDS if kind in kinds), *(kind for kind in kinds if kind not in KINDS)]


def kind_name(kind: str, own: Mapping[str, str]) -> str:
    return own.get(kind) or KINDS.get(kind, kind)


def special_name(special: str, own: Mapping[str, str]) -> str:
    return own.get(special) or SPECIALS.get(special, special)

