import { evaluateSale } from "../../saleChecks/checkSale.ts";
import { posWithTaxes } from "../../saleChecks/checks.ts";
import type { SaleRule } from "../../saleChecks/saleRule.ts";
import { rulesOn, saleRules } from "../../saleChecks/saleRules.ts";
import { addDays } from "../../time/addDays.ts";
import { fromLocalTime, localDay, toLocalTime } from "../../time/localTime.ts";
import { emptySaleCustomer, emptySaleLine, type PosLineItem, type PosSaleCustomer } from "../posRecords.ts";
import type { Dice } from "./dice.ts";
import { lastOpenInstant } from "./openingHours.ts";
import { findProduct } from "./products.ts";
import { plainLine } from "./saleLines.ts";
import type { World } from "./world.ts";

// The simulated sales keep the rules of their state (docs/spec.md#sale-checks), except three of each thousand, which break one on
// purpose and say so (docs/spec.md#sandbox-values).

const day = 24 * 60 * 60 * 1000;

/** The parts of a retail sale that rules are about. */
export interface SaleFacts {
  date: Date;
  customer: PosSaleCustomer;
  lines: PosLineItem[];
  /** whether the till adds taxes */
  isTaxed: boolean;
}

/**
 * The enabled rules of a business's state on a local day that a simulated sale can break; none for a wholesale business and for a
 * state without enabled rules.
 *
 * @param today local day, yyyy-MM-dd
 */
export function breakableRules(
  { state, posType, businessType }: Pick<World, "state" | "posType"> & { businessType: World["businessType"] | null },
  today: string,
): SaleRule[] {
  if (businessType !== "retail") return [];
  const rules = rulesOn(saleRules, state, today).filter(({ enabled }) => enabled);
  if (!rules.some((rule) => rule.state === state)) return [];
  return rules.filter(
    ({ check }) =>
      Object.hasOwn(breakers, check) && (check !== "adult_sale_without_tax" || posWithTaxes.includes(posType)),
  );
}

/**
 * The rule that a sale breaks on purpose; undefined if there is none.
 *
 * @param turn the number of the broken sale: the rules take turns
 * @param stored when the service stores the sale at the earliest. Documents are checked only in sales that are stored soon
 */
export function ruleToBreak(world: World, turn: number, date: Date, stored: Date): SaleRule | undefined {
  const isStoredSoon = stored.getTime() - date.getTime() <= 2 * day;
  const rules = breakableRules(world, localDay(date, world.timezone)).filter(
    ({ check }) => isStoredSoon || !documentChecks.includes(check),
  );
  return rules[turn % rules.length];
}

const documentChecks = ["identification_expired", "medical_card_expired"];

/**
 * A sale that breaks the rule, and as far as possible no other: to a person without a customer record, of one line whose name
 * says what it breaks.
 *
 * @returns undefined if the business has no product for it
 */
export function breakRule(
  world: World,
  rule: SaleRule,
  { date, tick, chance }: { date: Date; tick: number; chance: Dice },
): SaleFacts | undefined {
  const type = rule.applies_to === "medical" ? "medical" : "rec";
  const today = localDay(date, world.timezone);
  const line = (kind: BrokenKind): PosLineItem[] => {
    const product = findProduct(world, chance, products[kind]);
    return product ? [plainLine(world, product, tick, type === "medical")] : [];
  };
  const usual: Omit<SaleFacts, "lines"> = {
    date,
    customer: {
      ...emptySaleCustomer,
      type,
      dob: yearsBefore(today, 35),
      id_type: type === "medical" ? "medical" : "drivers",
      id_expiration_date: addDays(today, 300),
    },
    isTaxed: true,
  };
  for (const sale of breakers[rule.check]?.({ rule, today, usual, line, world }) ?? []) {
    const lines = sale.lines.map((one, place) => (place === 0 ? labelled(one, rule.id) : one));
    const broken = { ...sale, lines };
    if (outcomesOf(world, broken).some((one) => one.rule === rule && one.outcome === "violated")) return broken;
  }
  return undefined;
}

const labelled = (line: PosLineItem, id: string): PosLineItem => ({
  ...line,
  product_name: `${line.product_name} (demo: breaks ${id})`,
});

/** The sale without the last lines with which it would break a rule, which a till would not accept. */
export function withoutViolations(world: World, sale: SaleFacts): SaleFacts {
  if (sale.customer.type === null) return sale;
  let { lines } = sale;
  while (lines.length > 1 && outcomesOf(world, { ...sale, lines }).some(isViolated)) {
    lines = lines.slice(0, -1);
  }
  return { ...sale, lines };
}

/** The instant, or the last business hours before it if a rule forbids sales then. */
export function withinSaleHours(world: World, instant: Date): Date {
  const lines = [{ ...emptySaleLine, product_type: "flower" as const, cannabis_product: true }];
  const sale = { date: instant, customer: emptySaleCustomer, lines, isTaxed: true };
  const isForbidden = outcomesOf(world, sale).some(
    (outcome) => outcome.rule.check === "sale_hours" && isViolated(outcome),
  );
  return isForbidden ? lastOpenInstant(world, instant, 30 * 60) : instant;
}

type Outcome = ReturnType<typeof evaluateSale>[number];

const isViolated = ({ outcome }: Outcome) => outcome === "violated";

/** What the rules say of a sale that the service stores at once. */
function outcomesOf(world: World, { date, customer, lines, isTaxed }: SaleFacts): Outcome[] {
  if (world.businessType !== "retail") return [];
  const sale = {
    date: date.toISOString(),
    local_date: toLocalTime(date.toISOString(), world.timezone) ?? "",
    svc_created_date: date.toISOString(),
    transaction_type: "sale",
    pos_name: world.posType,
    tax_paid: isTaxed ? 1 : 0,
    total_paid: 1,
    taxes: [],
    line_items: lines,
    customer,
  };
  return evaluateSale(sale, world.state, saleRules);
}

/** Products that certainly are of a kind. */
const products = {
  flower: { category: "flower", form: "3.5 g Jar" },
  concentrate: { category: "extract", form: "" },
  edible: { category: "edible", form: "" },
  cartridge: { category: "oil/concentrate", form: "Cartridge" },
} as const;
type BrokenKind = keyof typeof products;

interface Attempt {
  rule: SaleRule;
  today: string;
  usual: Omit<SaleFacts, "lines">;
  /** one unit; empty if the business has no such product */
  line(kind: BrokenKind): PosLineItem[];
  world: World;
}

/** For each check that can be broken, sales to try in this order until one breaks the rule. */
const breakers: Readonly<Record<string, (attempt: Attempt) => Iterable<SaleFacts>>> = {
  minimum_age: ({ rule, today, usual, line }) => {
    const dob = addDays(yearsBefore(today, Number(rule.value)), 100);
    return [{ ...usual, customer: { ...usual.customer, dob }, lines: line("flower") }];
  },
  adult_use_not_permitted: ({ usual, line }) => [{ ...usual, lines: line("flower") }],
  sale_hours: ({ rule, today, usual, line, world }) => {
    const hour = Number(String(rule.value).slice(0, 2)) - 1;
    const clock = `${String(hour).padStart(2, "0")}:00:00.000`;
    const at = (on: string) => new Date(fromLocalTime(`${on} ${clock}`, world.timezone) ?? "");
    // An hour before the first one, of the same day unless that is still to come.
    const date = [today, addDays(today, -1)].map(at).find((instant) => instant <= usual.date);
    return hour >= 0 && date ? [{ ...usual, date, lines: line("flower") }] : [];
  },
  transaction_limit: aboveLimit,
  daily_limit: aboveLimit,
  free_product: ({ usual, line }) => {
    const free = line("flower").map((one) => ({
      ...one,
      line_item_discounts: [{ flat_amount: one.price_per_unit, pct_amount: 1, name: "Gift" }],
      line_item_taxes: [],
    }));
    return [{ ...usual, lines: [...free, ...line("flower")] }];
  },
  adult_sale_without_tax: ({ usual, line }) => [
    { ...usual, isTaxed: false, lines: line("flower").map((one) => ({ ...one, line_item_taxes: [] })) },
  ],
  identification_expired: withExpiredDocument,
  medical_card_expired: withExpiredDocument,
  implausible_weight: ({ rule, usual, line }) => {
    const kind = rule.unit === "g_per_cartridge" ? "cartridge" : "edible";
    return [
      { ...usual, lines: line(kind).map((one) => ({ ...one, grams: Math.round(110 * Number(rule.value)) / 100 })) },
    ];
  },
};

/** More and more units, up to a hundred. */
function* aboveLimit({ rule: { unit }, usual, line }: Attempt): Iterable<SaleFacts> {
  const kind = unit?.endsWith("concentrate") ? "concentrate" : unit?.startsWith("mg_thc") ? "edible" : "flower";
  const one = line(kind);
  for (let units = 1; one.length > 0 && units <= 100; units++) {
    const lines = one.map((line) => multiplied(line, units));
    yield { ...usual, lines };
  }
}

function withExpiredDocument({ today, usual, line }: Attempt): SaleFacts[] {
  const customer = { ...usual.customer, id_expiration_date: addDays(today, -20) };
  return [{ ...usual, customer, lines: line("flower") }];
}

/** A line without discounts, of several units. */
function multiplied(line: PosLineItem, units: number): PosLineItem {
  return {
    ...line,
    num_units: units,
    grams: line.grams === null ? null : line.grams * units,
    line_item_taxes: line.line_item_taxes.map((tax) => ({ ...tax, flat_amount: (tax.flat_amount ?? 0) * units })),
  };
}

/** The day before, for February 29 of a year without one. */
function yearsBefore(date: string, years: number): string {
  const year = Number(date.slice(0, 4)) - years;
  return `${year}${date.endsWith("02-29") ? "-02-28" : date.slice(4)}`;
}
