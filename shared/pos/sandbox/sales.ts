import type { SaleRule } from "../../saleChecks/saleRule.ts";
import type { ControlledSale } from "../../store/crb.ts";
import { localDay } from "../../time/localTime.ts";
import { returnedLine } from "../framework/conversions/reversals.ts";
import type { PosCustomer, PosRecords } from "../posRecords.ts";
import { customerAt, customersAt } from "./customers.ts";
import { dice } from "./dice.ts";
import { businessInstant, lastOpenInstant } from "./openingHours.ts";
import { retailSale, shownBy } from "./retailSales.ts";
import { linesOf } from "./saleLines.ts";
import {
  breakableRules,
  breakRule,
  ruleToBreak,
  type SaleFacts,
  withinSaleHours,
  withoutViolations,
} from "./violations.ts";
import { instalmentsLeft, wholesaleSale } from "./wholesaleSales.ts";
import { arrivalOf, instantOf, type Population, perWorld, type SandboxKind, tickAt, type World } from "./world.ts";

/** Initial sales cover this number of days before the connection. */
const days = 120;
const initialSales = { retail: 5000, wholesale: 1200 };
/** New customers buy some time after their signup, so that a run that reads customers first knows the buyer. */
const ticksBeforeFirstSale = 20;

export const sales: SandboxKind<"sale"> = {
  population,
  record(world, { index, version }) {
    const fate = fateOf(index);
    const original = fate === "return" ? originalOf(index) : undefined;
    const deal = simulatedDeal(world, original ?? index);
    const voided = fate === "voided" || (fate === "voidedLater" && version > 0);
    const type = voided ? "adjustment" : original ? "return" : "sale";
    const date = (original === undefined ? deal.date : dateOf(world, index)).toISOString();
    return saleOf(world, deal, { index, version, initial: population(world).initial }, { type, date, isStaffed: true });
  },
};

/** The first index of the sales that callers make: a thousand for each connection, above all simulated ones. */
const firstControlled = perWorld(
  ({ connectedAt }) => 10_000_000 + (Math.floor(connectedAt / 1_000) % 1_000_000_000) * 1_000,
);

/** The POS id of a sale that a caller made. */
export const controlledSaleId = (world: World, number: number): string =>
  String(firstNumber(world) + firstControlled(world) + number);

/** A sale that a caller made, by its place in the list. */
export function controlledSale(
  world: World,
  controlled: readonly ControlledSale[],
  number: number,
): PosRecords["sale"] {
  const made = controlled[number] as ControlledSale;
  const { type, original = number } = made;
  const index = firstControlled(world) + number;
  const deal = controlledDeal(world, controlled[original] ?? made, original);
  const date = original === number ? deal.date.toISOString() : made.date;
  return saleOf(world, deal, { index, version: 0, initial: 0 }, { type, date, isStaffed: false });
}

/**
 * A sale with its payment. A return takes back the first line.
 *
 * @param initial number of sales at the connection
 */
function saleOf(
  world: World,
  deal: Deal,
  version: { index: number; version: number; initial: number },
  { type, date, isStaffed }: { type: "sale" | "return" | "adjustment"; date: string; isStaffed: boolean },
): PosRecords["sale"] {
  const chance = dice(world.crbId, "sale", version.index, "till");
  const { lines } = deal;
  const sale = {
    pos_sale_id: String(firstNumber(world) + version.index),
    date,
    transaction_type: type,
    employee_id: isStaffed && chance.percent(97) ? String(chance.between(101, 118)) : null,
    line_items: { sale: lines, return: lines.slice(0, 1).map((line) => returnedLine(line)), adjustment: [] }[type],
  };
  return world.businessType === "retail"
    ? retailSale(world, sale, deal, version.version, chance)
    : wholesaleSale(sale, deal.buyer, version, chance);
}

const firstNumber = perWorld(({ crbId }) => dice(crbId, "sale").between(200_000, 900_000));

function population({ businessType, newcomers }: World): Population {
  const initial = initialSales[businessType];
  return {
    initial,
    arrivals: newcomers,
    maxChanges(index) {
      const fate = fateOf(index);
      if (fate === "voided") return 0;
      if (fate === "voidedLater" || businessType === "retail") return 1;
      return fate === "return" ? 0 : instalmentsLeft(index, initial);
    },
  };
}

type Fate = "sale" | "return" | "voided" | "voidedLater";

/** Of every hundred sales, five are returns, two are voided from the beginning, and three are voided later. */
function fateOf(index: number): Fate {
  const place = placeOf(index);
  if (place < 2) return "voided";
  if (place < 5) return "voidedLater";
  return place < 10 && originalOf(index) ? "return" : "sale";
}

/** The sale that a return refers to; undefined if that sale cannot be returned. */
function originalOf(index: number): number | undefined {
  const original = index - 3 - (index % 29);
  return original > 0 && placeOf(original) >= 10 ? original : undefined;
}

/** The position within a hundred sales, 0 to 99. */
function placeOf(index: number): number {
  return (index * 37) % 100;
}

function dateOf(world: World, index: number): Date {
  const { initial } = population(world);
  const chance = dice(world.crbId, "sale", index, "date");
  if (index < initial) {
    return businessInstant(world, days, (index + chance.between(0, 999) / 1000) / initial);
  }
  // A sale of a time when the business is closed is recorded near the end of the business hours before.
  const arrival = instantOf(world, arrivalOf(population(world), index));
  return lastOpenInstant(world, arrival, chance.between(60, 3 * 60 * 60));
}

/** What a sale is about, apart from its payment. */
interface Deal extends SaleFacts {
  /** null for a person without a customer record */
  buyer: PosCustomer | null;
  isLoyal: boolean;
}

function simulatedDeal(world: World, index: number): Deal {
  const tick = arrivalOf(population(world), index);
  const date = dateOf(world, index);
  const place = brokenPlaces(world).indexOf(index % 1000);
  const turn = Math.floor(index / 1000) * brokenPlaces(world).length + place;
  const rule = place < 0 ? undefined : ruleToBreak(world, turn, date, instantOf(world, tick));
  return dealOf(world, { index, tick, date, rule });
}

/** The places of sales that break a rule in each thousand sales. None of them is a return, or is voided. */
const brokenPlaces = perWorld(({ crbId }) => {
  const chance = dice(crbId, "sale", "broken");
  return [0, 333, 666].map((first) => {
    let place = first;
    do place = first + chance.between(0, 332);
    while (placeOf(place) < 10);
    return place;
  });
});

/** Callers may sell at any time, but the business does not sell when a rule forbids it. */
function controlledDeal(world: World, { date, violation }: ControlledSale, number: number): Deal {
  const index = firstControlled(world) + number;
  const instant = withinSaleHours(world, new Date(date));
  const rules = breakableRules(world, localDay(instant, world.timezone)).filter(({ check }) => check === violation);
  return dealOf(world, { index, tick: tickAt(world, instant), date: instant, rule: rules[number % rules.length] });
}

/** The items and the buyer of a sale; regular customers buy more often. */
function dealOf(
  world: World,
  { index, tick, date, rule }: { index: number; tick: number; date: Date; rule: SaleRule | undefined },
): Deal {
  const broken = rule && breakRule(world, rule, { date, tick, chance: dice(world.crbId, "sale", index, "broken") });
  if (broken) return { ...broken, buyer: null, isLoyal: false };
  const chance = dice(world.crbId, "sale", index);
  const last = customersAt(world, Math.max(0, tick - ticksBeforeFirstSale)) - 1;
  const named = chance.percent(92);
  const regular = Math.min(chance.between(0, last), chance.between(0, last));
  const buyer = named ? customerAt(world, regular) : null;
  const lines = linesOf(world, tick, buyer?.svc_customer_type === "medical", chance);
  const facts = withoutViolations(world, { date, customer: shownBy(buyer, date), lines, isTaxed: true });
  return { ...facts, buyer, isLoyal: buyer?.loyalty_member ?? false };
}
