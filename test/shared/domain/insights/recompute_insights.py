"""
Computes insights from the lists of the API alone, and shares no code with the service. Reads the sales, the sales days, the days to
judge and the settings as JSON on stdin, and writes the code, the first and the last day of each insight. The rules are those of
docs/spec.md#insights.
"""

import json
import math
import sys
from collections import Counter, defaultdict
from datetime import date, timedelta
from statistics import median

data = json.load(sys.stdin)
settings = data["settings"]
days = {day["date"]: day for day in data["sales_days"] if day["complete"]}
# Between complete days, a day that is not listed had no sales.
number = (date.fromisoformat(max(days)) - date.fromisoformat(min(days))).days
for past in range(number):
    days.setdefault((date.fromisoformat(min(days)) + timedelta(days=past)).isoformat(), {"by_payment": []})
sold = defaultdict(list)
for sale in data["sales"]:
    sold[sale["local_date"][:10]].append(sale)


def shift(day, by):
    return (date.fromisoformat(day) + timedelta(days=by)).isoformat()


def span(last, count):
    return [shift(last, -past) for past in reversed(range(count))]


def count(day, name):
    return days.get(day, {}).get(name, 0)


def weekdays(day):
    """The same weekday of the eight weeks before, without days without sales."""
    return [other for other in (shift(day, -7 * week) for week in range(1, 9)) if count(other, "sales") > 0]


def needs(code, history):
    return settings[code]["enabled"] and history >= settings[code]["minimum_history"]


def deviation(values):
    return median(abs(value - median(values)) for value in values)


def revenue(day):
    totals = [count(other, "total_paid") for other in weekdays(day)]
    if not totals or not needs("revenue_above_baseline", len(totals)):
        return False
    usual, paid = median(totals), count(day, "total_paid")
    limit = settings["revenue_above_baseline"]["threshold"] * usual
    return usual > 0 and paid > limit and paid > usual + 3 * deviation(totals)


def counted(code, name):
    def holds(day):
        counts = [count(other, name) for other in weekdays(day)]
        if not counts or not needs(code, len(counts)):
            return False
        usual = median(counts)
        spread = max(deviation(counts), math.sqrt(usual), 1)
        return count(day, name) >= 3 and count(day, name) > usual + settings[code]["threshold"] * spread

    return holds


def hours(day):
    paid = [one for one in sold[day] if one["transaction_type"] == "sale" and (one["total_paid"] or 0) > 0]
    return [int(one["local_date"][11:13]) for one in paid if not one["local_date"].endswith("00:00:00.000")]


def outside(day):
    before = span(shift(day, -1), 56)
    past = sorted(hour for other in before for hour in hours(other))
    if not past or not needs("outside_own_hours", sum(1 for other in before if hours(other))):
        return False
    first = next(hour for hour in range(24) if sum(1 for one in past if one <= hour) >= len(past) / 100)
    last = next(hour for hour in reversed(range(24)) if sum(1 for one in past if one >= hour) >= len(past) / 100)
    today = hours(day)
    found = sum(1 for hour in today if hour < first or hour > last)
    usual = sum(1 for hour in past if hour < first or hour > last) / len(past) * len(today)
    return found >= settings["outside_own_hours"]["threshold"] and found > usual + 3 * math.sqrt(usual)


def silence(day):
    """The first day of a row of business days without sales that this day completes."""
    wanted = settings["no_sales"]["threshold"]
    open_days = [other for other in span(day, 7 * (wanted + 1) + 1) if needs("no_sales", len(weekdays(other)))]
    row = open_days[-wanted:]
    is_row = len(open_days) > wanted and row[-1] == day and all(other in days and not count(other, "sales") for other in row)
    return row[0] if is_row and count(open_days[-wanted - 1], "sales") > 0 else None


def ends(day, length):
    return (date.fromisoformat(day) - date(2026, 1, 4)).days % length == 0


def cash_share(some):
    paid = [one for day in some for one in days[day]["by_payment"]]
    total = sum(one["amount"] for one in paid)
    unclear = [sum(one["amount"] for one in paid if one["type"] == kind) for kind in ("multiple", "other", "unknown")]
    cash = sum(one["amount"] for one in paid if one["type"] == "cash")
    if total <= 0:
        return None
    return 100 * (cash + sum(min(one, 0) for one in unclear)) / total, 100 * (cash + sum(max(one, 0) for one in unclear)) / total


def cash_changed(day):
    now, past = span(day, 28), [other for other in span(shift(day, -28), 84) if other in days]
    if not ends(day, 28) or not needs("cash_share_changed", len(past)) or any(other not in days for other in now):
        return False
    share, before = cash_share(now), cash_share(past)
    if share is None or before is None:
        return False
    return max(share[0] - before[1], before[0] - share[1]) > settings["cash_share_changed"]["threshold"]


def equal(day):
    def share(last):
        week = span(last, 7)
        # A total counts on the days on which several sales have it.
        equals, number = Counter(), 0
        for other in week:
            paid = [one["total_paid"] for one in sold[other] if one["transaction_type"] == "sale"]
            totals = Counter(total for total in paid if total and total > 0)
            number += sum(totals.values())
            equals.update({total: times for total, times in totals.items() if times > 1})
        if any(other not in days for other in week) or not number:
            return None
        most = max(equals.values(), default=0)
        return most, most / number

    past = [one[1] for one in (share(shift(day, -7 * week)) for week in range(1, 9)) if one]
    now = share(day) if ends(day, 7) else None
    if not now or not past or not needs("equal_amounts", len(past)) or now[0] < 20:
        return False
    return now[1] > settings["equal_amounts"]["threshold"] * median(past)


def share_of(code, names):
    def share(last):
        month = span(last, 28)
        retail = [one for other in month for one in sold[other] if one["type"] == "retail"]
        if any(other not in days for other in month) or not retail:
            return None
        return 100 * sum(1 for one in retail if names(one)) / len(retail)

    def holds(day):
        now, before = share(day), share(shift(day, -28))
        limit = settings[code]["threshold"]
        return ends(day, 28) and now is not None and now > limit and not (before is not None and before > limit)

    return holds


def customers(day):
    bought = defaultdict(list)
    for one in sold[day]:
        if one["customer"] and one["customer"]["customer_id"]:
            bought[one["customer"]["customer_id"]].append(one)
    return bought


def large_cash(day):
    def cash(one):
        return sum(part["amount_paid"] for part in one["payments"] if part["type"] == "cash")

    limit = settings["large_cash_payment"]["threshold"]
    has_history = sum(1 for other in span(shift(day, -1), 56) if other in days) >= settings["large_cash_payment"]["minimum_history"]
    alone = any(cash(one) > limit for one in sold[day])
    return alone or (has_history and any(sum(map(cash, some)) > limit for some in customers(day).values()))


def repeated(day):
    has_history = sum(1 for other in span(shift(day, -1), 56) if other in days) >= settings["repeat_purchases"]["minimum_history"]
    often = [some for some in customers(day).values() if sum(1 for one in some if one["transaction_type"] == "sale") >= settings["repeat_purchases"]["threshold"]]
    return has_history and bool(often)


whole_day = {
    "revenue_above_baseline": revenue,
    "returns_above_baseline": counted("returns_above_baseline", "returns"),
    "voids_above_baseline": counted("voids_above_baseline", "adjustments"),
    "outside_own_hours": outside,
    "large_cash_payment": large_cash,
    "repeat_purchases": repeated,
}
periods = {
    "cash_share_changed": (28, cash_changed),
    "equal_amounts": (7, equal),
    "flagged_sales_share": (28, share_of("flagged_sales_share", lambda one: one["compliance_status"] == "red_flag")),
    "unknown_customer_share": (
        28,
        share_of("unknown_customer_share", lambda one: not one["customer"] or one["customer"]["type"] not in ("rec", "medical")),
    ),
}
found = []
for judged in sorted(day for day in days if data["from"] <= day <= data["to"]):
    found += [[code, judged, judged] for code, holds in whole_day.items() if settings[code]["enabled"] and holds(judged)]
    found += [[code, shift(judged, 1 - length), judged] for code, (length, holds) in periods.items() if holds(judged)]
    if silence(judged):
        found.append(["no_sales", silence(judged), judged])
    flagged = sum(1 for one in sold[judged] if one["compliance_status"] == "red_flag")
    found += [["flagged_sale", judged, judged]] * (flagged if flagged < 20 else 1)
json.dump(sorted(found), sys.stdout)
