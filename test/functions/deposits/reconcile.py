"""
Computes reconciliation days from the lists of the API alone, and shares no code with the service. Reads the lists as JSON on
stdin and writes the days as JSON, oldest first. The rules are those of docs/spec.md#reconciliation-days.
"""

import json
import sys
from datetime import date, timedelta

data = json.load(sys.stdin)
settings = data["settings"]
is_wholesale = data["business_type"] == "wholesale"
unclear = [kind for kind in ("multiple", "other", "unknown") if kind not in settings["never_cash"]]
sold = {day["date"]: day for day in data["sales_days"]}
counts = {count["date"]: count["amount"] for count in data["cash_counts"]}
posted = {}
for deposit in data["deposits"]:
    if deposit["excluded_reason"] is None and deposit["type"] in ("cash", "card"):
        posted.setdefault(deposit["business_date"] or deposit["posted_date"], []).append(deposit)

complete_days = sorted(day for day, totals in sold.items() if totals["complete"])
since = complete_days[0] if complete_days else None
if since and settings["since"]:
    since = max(since, settings["since"])


def shift(day, days):
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def between(first, last):
    return (date.fromisoformat(last) - date.fromisoformat(first)).days


def paid(day, *kinds):
    return [one["amount"] for one in sold.get(day, {}).get("by_payment", []) if one["type"] in kinds]


def high(day):
    return sum(paid(day, "cash")) + sum(amount for amount in paid(day, *unclear) if amount > 0)


def low(day):
    return sum(paid(day, "cash")) + sum(amount for amount in paid(day, *unclear) if amount < 0)


def is_known(days):
    return all(sold.get(day, {}).get("unknown_paid_amounts", 0) == 0 for day in days)


def until(day, days):
    return [shift(day, -past) for past in range(days)]


def sold_within(day, days):
    return sum(map(high, until(day, days)))


def total(day, kind):
    return sum(one["amount"] for one in posted.get(day, []) if one["type"] == kind)


def unpaid(day, days=60):
    return max(sold_within(day, min(days, 60)), 0) if is_wholesale else 0


def balance(counted, day):
    """The least and the most cash at the end of a day, and the upper value of the cash sales since the count."""
    days = [shift(counted, past) for past in range(1, between(counted, day) + 1)]
    change = [low(each) - total(each, "cash") for each in days], [high(each) - total(each, "cash") for each in days]
    return counts[counted] + sum(change[0]), counts[counted] + unpaid(counted) + sum(change[1]), sum(map(high, days))


def tolerance_of(upper):
    return max(settings["tolerance_amount"], upper * settings["tolerance_percent"] // 100)


result = []
for day in sorted({*sold, *posted, *counts}):
    earlier = sorted(other for other in counts if other <= day and (since is None or other >= shift(since, -1)))
    counted = earlier[-1] if earlier else None
    invoiced = until(counted, 60) if counted and is_wholesale else []
    is_lost = counted is not None and not is_known(invoiced + until(day, between(counted, day)))
    counted = None if is_lost else counted
    lowest, highest, upper = balance(counted, day) if counted else (None, None, 0)
    arrivals = [
        other
        for other, deposits in posted.items()
        if other <= day and any(one["type"] == "cash" and one["amount"] > 0 for one in deposits)
    ]
    waited = between(max(arrivals), day) if arrivals else None
    # Between complete days, a day that is not listed had no sales.
    is_between = bool(complete_days) and complete_days[0] < day < complete_days[-1]
    is_complete = sold[day]["complete"] if day in sold else is_between
    tolerance = tolerance_of(upper)
    longest = settings["max_days_without_deposit"]
    is_compared = is_complete and since is not None and day >= since
    difference, difference_tolerance = None, 0
    if is_compared and counted == day and len(earlier) > 1 and is_known(
        until(day, between(earlier[-2], day)) + (until(earlier[-2], 60) if is_wholesale else [])
    ):
        least, most, upper_before = balance(earlier[-2], day)
        difference = min(counts[day] - (least - unpaid(day, between(earlier[-2], day))), 0) + max(counts[day] - most, 0)
        difference_tolerance = tolerance_of(upper_before)
    if not is_compared or is_lost:
        status = "not_compared"
    elif difference is not None and abs(difference) > difference_tolerance:
        status = "count_differs"
    elif counted is None:
        status = "no_balance"
    elif highest < -tolerance:
        status = "deposits_unexplained"
    elif lowest > tolerance and (
        (between(counted, day) if waited is None else waited) > longest
        or (between(since, day) + 1 >= longest and is_known(until(day, longest)) and lowest - tolerance > sold_within(day, longest))
    ):
        status = "cash_outstanding"
    else:
        status = "within"
    result.append(
        {
            "date": day,
            "cash_sales_low": low(day),
            "cash_sales_high": high(day),
            "card_sales": sum(paid(day, "debit", "credit")),
            "cash_deposited": total(day, "cash"),
            "card_settled": total(day, "card"),
            "balance_low": lowest,
            "balance_high": highest,
            "counted": counted,
            "count_difference": difference,
            "days_since_deposit": waited,
            "complete": is_complete,
            "status": status,
        }
    )
json.dump(result, sys.stdout)
