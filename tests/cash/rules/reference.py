"""Decides, slowly and in plain words, what every legal line of `manage.py charges` answers.

This is the description of the Kasse written out a second time, one function per paragraph, so that the real
computation can be held against it. It shares no code with the project. The sections in the docstrings are those of the
description.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, count
from math import ceil, floor
from typing import Any


def split(cents: int, weights: Sequence[Fraction | int], turn: int) -> list[int]:
    """Section 4, Split: each the whole cents of their part; those left over one each to the largest remainders.

    Somebody of weight 0 is no sharer and has 0. Equal remainders: in the order, beginning with sharer number
    `turn` mod k and going round.
    """
    if cents < 0:
        return [-share for share in split(-cents, weights, turn)]
    whole = sum(weights)
    exact = [cents * Fraction(weight) / whole if weight else Fraction(0) for weight in weights]
    shares = [floor(part) for part in exact]
    sharers = [place for place, weight in enumerate(weights) if weight > 0]
    begin = turn % len(sharers)
    from_the_turn = sharers[begin:] + sharers[:begin]
    # Python sorts stably: of equal remainders the one that is nearer to the turn stays in front.
    by_remainder = sorted(from_the_turn, key=lambda place: exact[place] - shares[place], reverse=True)
    for place in by_remainder[: cents - sum(shares)]:
        shares[place] += 1
    return shares


def split_evenly(cents: int, names: Sequence[str], turn: int) -> dict[str, int]:
    return dict(zip(names, split(cents, [1] * len(names), turn), strict=True))


def rounded(amount: Fraction, how_to: dict[str, Any]) -> int:
    """Section 3, Round: to whole steps of `to` cents; nearest takes halves up."""
    step = how_to.get("to", 1)
    steps = Fraction(amount) / step
    how = how_to.get("how", "nearest")
    if how == "down":
        return floor(steps) * step
    if how == "up":
        return ceil(steps) * step
    return floor(steps + Fraction(1, 2)) * step


MONTHS = {
    "month": ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"],
    "quarter": ["01", "04", "07", "10"],
    "year": ["01"],
}


def legs_of_month(month: dict[str, Any], tariff: dict[str, Any]) -> Counter[tuple[str, str]]:
    """Section 4, Dues: each who is no guest and a member on its first day, by their status."""
    legs: Counter[tuple[str, str]] = Counter()
    dues = tariff.get("dues")
    if dues is None or not is_due(month, dues):
        return legs
    amounts = {"full": dues["cents"], "reduced": dues.get("reduced", 0), "none": 0}
    for person in month["people"]:
        if not person.get("guest", False) and is_member_on(f"{month['month']}-01", person):
            cents = amounts[person.get("dues", "full")]
            legs["dues", f"member:{person['id']}"] += cents
            legs["dues", "income:dues"] -= cents
    return legs


def is_due(month: dict[str, Any], dues: dict[str, Any]) -> bool:
    if dues.get("when", "always") == "no_evening" and month.get("evenings", 0) > 0:
        return False
    return month["month"][5:] in MONTHS[dues.get("every", "month")]


def is_member_on(day: str, person: dict[str, Any]) -> bool:
    """`from` ≤ it ≤ `until`; a day written YYYY-MM-DD is later when it comes later in the alphabet."""
    begins, ends = person.get("from"), person.get("until")
    return (begins is None or begins <= day) and (ends is None or day <= ends)


Json = dict[str, Any]


def fine_legs(evening: Json, code: str, fine: Json) -> dict[str, int]:
    """Section 4, 6: to `income:fines`."""
    rows = [row for row in evening.get("fines", []) if row["code"] == code]
    charges: Counter[str] = Counter()
    if "steps" in fine:
        counted = lost_games(evening) if fine.get("counts", "entries") == "lost_games" else entries(rows)
        for name, number in counted.items():
            charges[name] += sum(cost_of_event(nth, fine["steps"]) for nth in range(1, number + 1))
    for row in rows:
        if "open" in fine:
            charges[row["who"]] += row["cents"]
        elif "minutes" in fine:
            charges[row["who"]] += cost_of_minutes(row["minutes"], fine)
        elif "cents" in fine:
            charges[row["who"]] += fine["cents"] * row.get("count", 1)
    legs = {f"member:{name}": cents for name, cents in charges.items()}
    return {**legs, "income:fines": -charges.total()}


def entries(rows: list[Json]) -> dict[str, int]:
    """Section 4, 6: counts of one person and code are added before the steps."""
    counted: Counter[str] = Counter()
    for row in rows:
        counted[row["who"]] += row.get("count", 1)
    return dict(counted)


def lost_games(evening: Json) -> dict[str, int]:
    """Section 4, 6: `lost` of everybody here."""
    return {person["id"]: person.get("lost", 0) for person in evening["people"] if person.get("absence") is None}


def cost_of_event(nth: int, steps: list[list[Any]]) -> int:
    """Section 3: the first so many cost the first amount each, the next the second, all further the last."""
    for number, cents in steps:
        if number is None or nth <= number:
            return cents
        nth -= number
    raise AssertionError("the last step holds for all further ones")


def cost_of_minutes(minutes: int, fine: Json) -> int:
    """Section 3: per started n minutes of each row, at most `cap`."""
    started = next(periods for periods in count() if periods * fine["minutes"] >= minutes)
    cents = started * fine["cents"]
    return min(cents, fine["cap"]) if "cap" in fine else cents


def pot_legs(evening: dict[str, Any], tariff: dict[str, Any]) -> dict[str, int]:
    """Section 4, 2: account → cents, each table in cents by itself."""
    legs: Counter[str] = Counter()
    for table in evening.get("tables", []):
        if table["unit"] == "cents":
            legs.update(legs_of_table(table, evening, tariff))
    return dict(legs)


def legs_of_table(table: dict[str, Any], evening: dict[str, Any], tariff: dict[str, Any]) -> dict[str, int]:
    put_in: Counter[str] = Counter()
    got: Counter[str] = Counter()
    bought_in: set[str] = set()
    for line in table["lines"]:
        for name in line["seats"]:
            if name not in bought_in:
                bought_in.add(name)
                put_in[name] += tariff["buy_in"]
        if "top_up" in line:
            all_put_in(line, line["top_up"], put_in)
        else:
            drawn = sum(line["points"])
            while tariff.get("empty", "charge") == "charge" and put_in.total() - got.total() < drawn:
                all_put_in(line, tariff.get("top_up", tariff["buy_in"]), put_in)
            for name, points in zip(line["seats"], line["points"], strict=True):
                got[name] += points
    rest = put_in.total() - got.total()
    legs: Counter[str] = Counter()
    if rest > 0 and tariff.get("rest", "split") == "kasse":
        legs["income:pot"] = -rest
    elif rest != 0:
        sharers = [person["id"] for person in evening["people"] if person["id"] in bought_in]
        got.update(split_evenly(rest, sharers, evening.get("turn", 0)))
    for name in bought_in:
        legs[f"member:{name}"] = put_in[name] - got[name]
    return dict(legs)


def all_put_in(line: dict[str, Any], cents: int, put_in: Counter[str]) -> None:
    """Each of the seats of a line."""
    for name in line["seats"]:
        put_in[name] += cents


Group = dict[str, Fraction]
Owed = dict[str, Fraction]


def points_legs(evening: dict[str, Any], tariff: dict[str, Any]) -> dict[str, int]:
    """Section 4, 1: account → cents."""
    people = [person["id"] for person in evening["people"]]
    net = {name: Fraction(0) for name in people}
    for group in groups_of(evening, tariff):
        for name, owed in owed_in(group, tariff).items():
            net[name] += owed
    payers = [name for name in people if net[name] > 0]
    getters = [name for name in people if net[name] < 0]
    if not payers:
        return {}
    legs = {f"member:{name}": paid(net[name], tariff) for name in payers}
    paid_in = sum(legs.values())
    exactly_owed = sum(net[name] for name in payers)
    exactly_due = sum(-net[name] for name in getters)
    handed_out = floor(paid_in * Fraction(exactly_due) / exactly_owed)
    legs["income:points"] = -(paid_in - handed_out)
    if getters:
        shares = split(handed_out, [-net[name] for name in getters], evening.get("turn", 0))
        legs |= {f"member:{name}": -share for name, share in zip(getters, shares, strict=True)}
    return legs


def paid(net: Fraction, tariff: dict[str, Any]) -> int:
    """Section 4, 1: net rounded by `round`, then at most `cap`."""
    amount = rounded(net, tariff.get("round", {}))
    return min(amount, tariff["cap"]) if "cap" in tariff else amount


# --- Who is compared with whom ----------------------------------------------------------------------------------------


def groups_of(evening: dict[str, Any], tariff: dict[str, Any]) -> list[Group]:
    """Section 4, 1: a group is the evening, a table, or a line; people without an entry in it take no part."""
    guests = {person["id"] for person in evening["people"] if person.get("guest", False)}
    left_out = guests if tariff.get("guests", True) is False else set()
    tables = [table for table in evening.get("tables", []) if table["unit"] == "points"]
    lines = [[times(line, factor_of(table, tariff)) for line in lines_of(table)] for table in tables]
    scope = tariff.get("scope", "evening")
    if scope == "evening":
        groups = [together([line for of_table in lines for line in of_table])]
    elif scope == "table":
        groups = [together(of_table) for of_table in lines]
    else:
        groups = [line for of_table in lines for line in of_table]
    return [{name: points for name, points in group.items() if name not in left_out} for group in groups]


def lines_of(table: dict[str, Any]) -> list[dict[str, int]]:
    """Section 9: a sum without lines is one line."""
    if "points" in table:
        return [table["points"]]
    return [dict(zip(line["seats"], line["points"], strict=True)) for line in table["lines"]]


def factor_of(table: dict[str, Any], tariff: dict[str, Any]) -> Fraction:
    """Section 4, 1: `factors` of its rule set, else 1."""
    return Fraction(tariff.get("factors", {}).get(table.get("rules"), 1))


def times(line: dict[str, int], factor: Fraction) -> Group:
    return {name: points * factor for name, points in line.items()}


def together(lines: list[Group]) -> Group:
    """The sums of everybody who has an entry in one of them."""
    names = {name for line in lines for name in line}
    return {name: sum((line.get(name, Fraction(0)) for line in lines), Fraction(0)) for name in names}


# --- What each owes in a group; below 0: gets -------------------------------------------------------------------------


def owed_in(group: Group, tariff: dict[str, Any]) -> Owed:
    """Section 4, 1: exact, as fractions."""
    if tariff["scheme"] == "rank":
        return by_rank(group, tariff["amounts"])
    rate = rate_of(group, tariff)
    if tariff["scheme"] == "minus":
        return by_minus(group, rate, Fraction(tariff.get("winners", 0)))
    each_owes = {"each": to_each, "best": to_the_best, "better": to_all_better}[tariff["scheme"]]
    return {name: rate * each_owes(points, list(group.values())) for name, points in group.items()}


def rate_of(group: Group, tariff: dict[str, Any]) -> Fraction:
    """Section 4, 1: `dearer.rate` where somebody has more than ±beyond."""
    dearer = tariff.get("dearer")
    if dearer and any(abs(points) > dearer["beyond"] for points in group.values()):
        return Fraction(dearer["rate"])
    return Fraction(tariff["rate"])


def by_minus(group: Group, rate: Fraction, winners: Fraction) -> Owed:
    """Section 4, `minus`: who has a minus pays; a part goes to those above 0 in proportion to their points."""
    owed = {name: max(-points, Fraction(0)) * rate for name, points in group.items()}
    for_winners = sum(owed.values()) * winners
    above = sum(points for points in group.values() if points > 0)
    gets = {name: for_winners * points / above for name, points in group.items() if points > 0}
    return {name: owed[name] - gets.get(name, 0) for name in group}


def to_each(points: Fraction, all_points: list[Fraction]) -> Fraction:
    """Section 4, `each`: everybody with everybody, one after the other."""
    return sum((other - points for other in all_points), Fraction(0))


def to_the_best(points: Fraction, all_points: list[Fraction]) -> Fraction:
    """Section 4, `best`."""
    return max(all_points) - points


def to_all_better(points: Fraction, all_points: list[Fraction]) -> Fraction:
    """Section 4, `better`."""
    return sum((other - points for other in all_points if other > points), Fraction(0))


def by_rank(group: Group, amounts: list[int]) -> Owed:
    """Section 4, `rank`: people level pay the mean of the amounts of the places they take together."""
    owed = {}
    for name, points in group.items():
        better = [other for other in group.values() if other > points]
        level = [other for other in group.values() if other == points]
        places = range(len(better), len(better) + len(level))
        taken = [amounts[min(place, len(amounts) - 1)] for place in places]
        owed[name] = Fraction(sum(taken), len(taken))
    return owed


Balance = tuple[str, int]
Transfer = dict[str, Any]
MOST_EXACTLY = 16


def transfers_of(balances: list[Balance]) -> list[Transfer]:
    """Section 7: what they do not add up to is the Kasse's, last; balances of 0 fall away first."""
    kasse = ("kasse", -sum(cents for _, cents in balances))
    open_ones = [(name, cents) for name, cents in [*balances, kasse] if cents != 0]
    groups = best_groups(open_ones) if len(open_ones) <= MOST_EXACTLY else pairs_and_the_rest(open_ones)
    return [transfer for group in groups for transfer in within(group)]


def best_groups(balances: list[Balance]) -> Iterator[list[Balance]]:
    """Section 7: zero-sum groups, as many as possible.

    Always the first person still open; of the groups with them that leave a best partition possible the one with
    fewest people, of several the one whose list of positions comes first.
    """
    most = most_groups([cents for _, cents in balances])
    still_open = list(range(len(balances)))
    while still_open:
        group = next(
            group
            for group in with_the_first(still_open)
            if sum(balances[place][1] for place in group) == 0
            and most[mask(still_open)] == 1 + most[mask(still_open) - mask(group)]
        )
        yield [balances[place] for place in group]
        still_open = [place for place in still_open if place not in group]


def with_the_first(places: list[int]) -> Iterator[tuple[int, ...]]:
    """Every group with the first of them: the smallest before larger ones, of one size in the order of positions."""
    first, *others = places
    for size in range(len(places)):
        for chosen in combinations(others, size):
            yield (first, *chosen)


def mask(places: tuple[int, ...] | list[int]) -> int:
    return sum(1 << place for place in places)


def most_groups(cents: list[int]) -> list[int]:
    """How many zero-sum groups each set of people can be parted into at most, by its mask.

    People step forward one after another; each time that those in front sum to 0 a group is complete. Of all orders in
    which they can step forward the best one counts.
    """
    most = [0]
    sums = [0]
    for people in range(1, 1 << len(cents)):
        last = people.bit_length() - 1
        sums.append(sums[people - (1 << last)] + cents[last])
        before = max(most[people - (1 << place)] for place in range(last + 1) if people >> place & 1)
        most.append(before + (sums[people] == 0))
    return most


def pairs_and_the_rest(balances: list[Balance]) -> list[list[Balance]]:
    """Section 7, above 16: for each debtor the first creditor still free with exactly that amount; all others one group."""
    pairs: list[list[Balance]] = []
    rest = list(balances)
    for debtor in [balance for balance in balances if balance[1] > 0]:
        creditor = next((one for one in rest if one[1] == -debtor[1]), None)
        if creditor is not None:
            pairs.append([debtor, creditor])
            rest.remove(debtor)
            rest.remove(creditor)
    return [*pairs, rest]


def within(group: list[Balance]) -> Iterator[Transfer]:
    """Section 7: the largest debtor pays the largest creditor the smaller of both amounts; of equals the first."""
    left = dict(group)
    while any(left.values()):
        debtor = max(left, key=lambda name: left[name])
        creditor = min(left, key=lambda name: left[name])
        cents = min(left[debtor], -left[creditor])
        yield {"from": debtor, "to": creditor, "cents": cents}
        left[debtor] -= cents
        left[creditor] += cents


Legs = Counter[tuple[str, str]]  # (kind, account) → cents


def legs_of_evening(evening: Json, tariff: Json) -> Legs:
    """Section 4: each part has its own kind of leg; a part that is absent charges nothing."""
    legs: Legs = Counter()
    if "points" in tariff:
        add(legs, "points", points_legs(evening, tariff["points"]))
    if "pot" in tariff:
        add(legs, "pot", pot_legs(evening, tariff["pot"]))
    if "fee" in tariff:
        add(legs, "fee", fee_legs(evening, tariff["fee"]))
    if "guests" in tariff:
        add(legs, "guest", guest_legs(evening, tariff["guests"]))
    if "host" in tariff and "host" in evening:
        add(legs, "host", host_legs(evening, tariff["host"]))
    if "drinks" in tariff:
        add(legs, "drinks", drinks_legs(evening, tariff["drinks"]))
    for code, fine in tariff.get("fines", {}).items():
        add(legs, f"fine.{code}", fine_legs(evening, code, fine))
    if "absence" in tariff:
        add(legs, "absence", absence_legs(evening, tariff["absence"], legs))
    return paid_for_guests(legs, evening, tariff.get("guests", {}).get("payer", "guest"))


def add(legs: Legs, kind: str, of_kind: dict[str, int]) -> None:
    """Section 4: legs of a kind are summed per account."""
    for account, cents in of_kind.items():
        legs[kind, account] += cents


def against(account: str, charges: dict[str, int]) -> dict[str, int]:
    """What each member is charged, and all of it on the other side."""
    legs = {f"member:{name}": cents for name, cents in charges.items()}
    return {**legs, account: -sum(charges.values())}


# --- Who is meant -----------------------------------------------------------------------------------------------------


def is_member(person: Json) -> bool:
    return not person.get("guest", False)


def is_there(person: Json) -> bool:
    return person.get("absence") is None


def here(evening: Json) -> list[Json]:
    """Section 4: everybody there, guests too, in the order."""
    return [person for person in evening["people"] if is_there(person)]


def members_there(evening: Json) -> list[str]:
    return [person["id"] for person in here(evening) if is_member(person)]


# --- The parts --------------------------------------------------------------------------------------------------------


def fee_legs(evening: Json, fee: Json) -> dict[str, int]:
    """Section 4, 3: members there, with `absent` also those excused or unexcused."""
    who = members_there(evening)
    if fee.get("absent", False):
        away = [person for person in evening["people"] if person.get("absence") in ["excused", "unexcused"]]
        who += [person["id"] for person in away if is_member(person)]
    return against("income:fee", dict.fromkeys(who, fee["cents"]))


def guest_legs(evening: Json, guests: Json) -> dict[str, int]:
    """Section 4, 3: each guest there."""
    who = [person["id"] for person in here(evening) if not is_member(person)]
    return against("income:guest", dict.fromkeys(who, guests.get("cents", 0)))


def host_legs(evening: Json, tariff: Json) -> dict[str, int]:
    """Section 4, 4: every other member there pays the host, or the club does once."""
    host, cents = evening["host"], tariff["cents"]
    if tariff.get("from", "others") == "club":
        return {"expense:host": cents, f"member:{host}": -cents}
    return against(f"member:{host}", {name: cents for name in members_there(evening) if name != host})


def drinks_legs(evening: Json, tariff: Json) -> dict[str, int]:
    """Section 4, 5: `flat` and the list; with `shared` the bill, evenly among everybody here."""
    prices = tariff.get("list", {})
    charges = {
        person["id"]: tariff.get("flat", 0) + sum(prices[code] * n for code, n in person.get("drinks", {}).items())
        for person in here(evening)
    }
    legs = Counter(against("income:drinks", charges))
    if "drinks" in evening and charges:
        bill = evening["drinks"]
        paid_by = f"member:{bill['paid_by']}" if "paid_by" in bill else "income:drinks"
        for name, share in split_evenly(bill["cents"], list(charges), evening.get("turn", 0)).items():
            legs[f"member:{name}"] += share
            legs[paid_by] -= share
    return dict(legs)


def absence_legs(evening: Json, tariff: Json, legs: Legs) -> dict[str, int]:
    """Section 4, 7: members excused or unexcused pay the average of those there, and `plus`."""
    charges = {}
    for person in evening["people"]:
        if is_member(person) and person.get("absence") in ["excused", "unexcused"]:
            how = tariff.get(person["absence"], {})
            mean = average(evening, how.get("average", []), legs)
            charges[person["id"]] = rounded(mean, tariff.get("round", {})) + how.get("plus", 0)
    return against("income:absence", charges)


def average(evening: Json, words: list[str], legs: Legs) -> Fraction:
    """Section 4, 7: what the legs of the named kinds of all members there come to where above 0; every fine by itself."""
    members = members_there(evening)
    if not members:
        return Fraction(0)
    of_them = {(kind, account): cents for (kind, account), cents in legs.items() if account[:7] == "member:"}
    kinds = [(word_of(kind), account[7:], cents) for (kind, account), cents in of_them.items()]
    above = [cents for word, name, cents in kinds if word in words and name in members and cents > 0]
    return Fraction(sum(above), len(members))


def word_of(kind: str) -> str:
    return "fines" if kind.startswith("fine.") else kind


def paid_for_guests(legs: Legs, evening: Json, payer: str) -> Legs:
    """Section 4, 8: every leg of a guest moves to the payer; where there is none the guest keeps it."""
    accounts = {}
    for guest in [person for person in evening["people"] if not is_member(person)]:
        own = f"member:{guest['id']}"
        host = f"member:{evening['host']}" if "host" in evening else own
        bringer = f"member:{guest['brought_by']}" if guest.get("brought_by") is not None else own
        accounts[own] = {"guest": own, "host": host, "bringer": bringer, "club": "expense:guests"}[payer]
    moved: Legs = Counter()
    for (kind, account), cents in legs.items():
        moved[kind, accounts.get(account, account)] += cents
    return moved


def answer(line: Json) -> Json:
    """Section 9: one of the four."""
    if "evening" in line:
        return answer_evening(line)
    if "month" in line:
        return {"legs": written(legs_of_month(line["month"], line["tariff"]))}
    if "settle" in line:
        return {"transfers": transfers_of([(name, cents) for name, cents in line["settle"]])}
    weights = [Fraction(weight) for weight in line["split"]["weights"]]
    return {"shares": split(line["split"]["cents"], weights, line["split"].get("turn", 0))}


def answer_evening(line: Json) -> Json:
    """Section 9: the legs, and where something is booked how it differs from them."""
    legs = legs_of_evening(line["evening"], line["tariff"])
    if "booked" not in line:
        return {"legs": written(legs)}
    booked: Legs = Counter()
    for leg in line["booked"]:
        booked[leg["kind"], leg["account"]] += leg["cents"]
    difference = [
        {"account": account, "kind": kind, "was": booked[kind, account], "is": legs[kind, account]}
        for kind, account in sorted({*legs, *booked})
        if booked[kind, account] != legs[kind, account]
    ]
    return {"legs": written(legs), "difference": difference}


def written(legs: Legs) -> list[Json]:
    """Section 9: sorted by kind, then account; section 4: a sum of 0 is no leg."""
    return [
        {"account": account, "cents": cents, "kind": kind} for (kind, account), cents in sorted(legs.items()) if cents
    ]
