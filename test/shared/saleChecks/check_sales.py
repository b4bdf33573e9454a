"""Sale checks, written from docs/spec.md#sale-checks alone: a second reading of that text to compare the service with.

Reads lines of JSON {"state", "sale"} from stdin. Prints one line per sale: {"compliance_status",
"compliance_exceptions", "compliance_warnings"}, ids of rules in place of texts. An argument names a file of more rules.
"""
import json
import math
import pathlib
import re
import sys
import unicodedata
from datetime import date, datetime, timedelta

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "shared" / "saleChecks"
ALL_KINDS = {"flower", "concentrate", "edible", "topical", "plant"}
CATEGORY_KINDS = {**dict.fromkeys(("edible", "edible_liquid", "liquid", "solid"), "edible"), "topical": "topical"}
CATEGORY_KINDS.update(dict.fromkeys(("seed", "seedling", "plant"), "plant"))
NO_PERSON = {"1900-01-01", "1901-01-01", "1970-01-01", "2000-01-01"}
TAX_REPORTING_POS = {"Blaze", "Dutchie", "Flowhub", "Meadow", "POSaBIT", "Treez"}
STATUS_CHECKS = {"minimum_age", "adult_use_not_permitted", "transaction_limit", "daily_limit"}
CARDS = {"medical", "medical_with_rec", "medical_with_state_card"}
DOCUMENTS = {"identification_expired": {"drivers", "passport", "temporary_adult"}, "medical_card_expired": CARDS}
MINORS = {"caregiver", "minor_medical", "temporary_minor_medical"}
CUSTOMERS = {"adult": "rec", "medical": "medical"}


def words(text):
    """The words of a name between blanks, so that phrases are found by their words."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text or "") if not unicodedata.category(c).startswith("M"))
    found = re.findall("[a-z]+", plain.lower())
    return " " + " ".join(word[:-1] if len(word) >= 3 and word.endswith("s") else word for word in found) + " "


WORDS = {name: list(map(words, texts)) for name, texts in json.loads((FOLDER / "words.json").read_text()).items()}


def has(line, name):
    product_name = words(line["product_name"])
    return any(text in product_name for text in WORDS[name])


def kinds(line):
    """The kinds of products that a line may be; none for a line that certainly is no cannabis."""
    category, cannabis = line["product_type"], line["cannabis_product"]
    if category == "accessory" and cannabis is not True:
        return set()
    if cannabis is not True:
        return set() if cannabis is False and category in (None, "other") else ALL_KINDS
    if category == "flower":
        return ALL_KINDS if has(line, "unclearFlower") else {"flower"}
    if category in ("extract", "oil/concentrate"):
        if has(line, "mayBeFlower"):
            return ALL_KINDS
        if (category == "extract" or has(line, "certainConcentrate")) and not has(line, "unclearConcentrate"):
            return {"concentrate"}
        return {"concentrate", "edible", "topical"}
    return {CATEGORY_KINDS[category]} if category in CATEGORY_KINDS else ALL_KINDS


def is_cannabis(line):
    return line["cannabis_product"] is True and line["product_type"] not in ("accessory", "other")


def day_of(text):
    try:
        return date(*map(int, re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text).groups()))
    except (TypeError, AttributeError, ValueError):
        return None


def years(start, day):
    month_day = (2, 28) if (start.month, start.day) == (2, 29) else (start.month, start.day)
    return day.year - start.year - ((day.month, day.day) < month_day)


def minimum_age(rule, sale, day):
    customer, born = sale["customer"], day_of(sale["customer"]["dob"])
    is_minors = rule["applies_to"] == "medical" and customer["id_type"] in MINORS
    is_known = born and customer["dob"] not in NO_PERSON and not is_minors and 10 <= years(born, day) <= 110
    return years(born, day) < rule["value"] if is_known else None


def minutes(time):
    return int(time[:2]) * 60 + int(time[3:5])


def sale_hours(rule, sale, day):
    (start, end), more = map(minutes, rule["value"].split("-")), rule["tolerance"]
    now = minutes(sale["local_date"][11:]) + float(sale["local_date"][17:]) / 60
    return not any(start - more <= now + days <= end + more for days in (-1440, 0, 1440))


def times(*factors):
    return None if None in factors else math.prod(factors)


def counted(rule, line, kind):
    """What a line of one kind counts in the rule's unit; None if this is unknown."""
    thc = times(line.get("thc_mg_per_unit"), line["num_units"])
    unit, factors = rule["unit"], rule["equivalence"]
    if unit.startswith("mg_thc"):
        return thc if unit in ("mg_thc", "mg_thc_" + kind) else None
    if factors is None:
        return line["grams"] if unit == "g_" + kind else None
    if kind in ("flower", "concentrate") and "g_" + kind in factors:
        return times(line["grams"], factors["g_" + kind])
    if kind == "concentrate" and "g_thc_concentrate" in factors:
        return times(thc, 0.001, factors["g_thc_concentrate"])
    return times(thc, factors.get("mg_thc")) if kind in ("concentrate", "edible") else None


def limit(rule, sale, day):
    if any((line[field] or 0) < 0 for line in sale["line_items"] for field in ("num_units", "grams")):
        return None
    total, is_complete = 0, True
    for possible, line in ((kinds(line), line) for line in sale["line_items"]):
        if not possible <= set(rule["not_limited"] or []):
            amount = max(counted(rule, line, *possible) or 0, 0) if len(possible) == 1 else 0
            is_complete = is_complete and amount > 0
            total += amount
    return True if total > rule["value"] + (rule["tolerance"] or 0) else (False if is_complete else None)


def free_product(rule, sale, day):
    prices = []
    for line in filter(is_cannabis, sale["line_items"]):
        units, price = line["num_units"], line["price_per_unit"]
        amounts = [discount["flat_amount"] for discount in line["line_item_discounts"]]
        if units is None or units > 0:
            prices.append(None if None in (units, price, *amounts) else abs(units * price - sum(amounts)))
    return any(price is not None and price < 0.5 for price in prices) or (None if None in prices else False)


def untaxed(rule, sale, day):
    if sale["pos_name"] not in TAX_REPORTING_POS or sale["total_paid"] is None or sale["tax_paid"] is None:
        return None
    has_tax = sale["taxes"] or any(line["line_item_taxes"] for line in sale["line_items"])
    return sale["total_paid"] > 0 and sale["tax_paid"] == 0 and not has_tax


def expired(rule, sale, day):
    buyer, dates = sale["customer"], (sale["date"], sale["svc_created_date"])
    expiry = day_of((buyer["id_expiration_date"] or "")[:10])
    if expiry is None or None in dates or buyer["id_type"] not in DOCUMENTS[rule["check"]]:
        return None
    moments = [datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ") for text in dates]
    is_clear = abs(moments[1] - moments[0]) <= timedelta(days=3) and years(expiry, day) < 10
    return expiry < day if is_clear else None


def weight(rule, sale, day):
    lines = [line for line in sale["line_items"] if line["grams"] is not None and (line["num_units"] or 0) > 0]
    edibles = [line for line in lines if is_cannabis(line) and line["product_type"] == "edible"]
    cartridges = [line for line in lines if kinds(line) == {"concentrate"} and has(line, "cartridge")]
    meant = edibles if rule["unit"] == "g_per_edible" else cartridges
    milligrams = [math.floor(line["grams"] / line["num_units"] * 1000 + 0.5) for line in meant]
    return max(milligrams) > rule["value"] * 1000 if milligrams else None


CHECKS = {
    "minimum_age": minimum_age, "adult_use_not_permitted": lambda *_: True, "sale_hours": sale_hours,
    "transaction_limit": limit, "daily_limit": limit, "free_product": free_product, "implausible_weight": weight,
    "identification_expired": expired, "medical_card_expired": expired, "adult_sale_without_tax": untaxed,
}


def check_sale(rules, state, sale):
    day = sale["local_date"][:10]
    in_force = [rule for rule in rules if rule["enabled"] and rule["from"] <= day <= (rule["to"] or day)]
    mine = [rule for rule in in_force if rule["state"] in (state, None)]
    has_no_hour = sale["local_date"].endswith(" 00:00:00.000")
    if sale["transaction_type"] != "sale" or has_no_hour or all(rule["state"] is None for rule in mine):
        return "unchecked", None, None
    buyer, found, outcomes = sale["customer"], {"exception": [], "warning": []}, []
    has_cannabis = any(map(is_cannabis, sale["line_items"]))
    no_person_needed = any(rule["check"] == "identification" for rule in mine)
    for rule in mine:
        check, customers = rule["check"], CUSTOMERS.get(rule["applies_to"])
        if customers and buyer["type"] not in (customers, None) or not any(map(kinds, sale["line_items"])):
            continue
        if check == "minimum_age" and rule["applies_to"] == "adult" and buyer["dob"] is None and no_person_needed:
            continue
        is_known = (buyer["type"] or not customers) and has_cannabis
        outcome = CHECKS[check](rule, sale, day_of(day)) if check in CHECKS and is_known else None
        if outcome:
            found[rule["severity"]].append(rule["id"])
        if check in STATUS_CHECKS:
            outcomes.append(outcome)
    if any(found.values()):
        return "red_flag" if found["exception"] else "warning", found["exception"], found["warning"]
    return ("svc_checked", [], []) if False in outcomes and None not in outcomes else ("unchecked", None, None)


if __name__ == "__main__":
    paths = [*sorted((FOLDER / "rules").glob("*.json")), *sys.argv[1:]]
    all_rules = [rule for path in paths for rule in json.loads(pathlib.Path(path).read_text())]
    names = "compliance_status", "compliance_exceptions", "compliance_warnings"
    for given in map(json.loads, sys.stdin):
        print(json.dumps(dict(zip(names, check_sale(all_rules, given["state"], given["sale"])))))
