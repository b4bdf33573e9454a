"""Recomputes a statement from the lists of the API, and prints each difference. Shares no code with the service."""

import json
import sys
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal

lists = json.load(open(sys.argv[1], encoding="utf-8"))
statement = json.load(open(sys.argv[2], encoding="utf-8"))
start, end = statement["start_date"], statement["end_date"]
differences = []


def expect(name, stated, computed):
    if stated != computed:
        differences.append(f"{name}: the statement has {stated!r}, the lists have {computed!r}")


def share(part, whole):
    if whole == 0:
        return None
    return float((Decimal(part) * 100 / Decimal(whole)).quantize(Decimal("0.01"), ROUND_HALF_UP))


sales = [sale for sale in lists["sales"] if start <= sale["local_date"][:10] <= end]
days = defaultdict(list)
for sale in sales:
    days[sale["local_date"][:10]].append(sale)

expect("days", [day["date"] for day in statement["days"] if day["records"] > 0], sorted(days))
for day in statement["days"]:
    found = days[day["date"]]
    expect(f"{day['date']} records", day["records"], len(found))
    for name in ("subtotal", "tax_paid", "total_paid"):
        expect(f"{day['date']} {name}", day[name], sum(sale[name] or 0 for sale in found))
    for kind, name in (("sale", "sales"), ("return", "returns"), ("adjustment", "adjustments")):
        expect(f"{day['date']} {name}", day[name], sum(sale["transaction_type"] == kind for sale in found))
for day in lists["sales_days"]:
    if start <= day["date"] <= end:
        stated = next(each for each in statement["days"] if each["date"] == day["date"])
        for name in ("digest", "revision", "complete", "completed_date"):
            expect(f"{day['date']} {name}", stated[name], day[name])

totals = statement["totals"]
expect("records", totals["records"], len(sales))
expect("total_paid", totals["total_paid"], sum(sale["total_paid"] or 0 for sale in sales))
gross = sum(sale["total_paid"] or 0 for sale in sales if sale["transaction_type"] != "return")
expect("gross_sales", totals["gross_sales"], gross)

paid, payments = defaultdict(int), defaultdict(int)
for sale in sales:
    for payment in sale["payments"]:
        paid[payment["type"]] += payment["amount_paid"]
        payments[payment["type"]] += 1
whole = sum(paid.values())
rows = {(row["type"], row["count"], row["amount"], row["share"]) for row in totals["by_payment"]}
expect("by_payment", rows, {(type, payments[type], paid[type], share(paid[type], whole)) for type in paid})

for name, group in (
    ("by_customer_type", lambda sale: (sale["customer"] or {}).get("type") or "unknown"),
    ("by_compliance", lambda sale: sale["compliance_status"]),
):
    key = "type" if name == "by_customer_type" else "status"
    sums, counts = defaultdict(int), defaultdict(int)
    for sale in sales:
        sums[group(sale)] += sale["total_paid"] or 0
        counts[group(sale)] += 1
    all_paid = sum(sums.values())
    for row in totals[name]:
        value = row[key]
        computed = [counts[value], sums[value], share(sums[value], all_paid)]
        expect(f"{name} {value}", [row["count"], row["total_paid"], row["share"]], computed)

flagged = {sale["id"]: sale for sale in sales if sale["compliance_status"] in ("red_flag", "warning")}
expect("flagged sales", {sale["sale_id"] for sale in statement["checks"]["flagged_sales"]}, set(flagged))
rules = defaultdict(lambda: [0, 0])
for sale in flagged.values():
    for finding, name in (("exception", "compliance_exceptions"), ("warning", "compliance_warnings")):
        for rule in {text.split(": ")[0] for text in sale[name]}:
            rules[(rule, finding)][0] += 1
            rules[(rule, finding)][1] += sale["total_paid"] or 0
stated = {(row["rule_id"], row["finding"]): [row["sales"], row["total_paid"]] for row in statement["checks"]["by_rule"]}
expect("by_rule", stated, dict(rules))

deposits = statement["deposits"]
day_of = lambda deposit: deposit["business_date"] or deposit["posted_date"]
counted = [deposit for deposit in lists["deposits"] if start <= day_of(deposit) <= end]
by_id = lambda deposit: deposit["id"]
expect("deposits", sorted(deposits["records"], key=by_id), sorted(counted, key=by_id))
sums = defaultdict(lambda: [0, 0])
for deposit in counted:
    key = (deposit["type"], deposit["excluded_reason"] is None)
    sums[key][0] += 1
    sums[key][1] += deposit["amount"]
rows = {(row["type"], row["counted"]): [row["count"], row["amount"]] for row in deposits["by_type"]}
expect("deposits by type", rows, dict(sums))
expect("cash counts", deposits["cash_counts"], sorted(lists["cash_counts"], key=lambda count: count["date"]))

# The balance: the count, then each day's cash less its deposits. Unclear payments make it a range.
count = max((each for each in lists["all_counts"] if each["date"] <= end), key=lambda each: each["date"])
low = high = count["amount"]
for sale in lists["sales"]:
    if count["date"] < sale["local_date"][:10] <= end:
        for payment in sale["payments"]:
            if payment["type"] == "cash":
                low += payment["amount_paid"]
                high += payment["amount_paid"]
            elif payment["type"] in ("multiple", "other", "unknown"):
                high += payment["amount_paid"]
for deposit in lists["deposits"]:
    if deposit["type"] == "cash" and deposit["excluded_reason"] is None and count["date"] < day_of(deposit) <= end:
        low -= deposit["amount"]
        high -= deposit["amount"]
balance = deposits["balance"]
expect("balance", [balance["balance_low"], balance["balance_high"], balance["counted"]], [low, high, count["date"]])

shown = {insight["id"]: insight for insight in statement["insights"]}
for insight in lists["insights"]:
    if insight["start_date"] <= end and insight["end_date"] >= start:
        for name in ("code", "status", "measured", "sentence", "history"):
            expect(f"insight {name}", shown[insight["id"]][name], insight[name])

print("\n".join(differences))
sys.exit(1 if differences else 0)
