/** What an insight can be about, the gravest first. */
export const insightCodes = [
  "flagged_sale",
  "sales_without_active_license",
  "large_cash_payment",
  "daily_limit_exceeded",
  "repeat_purchases",
  "license_holder_differs",
  "revenue_above_baseline",
  "cash_share_changed",
  "equal_amounts",
  "outside_own_hours",
  "voids_above_baseline",
  "returns_above_baseline",
  "no_sales",
  "revenue_above_statement",
  "peer_outlier",
  "flagged_sales_share",
  "unknown_customer_share",
] as const;

export type InsightCode = (typeof insightCodes)[number];

/** What `measured` and `expected` of an insight count. */
const insightUnits = ["cents", "sales", "percent", "days", "licenses"] as const;

export type InsightUnit = (typeof insightUnits)[number];

/** What a service provider can set for a code. */
export interface CodeSettings {
  enabled: boolean;
  /** null for a code that holds for any such case */
  threshold: number | null;
  /** how much history the code needs before it judges; its unit follows from the code */
  minimum_history: number;
}

export type InsightSettings = Readonly<Record<InsightCode, CodeSettings>>;

const any = (minimum_history = 0): CodeSettings => ({ enabled: true, threshold: null, minimum_history });
const above = (threshold: number, minimum_history: number): CodeSettings => ({
  enabled: true,
  threshold,
  minimum_history,
});

/** The settings of a service provider that has set none. */
export const defaultInsightSettings: InsightSettings = {
  flagged_sale: any(),
  sales_without_active_license: any(),
  large_cash_payment: above(1_000_000, 28),
  daily_limit_exceeded: any(28),
  repeat_purchases: above(4, 28),
  license_holder_differs: any(),
  revenue_above_baseline: above(2, 6),
  cash_share_changed: above(20, 84),
  equal_amounts: above(5, 6),
  outside_own_hours: above(3, 42),
  voids_above_baseline: above(3, 6),
  returns_above_baseline: above(3, 6),
  no_sales: above(2, 6),
  // The interface does not state the unit of `monthlySales`.
  revenue_above_statement: { enabled: false, threshold: 1.5, minimum_history: 28 },
  peer_outlier: above(3, 5),
  flagged_sales_share: above(1, 28),
  unknown_customer_share: above(25, 28),
};
