import { findInsights, type InsightInput } from "../../../shared/insights/findInsights.ts";
import {
  type DayProfile,
  daysBetween,
  type InsightDay,
  type InsightFigures,
} from "../../../shared/insights/history.ts";
import {
  defaultInsightSettings,
  type InsightCode,
  type InsightSettings,
  insightCodes,
} from "../../../shared/insights/insightCodes.ts";
import type { InsightSale } from "../../../shared/insights/saleCodes.ts";

/** 140 days of a shop; the last is the judged one, a Sunday with which a week and four weeks end. */
export const [firstDay, lastDay] = ["2026-02-02", "2026-06-21"] as const;

const usualFigures: InsightFigures = {
  records: 40,
  sales: 40,
  returns: 1,
  total_paid: 400_000,
  "cash.amount": 200_000,
  "debit.amount": 200_000,
  "svc_checked.count": 40,
};

export const usualProfile: DayProfile = {
  paid: 40,
  hours: Array.from({ length: 24 }, (_, hour) => (hour >= 10 && hour < 20 ? 4 : 0)),
  amounts: [[1_000, 2]],
  regulars: [],
  cases: [],
  checks: { retail: 40, unchecked: {} },
};

export type Changes = Readonly<Record<string, { figures?: InsightFigures; profile?: Partial<DayProfile> } | null>>;

/** A steady shop in which some days differ; null for a day that is not complete. */
export function series(changes: Changes = {}, [from, to]: readonly [string, string] = [firstDay, lastDay]) {
  const history = new Map<string, InsightDay>();
  for (const day of daysBetween(from, to)) {
    const change = changes[day];
    if (change === null) continue;
    history.set(day, {
      figures: { ...usualFigures, ...change?.figures },
      profile: { ...usualProfile, ...change?.profile },
    });
  }
  return history;
}

/** Only this code, with its default settings. */
export function only(code: InsightCode, change: Partial<InsightSettings[InsightCode]> = {}): InsightSettings {
  const entries = insightCodes.map((each) => [each, { ...defaultInsightSettings[each], enabled: false }]);
  return { ...Object.fromEntries(entries), [code]: { ...defaultInsightSettings[code], enabled: true, ...change } };
}

/** What one code finds in the last day of a series, or in the whole of another window. */
export function find(code: InsightCode, history: ReadonlyMap<string, InsightDay>, input: Partial<InsightInput> = {}) {
  return findInsights({
    history,
    window: [lastDay, lastDay],
    settings: only(code),
    licenses: [],
    deposits: [],
    state: { totals: new Map(), basis: null, licenses: [] },
    statedMonth: null,
    peers: new Map(),
    isDecided: () => false,
    ...input,
  });
}

let number = 0;

/** A sale of flower at noon of the last day. */
export function soldTo(customerId: string | null, change: Partial<InsightSale> = {}): InsightSale {
  number += 1;
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  return {
    id,
    type: "retail",
    date: `${lastDay}T18:00:00.000Z`,
    local_date: `${lastDay} 12:00:00.000`,
    svc_created_date: `${lastDay}T18:05:00.000Z`,
    transaction_type: "sale",
    pos_name: "Dutchie",
    tax_paid: 150,
    total_paid: 1_150 + number,
    taxes: [],
    payments: [{ type: "cash", amount_paid: 1_150 + number }],
    line_items: [flower(3.5)],
    customer: {
      customer_id: customerId,
      pos_customer_id: customerId,
      type: "rec",
      dob: "1980-05-05",
      id_type: "drivers",
      id_expiration_date: "2030-01-01",
    },
    compliance_status: "svc_checked",
    ...change,
  };
}

export const flower = (grams: number) => ({
  product_name: "Blue Dream",
  product_type: "flower",
  cannabis_product: true,
  num_units: 1,
  price_per_unit: 1_000,
  grams,
  line_item_discounts: [],
  line_item_taxes: [],
});
