import { isCannabis, isCartridge, productKinds } from "./productKinds.ts";
import type { CheckedLine, CheckedSale, SaleRule } from "./saleRule.ts";

/** What one rule says of one sale. */
export interface Finding {
  outcome: "passed" | "violated" | "not_evaluated";
  /** a code for the reason why the rule was not evaluated; null if it was */
  why: string | null;
  /** what the sale has, in the rule's unit; null if it is unknown */
  value: number | string | null;
  /** value and limit with units, without a name or a date of birth; null unless the sale violates the rule */
  text: string | null;
}

type Check = (sale: CheckedSale, rule: SaleRule) => Finding;

const notEvaluated = (why: string, value: Finding["value"] = null): Finding => ({
  outcome: "not_evaluated",
  why,
  value,
  text: null,
});
const passed = (value: Finding["value"]): Finding => ({ outcome: "passed", why: null, value, text: null });
const violated = (value: Finding["value"], text: string): Finding => ({ outcome: "violated", why: null, value, text });

/** The checks by name. A rule whose check is not listed, such as a limit of 30 days, is shown and never evaluated. */
export const checks: Readonly<Record<string, Check>> = {
  minimum_age: applicable(minimumAge),
  adult_use_not_permitted: applicable(() => violated("adult use", "adult-use sale, medical use only")),
  sale_hours: applicable(saleHours),
  transaction_limit: applicable(limit),
  daily_limit: applicable(limit),
  free_product: applicable(freeProduct),
  adult_sale_without_tax: applicable(saleWithoutTax),
  identification_expired: applicable(documentExpired(["drivers", "passport", "temporary_adult"])),
  medical_card_expired: applicable(documentExpired(["medical", "medical_with_rec", "medical_with_state_card"])),
  implausible_weight: applicable(implausibleWeight),
};

/** The customers that a type of customer is, as rules name them. */
const customersOf = { rec: "adult", medical: "medical" } as const;

/** A check that applies to the customers of the rule, and to sales with at least one line that certainly is cannabis. */
function applicable(check: Check): Check {
  return (sale, rule) => {
    if (rule.applies_to !== "all") {
      const { type } = sale.customer;
      if (type === null) return notEvaluated("customer_type_missing");
      if (customersOf[type] !== rule.applies_to) return notEvaluated("not_applicable");
    }
    if (sale.line_items.some(isCannabis)) return check(sale, rule);
    const isUnclear = sale.line_items.some((line) => productKinds(line).length > 0);
    return notEvaluated(isUnclear || sale.line_items.length === 0 ? "products_unclear" : "not_applicable");
  };
}

/** A document of another person than the buyer, or one that says that the buyer acts for a patient. */
const documentsOfOthers = ["caregiver", "minor_medical", "temporary_minor_medical"];

/** Dates of birth that systems and clerks enter when they have none. */
const placeholders = ["1900-01-01", "1901-01-01", "1970-01-01", "2000-01-01"];
/** No buyer has another age: such a date is a mistake. */
const plausibleAges = { from: 10, to: 110 };

function minimumAge({ customer: { dob, id_type }, local_date }: CheckedSale, { value, applies_to }: SaleRule): Finding {
  if (applies_to === "medical" && documentsOfOthers.includes(id_type ?? "")) return notEvaluated("may_be_a_caregiver");
  if (dob === null) return notEvaluated("date_of_birth_missing");
  const age = placeholders.includes(dob) ? Number.NaN : ageOn(dob, local_date.slice(0, 10));
  if (!(age >= plausibleAges.from && age <= plausibleAges.to)) return notEvaluated("date_of_birth_implausible");
  const minimum = Number(value);
  return age < minimum ? violated(age, `buyer of ${age} years, minimum ${minimum} years`) : passed(age);
}

/** Completed years on a day, yyyy-MM-dd. Who was born on February 29 is a year older from February 28 on. */
function ageOn(dob: string, day: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(dob)) return Number.NaN;
  const birthday = dob.slice(5) === "02-29" ? "02-28" : dob.slice(5);
  return Number(day.slice(0, 4)) - Number(dob.slice(0, 4)) - (day.slice(5) < birthday ? 1 : 0);
}

/** The frame may end at 24:00 or, as 26:00, at 02:00 of the next day. A clock may be wrong by the tolerance, in minutes. */
function saleHours({ local_date }: CheckedSale, { value, tolerance }: SaleRule): Finding {
  const [from = 0, to = 0] = String(value).split("-").map(minutesOf);
  const time = local_date.slice(11, 16);
  const exact = minutesOf(time) + Number(local_date.slice(17)) / 60;
  const isInside = [exact, exact + dayMinutes].some(
    (minutes) => minutes >= from - (tolerance ?? 0) && minutes <= to + (tolerance ?? 0),
  );
  return isInside ? passed(time) : violated(time, `sale at ${time}, hours ${String(value).replace("-", " to ")}`);
}

const dayMinutes = 24 * 60;
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/**
 * A limit of one sale or one day, by the lines of this sale: the sum of all lines that certainly count is a lower bound. It
 * passes only if every other line certainly does not count.
 */
function limit({ line_items }: CheckedSale, rule: SaleRule): Finding {
  // A line that takes something back may make the sum smaller than it looks.
  const isReduced = line_items.some(({ num_units, grams }) => (num_units ?? 0) < 0 || (grams ?? 0) < 0);
  if (isReduced) return notEvaluated("lines_taken_back");
  const maximum = Number(rule.value);
  let sum = 0;
  /** The same of lines of no units, which contradict themselves: the line may have been taken out, or the units are missing. */
  let possible = 0;
  let missing: string | null = null;
  for (const line of line_items) {
    const kinds = productKinds(line).filter((kind) => !rule.not_limited?.includes(kind));
    const [kind] = kinds;
    if (kind === undefined) continue;
    // The line may also be of a kind that the rule does not limit.
    const isCertain = productKinds(line).length === 1;
    const counted = isCertain ? countedAmount(line, kind, rule) : null;
    if (counted === null) missing ??= isCertain ? "amounts_missing" : "products_unclear";
    else if (line.num_units === 0) possible += counted;
    else sum += counted;
  }
  const total = round(sum);
  const unit = unitTexts[rule.unit ?? ""] ?? "";
  if (sum > maximum + (rule.tolerance ?? 0)) {
    return violated(total, `${total} ${unit} in one sale, limit ${round(maximum)} ${unit}`);
  }
  if (sum + possible > maximum + (rule.tolerance ?? 0)) missing ??= "amounts_missing";
  return missing === null ? passed(total) : notEvaluated(missing, total);
}

/** The units of limits, and how findings name them. */
export const unitTexts: Readonly<Record<string, string>> = {
  g_flower: "g of flower",
  g_concentrate: "g of concentrate",
  g_flower_equivalent: "g of flower equivalent",
  mg_thc: "mg of THC",
  mg_thc_edible: "mg of THC in edibles",
  mg_thc_concentrate: "mg of THC in concentrate",
};

/** What a line counts in the rule's unit; null if its weight or its THC is unknown, or the rule has no measure for its kind. */
function countedAmount(line: CheckedLine, kind: string, { unit, equivalence }: SaleRule): number | null {
  const { thc_mg_per_unit: thc = null, num_units } = line;
  const grams = (line.grams ?? 0) > 0 ? line.grams : null;
  const milligrams = thc !== null && thc > 0 && (num_units ?? 0) > 0 ? thc * (num_units as number) : null;
  const times = (amount: number | null, factor: number | undefined) =>
    amount === null || factor === undefined ? null : amount * factor;
  if (unit?.startsWith("mg_thc")) return unit === "mg_thc" || unit === `mg_thc_${kind}` ? milligrams : null;
  if (equivalence === null) return unit === `g_${kind}` ? grams : null;
  if (kind === "flower") return times(grams, equivalence.g_flower);
  const { g_concentrate, g_thc_concentrate, mg_thc } = equivalence;
  if (kind === "concentrate" && g_concentrate !== undefined) return times(grams, g_concentrate);
  if (kind === "concentrate" && g_thc_concentrate !== undefined) return times(milligrams, g_thc_concentrate / 1000);
  return kind === "concentrate" || kind === "edible" ? times(milligrams, mg_thc) : null;
}

/**
 * Only a price of 0 after the discounts of the line; a discount on the whole sale proves nothing about a line. Sums of shares of
 * a cent may miss 0 by less than half a cent. A larger discount than the price is a mistake, and a line taken back is no gift.
 */
function freeProduct({ line_items }: CheckedSale): Finding {
  const netOf = ({ num_units, price_per_unit, line_item_discounts }: CheckedLine) =>
    num_units === null || price_per_unit === null || line_item_discounts.some(({ flat_amount }) => flat_amount === null)
      ? null
      : num_units * price_per_unit - line_item_discounts.reduce((sum, { flat_amount }) => sum + (flat_amount ?? 0), 0);
  const prices = line_items.filter((line) => isCannabis(line) && (line.num_units ?? 1) > 0).map(netOf);
  const free = prices.filter((price) => price !== null && Math.abs(price) < 0.5).length;
  if (free > 0) return violated(free, `${free} cannabis ${free === 1 ? "line" : "lines"} at 0 cents, none may be free`);
  return prices.includes(null) ? notEvaluated("prices_missing") : passed(0);
}

/** POS types that state taxes apart from prices (docs/pos). */
export const posWithTaxes: readonly string[] = ["Blaze", "Dutchie", "Flowhub", "Meadow", "POSaBIT", "Treez"];

function saleWithoutTax({ pos_name, tax_paid, total_paid, taxes, line_items }: CheckedSale): Finding {
  if (!posWithTaxes.includes(pos_name)) return notEvaluated("not_applicable");
  if (tax_paid === null || total_paid === null) return notEvaluated("amounts_missing");
  const isTaxed = tax_paid !== 0 || taxes.length > 0 || line_items.some((line) => line.line_item_taxes.length > 0);
  return isTaxed || total_paid <= 0 ? passed(tax_paid) : violated(0, "adult-use sale with 0 cents of tax");
}

/** How long after a sale its document may be completed from the customer's record and still be the one that was shown. */
const maxCompletionMs = 3 * 86_400_000;
/** No shop accepts a document that expired so long ago: such a date is a mistake. */
const maxYearsExpired = 10;

function documentExpired(documents: readonly string[]): Check {
  return ({ customer, date, svc_created_date, local_date }) => {
    if (!documents.includes(customer.id_type ?? "")) return notEvaluated("not_applicable");
    const expiry = /^\d{4}-\d{2}-\d{2}/.exec(customer.id_expiration_date ?? "")?.[0];
    if (expiry === undefined) return notEvaluated("expiration_missing");
    const age = Math.abs(Date.parse(svc_created_date ?? "") - Date.parse(date ?? ""));
    if (!(age <= maxCompletionMs)) return notEvaluated("stored_later");
    const day = local_date.slice(0, 10);
    // Systems that know no expiry enter dates such as 0001-01-01, 1900-01-01 and 1970-01-01.
    if (ageOn(expiry, day) >= maxYearsExpired) return notEvaluated("expiration_implausible");
    return expiry < day ? violated(expiry, `expired on ${expiry}, sale on ${day}`) : passed(expiry);
  };
}

function implausibleWeight({ line_items }: CheckedSale, { value, unit }: SaleRule): Finding {
  const isMeant = (line: CheckedLine) =>
    isCannabis(line) && (unit === "g_per_cartridge" ? isCartridge(line) : line.product_type === "edible");
  const weights = line_items.flatMap((line) => {
    const { grams, num_units } = line;
    return isMeant(line) && grams !== null && (num_units ?? 0) > 0 ? [round(grams / (num_units as number))] : [];
  });
  if (weights.length === 0) return notEvaluated("not_applicable");
  const heaviest = Math.max(...weights);
  const thing = unit === "g_per_cartridge" ? "cartridge" : "edible";
  return heaviest > Number(value)
    ? violated(heaviest, `${thing} of ${heaviest} g each, implausible above ${value} g`)
    : passed(heaviest);
}

const round = (amount: number): number => Math.round(amount * 1000) / 1000;
