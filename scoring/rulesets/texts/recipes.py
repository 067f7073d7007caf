"""The texts of the collection of house rules (its settings stand in `recipes.json`) and of the documents of the presets."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

TOPICS: Final = {
    "calls": _("An- und Absagen"),
    "limits": _("Stufen: keine 90, 60, 30, schwarz"),
    "specials": _("Sonderpunkte"),
    "solos": _("Soli, Hochzeit und Armut"),
    "bock": _("Bock"),
    "table": _("Am Tisch"),
    "money": _("Zettel und Kasse"),
}

COMMON: Final = {"A": _("in den meisten Clubs"), "B": _("in vielen Clubs"), "C": _("in manchen Clubs"), "D": _("selten")}

# By number: the title, other words for it, then a sentence for each way to set it, or why there is none.
# fmt: off
RECIPES: Final[dict[int, tuple[str, ...]]] = {
    1: (_("Re und Kontra bringen einen oder zwei Punkte"), _("Ansage, angesagt"),
        _("Re und Kontra: Punkte dazu, 1."),
        _("Re und Kontra: Punkte dazu, 2.")),
    2: (_("Re und Kontra verdoppeln"), _("Ansage, mal zwei, Contra"),
        _("Re und Kontra: vervielfachen, mal 2. Sagen beide an, zählt das Spiel vierfach.")),
    3: (_("Sonderpunkte vor oder nach dem Verdoppeln"), _("Extrapunkte, Zusatzpunkte"),
        _("Sonderpunkte stehen: vor dem Verdoppeln."),
        _("Sonderpunkte stehen: nach dem Verdoppeln; Re und Kontra: vervielfachen, mal 2.")),
    4: (_("Fuchs, Karlchen, Doppelkopf"), _("Karo-Ass gefangen, Juckel, Karlchen Müller, Charlie, Charly, 40 Augen im Stich"),
        _("Sonderpunkte: Fuchs gefangen, Karlchen und Doppelkopf gibt es, je 1 Punkt.")),
    5: (_("Karlchen gefangen"), _("Charlie gefangen, Kreuz-Bube"), _("Sonderpunkte: Karlchen gefangen gibt es, 1 Punkt.")),
    6: (_("Fuchs am Ende, auch gefangen"), _("Fuchs im letzten Stich"),
        _("Sonderpunkte: Fuchs am Ende und Fuchs am Ende gefangen gibt es, je 1 Punkt. Der gefangene zählt neben dem "
          "gewöhnlichen Fuchs.")),
    7: (_("Dulle fängt Dulle"), _("Herz-Zehn, Dulle gefangen, Tolle"), _("Sonderpunkte: Dulle gefangen gibt es, 1 Punkt.")),
    8: (_("Herzstich bringt einen Punkt"), _("Herz geht durch, Herz geht rum, Herzdurchlauf"),
        _("Sonderpunkte: Herzstich gibt es, 1 Punkt.")),
    9: (_("Gegen die Alten, mit oder ohne Armut und Solo"), _("gegen die Kreuz-Damen, gegen die Großen"),
        _("Gegen die Alten gilt in: Normalspiel und Hochzeit, Armut, Solo."),
        _("Gegen die Alten gilt in: nur Normalspiel und Hochzeit.")),
    10: (_("Der Verlierer gewinnt nicht durch Sonderpunkte"), _("Hintertür, Wert unter null, Minus trotz Gewinn"),
        _("Wert unter null: Der Gewinner zahlt nicht, das Spiel zählt dann 0.")),
    11: (_("Nur Plus oder nur Minus aufschreiben"), _("Gewinnliste, Verlustliste, nur Gewinner, nur Verlierer"),
        _("Zählweise: nur das Plus."),
        _("Zählweise: nur das Minus.")),
    12: (_("Solo zählt dreifach oder doppelt"), _("Solist, alleine, Solo mal drei"),
        _("Der Solist bekommt: dreimal den Wert."),
        _("Solo zählt: doppelt; der Solist bekommt den Wert einmal.")),
    13: (_("Bock nach verlorener Ansage"), _("Bockrunde, Re verloren, Kontra verloren"),
        _("Bock, Auslöser: angesagt und verloren.")),
    14: (_("Bock nach Herzstich"), _("Bockrunde, Herz geht durch, Herz geht rum, Herzrunde"),
        _("Sonderpunkte: Herzstich gibt es, 0 Punkte, wenn er selbst nichts zählt. Bock, Auslöser: Herzstich.")),
    15: (_("Bock bei 120 zu 120"), _("Bockrunde, gespaltener Arsch, Gleichstand, unentschieden"), _("Bock, Auslöser: 120 zu 120.")),
    16: (_("Bock nach einem Spiel ohne Punkte"), _("Bockrunde, Nullspiel, Spielwert 0"),
        _("Bock, Auslöser: ein Spiel ohne Punkte.")),
    17: (_("Bock nach verlorenem Solo"), _("Bockrunde, Solist verliert"), _("Bock, Auslöser: verlorenes Solo.")),
    18: (_("Bock nach schwarz"), _("Bockrunde, ohne Stich, kein Stich"), _("Bock, Auslöser: schwarz gespielt.")),
    19: (_("Wie lange ein Bock dauert"), _("Bockrunde, Länge, bis alle gegeben haben"),
        _("Bock, Länge: so viele Spiele, wie am Tisch sitzen. Hier wird er selbst eingetragen."),
        _("Bock, Länge: eine feste Zahl von Spielen, hier zwei, selbst eingetragen."),
        _("Bock, Länge: bis alle einmal gegeben haben; ein Spiel, nach dem der Geber bleibt, verbraucht keines. Hier wird er "
          "selbst eingetragen.")),
    20: (_("Bock im Bock"), _("Doppelbock, Bockrunde, anhängen, von vorn"),
        _("Bock, mehrere Böcke: angehängt. Ein Bock dauert hier zwei Spiele und wird selbst eingetragen."),
        _("Bock, mehrere Böcke: nebeneinander, es wird Doppelbock; zwei Spiele lang, selbst eingetragen."),
        _("Bock, mehrere Böcke: von vorn; zwei Spiele lang, selbst eingetragen."),
        _("Bock, mehrere Böcke: kein neuer, solange einer läuft; zwei Spiele lang, selbst eingetragen.")),
    21: (_("Bock verdoppelt nur das Spiel oder gibt Punkte dazu"), _("Bockwirkung, Sonderpunkte einfach"),
        _("Bock, Wirkung: nur das Spiel ohne Sonderpunkte. Ein Bock dauert hier ein Spiel und wird selbst eingetragen."),
        _("Bock, Wirkung: Punkte dazu, hier 2; ein Spiel lang, selbst eingetragen.")),
    22: (_("Übrige Böcke gehen am nächsten Abend weiter"), _("Bock mitnehmen, nächstes Mal"),
        _("Bock, über den Abend hinaus: Übrige Bockspiele gehen weiter. Hier wird er selbst eingetragen.")),
    23: (_("Mehrere Gründe, mehrere Böcke"), _("zwei Bockrunden auf einmal"), _("Bock, je Spiel: einer für jeden Grund.")),
    24: (_("Pflichtsolo, Vorführung, im Bock einfach"), _("vorgeführt, jeder muss ein Solo spielen"),
        _("Pflichtsolo: in so vielen Umläufen; wer danach keines hatte, wird vorgeführt. Der Geber bleibt: nach einem "
          "Pflichtsolo, nach „neu gegeben“. Bock, Pflichtsolo im Bock: nein. Ein Bock dauert hier ein Spiel und wird selbst "
          "eingetragen.")),
    25: (_("Fünf bis acht am Tisch, wer aussetzt"), _("zu fünft, zu sechst, zu siebt, aussetzen"),
        _("Nichts einzustellen: Zu fünft setzt der Geber aus."),
        _("Wer spielt: bei sechs und mehr die Sitze links vom Geber, hier die vier nächsten.")),
    26: (_("Aussetzen zählt mit"), _("Aussetzer, Geber bekommt Punkte"),
        _("Wer aussetzt: bekommt so viel wie ein Gewinner."),
        _("Wer aussetzt: bekommt so viel wie Kontra.")),
    27: (_("Armut, Trumpfabgabe"), _("arm, drei Trümpfe, mitnehmen, Schwarze Sau, Vorbehalt"), _("Spielarten: Armut.")),
    28: (_("Hochzeit ohne Partner zählt als Solo"), _("Hochzeit allein, stille Hochzeit, kein Klärungsstich"),
        _("Spielarten: Hochzeit allein und stille Hochzeit. Beide zählen als Solo.")),
    29: (_("Welche Soli es gibt"),
        _("Vorbehalt, Damensolo, Bubensolo, Königssolo, Assesolo, Zehnersolo, gemischt, fleischlos, Farbsolo"),
        _("Spielarten: alle Soli anhaken, die man spielen kann.")),
    30: (_("Angesagt und verfehlt zählt auch"), _("verfehlte Stufe, Absage nicht geschafft"),
        _("Stufen zählen: auch, wenn der Verlierer sie abgesagt und verfehlt hat."),
        _("Stufen zählen: einmal, weil erreicht, und noch einmal, weil vom Verlierer verfehlt.")),
    31: (_("Verlorene An- oder Absage zählt doppelt"), _("verlorenes Re, verlorenes Kontra"),
        _("Verlorene Ansage: Die Partei, die angesagt hat und verliert, verliert das Doppelte."),
        _("Verlorene Ansage: nur nach einer Absage das Doppelte.")),
    32: (_("Cent statt Punkte, aus der Kasse bezahlt"), _("um Geld, Einsatz, Topf, Kasse"),
        _("Vorlage „Um Cent aus der Kasse“; gezählt wird in: Cent. Alle Beträge sind Cent, hier 10 für den Gewinn.")),
    33: (_("Strafpunkte, neu gegeben"), _("DDV, Strafe, vergeben, Abwurf"),
        _("Strafpunkte und „neu gegeben“ sind eigene Zeilen auf dem Zettel. Nach „neu gegeben“ gibt derselbe noch einmal, nach "
          "Strafpunkten auf Wunsch auch. Der Geber bleibt: nach Strafpunkten, nach „neu gegeben“.")),
    34: (_("Weitere Gründe für Bock"), _("jedes Solo, Armut, Hochzeit, Geburtstag, letzte Runde, beide angesagt"),
        _("Bock, Auslöser: Solo, also jedes, auch ein gewonnenes."),
        _("Bock, Auslöser: Re und Kontra gesagt."),
        _("Bock, Auslöser: Re gesagt und verloren; für Kontra gibt es das ebenso."),
        _("Bock, Auslöser: Armut und Hochzeit."),
        _("Bock, Auslöser: selbst eingetragen, für Geburtstag und letzte Runde.")),
    35: (_("Ramsch, Schieberamsch, Bockramsch"), _("Jungfrau, Durchmarsch, wer am meisten hat, verliert"),
        _("Eine eigene Spielart wie Ramsch: Eingetragen wird, wer verloren oder alles gemacht hat. Die Jungfrau ist ein "
          "Sonderpunkt des Spiels, mal 2, nur im Ramsch. Verlieren kostet hier 3 Punkte je Gegner.")),
    36: (_("Genscher: Der Partner wechselt"), _("genschern, Karo-König"),
        _("Nichts einzustellen: Eingetragen werden die Parteien, wie sie am Ende sind.")),
    37: (_("Falsch bedient verliert alles Angesagte"), _("Falschspiel, verworfen, aufgegeben, geschmissen"),
        _("Entschieden wird: nach Augen, oder von Hand, wer gewonnen hat. Strafpunkte gehen ebenso.")),
    38: (_("Schlanker Martin, Nullo, Köhler: ohne Augen entschieden"), _("Nullspiel, ohne Stich"),
        _("Eine eigene Spielart, entschieden von Hand: Eingetragen wird nur, wer gewonnen hat. Gewonnen zählt hier 4.")),
    39: (_("Plätze je Tisch, Auslosung nach Rang"), _("Tischplatz, +3 +1 −1 −3, Turnier"),
        _("Lässt sich nicht einstellen: Das ist Sache der Saison und nicht der Spiele.")),
    40: (_("Ein Abend zu dritt"), _("drei Spieler, zu dritt, Strohmann"),
        _("Lässt sich nicht einstellen: Gespielt wird ab vier am Tisch. Was der Abend gebracht hat, geht als Berichtigung auf "
          "einen Zettel.")),
    41: (_("Vorgabe, Startpunkte"), _("Handicap, Anfangspunkte"),
        _("Eine Berichtigung vor dem ersten Spiel, mit dem Grund „Vorgabe“. Die Spiele zählen wie sonst.")),
    42: (_("Schweinchen, gegen die Sau, Superschweine"), _("Schweine, Sau, Superschweinchen, Hyperschwein, beide Karo-Asse"),
        _("Eigene Sonderpunkte: Schweinchen, Gegen die Sau und Superschweine, je 1 Punkt.")),
    43: (_("Klabautermann, Gans, Fischauge, Agathe, Kaffeekränzchen"),
        _("Pik-König, vier Damen im Stich, Koppeldopf, lustige Sonderpunkte"),
        _("Eigene Sonderpunkte mit ihrem Namen, je 1 Punkt.")),
    44: (_("Karlchen zählt 2, beide Karlchen im letzten Stich"), _("Charlie, Karlchen nur mit der Karo-Dame, Liesel"),
        _("Sonderpunkte: Karlchen, 2 Punkte. Gilt es nur mit der Karo-Dame, trägt man es nur dann ein."),
        _("Ein eigener Sonderpunkt für beide Karlchen, 2 Punkte.")),
    45: (_("Beide Alten im letzten Stich, Fuchs von Fuchs, Armut geklappt, Hochzeit nicht gefunden"),
        _("Sonderpunkte nur in manchen Spielen"),
        _("Eigene Sonderpunkte, Fuchs von Fuchs zu 2, die anderen zu 1; jeder sagt selbst, in welchen Spielen er zählt und wer "
          "ihn bekommen kann.")),
    46: (_("Der zweite Fuchs zählt mehr"), _("5 dann 10, zwei Füchse, gestaffelt"),
        _("Sonderpunkte: Fuchs gefangen, 5 für den ersten und 10 für den zweiten.")),
    47: (_("Manche Soli zählen alle Sonderpunkte, andere keine"), _("stille Hochzeit, Trumpfsolo, Karosolo"),
        _("Sonderpunkte im Solo: keine; je Spielart für stille Hochzeit und Trumpfsolo: alle.")),
    48: (_("Eigene Soli: Kontrasolo, Knochenlos, Dame-König, Bordell, Kloster, Fehlsolo"),
        _("eigene Spielart, Puff, Pikdamen-Solo, Schwarze Sau"),
        _("Eine eigene Spielart mit Namen, die einem bekannten Solo gleicht, hier dem Damensolo, doppelt gezählt."),
        _("Kontrasolo: eine eigene Spielart wie die stille Hochzeit; Kontra braucht immer 121, bei 120 zu 120 gewinnt Re.")),
    49: (_("Ein Preis je Soloart"), _("Buben 60 Cent, Farben 80, Damen, Besten 100, Festpreis"),
        _("Einzelne Spiele: Gewonnen der Preis, keine Stufen, einfach gezählt. Jeder Gegner zahlt ihn.")),
    50: (_("Stille Hochzeit einfach, Pflichtsolo anders als Lustsolo"), _("Hochzeit allein, freiwilliges Solo"),
        _("Einzelne Spiele, stille Soli: Der Solist bekommt den Wert einmal."),
        _("Einzelne Spiele: angesagte Soli zählen doppelt, als Pflichtsolo einfach.")),
    51: (_("Ein verlorenes Solo zählt mehr"), _("verlorenes Solo doppelt, plus 1"),
        _("Einzelne Spiele, Solo: Von Kontra gewonnen zählt doppelt."),
        _("Gegen die Alten gilt auch im Solo: verloren zählt 1 mehr.")),
    52: (_("Solo im Bock einfach, Lustsolo verbraucht keines"), _("Bockrunde, Solo zählt nicht doppelt"),
        _("Einzelne Spiele, Solo im Bock: einfach, und es verbraucht kein Bockspiel. Ein Bock dauert hier ein Spiel und wird "
          "selbst eingetragen."),
        _("Einzelne Spiele, angesagte Soli im Bock: doppelt, verbrauchen aber keines; ein Pflichtsolo verbraucht eines.")),
    53: (_("Jede Absage verdoppelt"), _("keine 90, keine 60, schwarz angesagt, Sprungansage"),
        _("Je Absage: vervielfachen, mal 2.")),
    54: (_("Jede Stufe, jeder Sonderpunkt, jede Spritze verdoppelt"), _("10 Cent, 20, 40, Verdoppler"),
        _("Je Stufe: vervielfachen, mal 2; hier mit 10 Cent für den Gewinn und den Stufen 90, 60, 30 und schwarz."),
        _("Sonderpunkte: Doppelkopf verdoppelt, statt Punkte zu bringen."),
        _("Spritze: ein eigener Sonderpunkt des Spiels, der verdoppelt, höchstens vier.")),
    55: (_("Sub, Hirsch, Bock, Stuhlbein"), _("dritte und vierte Verdopplung, Supra, Re auf Kontra"),
        _("Hirsch und Stuhlbein: eigene Sonderpunkte des Spiels, die verdoppeln.")),
    56: (_("Tuck, Klopfen"), _("Klopfer, anonym erhöhen, Tock"),
        _("Ein eigener Sonderpunkt des Spiels mit 1, 1, 1 und 2 Punkten, höchstens fünf; er zählt dem Gewinner.")),
    57: (_("Vor der ersten Karte angesagt zählt mehr"), _("von vornherein, Vorabansage, blind"),
        _("Ein eigener Sonderpunkt des Spiels, 1 Punkt; Sonderpunkte stehen: vor dem Verdoppeln.")),
    58: (_("Die Antwort oder die Ansage des Verlierers zählt weniger"), _("Erwiderung, Gegenansage"),
        _("Re und Kontra: verschieden, die erste Ansage verdoppelt, die Antwort bringt 1 Punkt."),
        _("Re und Kontra: verschieden, die des Gewinners bringt 2 Punkte, die des Verlierers 1.")),
    59: (_("Re und Kontra zählen verschieden"), _("Kontra zählt mehr, Ansage ungleich"),
        _("Re und Kontra: verschieden, Re bringt 2 Punkte, Kontra verdoppelt.")),
    60: (_("Andere Beträge je Stufe, Schneider der Alten mit 60"), _("5 10 20 Cent, Schneider bis 61, Grenze"),
        _("Je Stufe: ein Betrag für jede, hier 5, 10 und 20 für die Stufen 90, 60 und 30."),
        _("Re unter den Stufen: schon mit genau 90, 60 oder 30 Augen, also bis 60 Schneider.")),
    61: (_("Verfehlte Absage kostet Punkte, nicht das Spiel"), _("keine 90 nicht geschafft, Absage verfehlt"),
        _("Verfehlte Absage: kostet nur die Punkte der Absage; gewonnen hat, wer die Hälfte hat.")),
    62: (_("Feigheit"), _("feige, zu wenig angesagt, Pflichtansage"),
        _("Feigheit: ab drei Stufen ungesagt verliert, wer sonst gewonnen hätte."),
        _("Feigheit: ab drei Stufen ungesagt kostet es feste Punkte, hier 3; Sonderpunkte zählen daneben."),
        _("Feigheit: ab drei Stufen ungesagt gewinnt niemand.")),
    63: (_("120 zu 120 zählt nur gegen die Alten"), _("Gleichstand, gespalten, unentschieden"),
        _("Gewonnen bei 120: Der Gewinn zählt dann nicht.")),
    64: (_("Deckel: Höchstwert eines Spiels"), _("Höchstgrenze, Maximum, gedeckelt"),
        _("Deckel: ein Spiel zählt höchstens so viel, hier 5.")),
    65: (_("Höchstens Doppelbock, der Rest wird hinten gespielt"), _("Bockrunde, auffüllen, dreifach"),
        _("Bock, mehrere Böcke: aufgefüllt bis zur höchsten Stufe; höchste Stufe: 2. Ein Bock dauert hier zwei Spiele und wird "
          "selbst eingetragen.")),
    66: (_("Bock zählt dreifach oder gleichmäßig mehr"), _("Bockrunde, mal drei, linear"),
        _("Bock, je Stufe: dreifach."),
        _("Bock, je Stufe: einmal mehr, die zweite Stufe zählt dreifach.")),
    67: (_("Ein Spiel ohne Gewinner ist im Bock einfach"), _("Bockrunde, unentschieden, Gleichstand"),
        _("Bock, ohne Gewinner: einfach. Hier braucht Kontra immer 121, und bei 120 zu 120 gewinnt niemand.")),
    68: (_("Einwurf, neu gegeben: Bock"), _("Bockrunde, schmeißen, zusammengeworfen, fünf Neunen"),
        _("Bock, Auslöser: neu gegeben. Die Zeile selbst verbraucht kein Bockspiel.")),
    69: (_("Der sitzende Geber zählt mit Re"), _("zu fünft, Aussetzer bei Re"), _("Wer aussetzt: bekommt so viel wie Re.")),
    70: (_("Sonderpunkte für einen, nicht für die Partei"), _("Einzelwertung, persönliche Punkte"),
        _("Lässt sich nicht einstellen: Sonderpunkte gehören einer Partei. Was einer allein bekommt, geht als Berichtigung auf "
          "den Zettel.")),
    71: (_("Regeln ohne Punkte"), _("Schmeißen, Pflichtansage, Dullen, wie lange man ansagen darf, Hausregeln"),
        _("Weitere Hausregeln: ein Text. Er steht mit auf dem Blatt der Hausregeln und zählt nichts.")),
    72: (_("Geld: Cent je Punkt, Abstand zum Besten, Startgeld, Deckel"), _("Abrechnung, Kasse, Einsatz, Tarif"),
        _("Lässt sich im Regelwerk nicht einstellen: Geld je Abend ist der Tarif der Kasse.")),
    73: (_("Gegen eine Absage gut gespielt"), _("gegen Absage, Gegenpunkte, 120 gegen keine 90, 90 gegen keine 60"),
        _("Gegen Absagen: je Stufe ein weiteres Mal; was jede zählt, steht bei „Je Stufe gegen Absagen“, hier 1 Punkt."),
        _("Gegen Absagen: einmal, für die höchste Stufe.")),
}

# By preset: the name of its document, and where it leaves a choice, what was chosen, by the settings that this makes.
_ONLY_DEALT_ANEW: Final = _(
    "Wer nach dem Neugeben gibt: Dort steht nur, dass neu gegeben wird. Gewählt ist, was üblich ist: Derselbe gibt noch einmal."
)
_MATHEMATIKER: Final = (_("Mathematiker-Doppelkopfregeln"), {
    "deal_stays": _("Wer nach dem Neugeben gibt: Nach fünf Königen und nach einer Trumpfabgabe, die niemand nimmt, gibt "
        "derselbe noch einmal. Über anderes Neugeben steht dort nichts; auch dann gibt derselbe."),
})
DOCUMENTS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "ddv": _MATHEMATIKER,
    "ohne_neunen": _MATHEMATIKER,
    "anleitung": (_("Anleitung"), {
        "deal_stays": _ONLY_DEALT_ANEW,
        "kontra_121 tie_120": _("120 zu 120, wenn Kontra angesagt ist: Wörtlich genommen gewinnt niemand. Gewählt ist: Re gewinnt, "
            "auch wenn beide angesagt haben."),
        "solo_times bock": _("Ein gewonnenes Solo im Bock: Im Beispiel stehen 32 Punkte. Nach den Schritten, die davor stehen, sind"
            " es 12 × 2 = 24; so wird gerechnet."),
        "solo_times lost_announcement": _("Das verlorene Solo: Im Beispiel hat es 154 Augen und wäre damit gewonnen. Gerechnet wird"
            " es als verloren: 32 Punkte, im Bock 64."),
        "specials_in_solo": _("Sonderpunkte im Farbsolo: Zwei Sätze widersprechen sich. Gewählt ist der genauere: Doppelkopf, "
            "Karlchen und gefangenes Karlchen zählen."),
        "soloist_share": _("Der Anteil des Solisten: Von einem dreifachen steht dort nichts. Er bekommt oder zahlt den Wert einmal;"
            " ein Solo ergibt deshalb zusammen nicht 0."),
        "nobody_wins": _("Verfehlen beide ihre Absage: Dazu steht dort nichts. Gewählt ist: Das Spiel zählt 0, auch ohne "
            "Sonderpunkte; Bock gibt es trotzdem."),
    }),
    "vln": (_("Doppelkopf-Regeln des VLN"), {
        "deal_stays": _ONLY_DEALT_ANEW,
        "re_kontra specials_when gegen_when solo_point": _("Die Reihenfolge: „Bei Re / Kontra werden die Punkte verdoppelt, "
            "Sonderpunkte werden addiert oder subtrahiert.“ Gelesen ist es so: Erst wird verdoppelt, bei Re und Kontra vierfach; "
            "dann kommen Sonderpunkte, gegen die Alten und Solopunkt dazu."),
        "kontra_121 tie_120": _("120 zu 120, wenn Kontra zuletzt angesagt hat: Kontra braucht dann 121, und für Re steht dort auch "
            "121. Gewählt ist: Re gewinnt."),
        "missed_absage": _("Eine verfehlte Absage: Dazu steht dort nichts. Gewählt ist: Das Spiel ist verloren."),
        "specials": _("Ein Fuchs, der im letzten Stich gefangen wird, ist zwei Sonderpunkte wert: Beide stehen dort."),
        "specials_in_solo": _("Sonderpunkte im Solo: Eine Grenze steht dort nicht. Gewählt ist: Alle zählen."),
    }),
    "klassisch": (_("Artikel „Doppelkopf“"), {
        "deal_stays": _("Wer nach dem Neugeben gibt: Dazu steht dort nichts. Gewählt ist, was üblich ist: Derselbe gibt noch "
            "einmal."),
        "limits re_limit_more": _("Schneider der Alten: Dort ist nur die Gegenpartei mit weniger als 60 Augen Schneider. Gewählt "
            "ist dasselbe für beide."),
        "won limit gegen_die_alten": _("Die Beträge: Dort steht „nach Vereinbarung“. Gewählt sind 5 Cent, mit Schneider 10, mit "
            "schwarz 15, und 5 mehr gegen die Alten."),
        "special_payer": _("Wer den Fuchs bezahlt: die Kasse oder die andere Partei. Gewählt ist die Kasse."),
        "sitter": _("Zu fünft ist der Geber „am Gewinn oder Verlust beteiligt“. Gewählt ist: Er bekommt, was jeder Gewinner "
            "bekommt, und zählt im Solo als Gegner."),
    }),
}
# fmt: on
