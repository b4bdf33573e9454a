/** What an insight can be about (docs/spec.md#insights), the gravest first. */
// biome-ignore format: a value on each line fills a screen
export const insightCodes = [
  "flagged_sale", "sales_without_active_license", "deposits_unexplained", "cash_count_differs", "state_variance",
  "large_cash_payment", "daily_limit_exceeded", "repeat_purchases", "license_holder_differs", "revenue_above_baseline",
  "cash_share_changed", "equal_amounts", "outside_own_hours", "voids_above_baseline", "returns_above_baseline",
  "no_sales", "days_without_deposit", "revenue_above_statement", "peer_outlier", "flagged_sales_share",
  "unknown_customer_share",
] as const;

export type InsightCode = (typeof insightCodes)[number];

/** What can matter about a CRB (docs/spec.md#overview), the gravest first. */
export const matterCodes = [
  ...insightCodes,
  "document_to_review",
  "license_inactive",
  "license_expired",
  "license_missing",
  "license_expiring",
  "data_failing",
  "data_late",
] as const;

/** What `measured` and `expected` of an insight count. */
export const insightUnits = ["cents", "sales", "percent", "days", "licenses"] as const;

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
  // The settings of the reconciliation have the thresholds of the codes about deposits and counts.
  deposits_unexplained: any(),
  cash_count_differs: any(),
  // percent
  state_variance: above(2, 7),
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
  days_without_deposit: any(),
  // The interface does not state the unit of `monthlySales`.
  revenue_above_statement: { enabled: false, threshold: 1.5, minimum_history: 28 },
  peer_outlier: above(3, 5),
  flagged_sales_share: above(1, 28),
  unknown_customer_share: above(25, 28),
};

type Range = readonly [min: number, max: number];
const noThreshold = (days = 0): { threshold: null; history: Range } => ({ threshold: null, history: [0, days] });
const weekdays: Range = [1, 8];

interface SettingLimits {
  threshold: Range | null;
  history: Range;
  /** whether the threshold counts sales, days or cents */
  isWhole?: true;
}

/** The values that a service provider can set. */
export const settingLimits: Readonly<Record<InsightCode, SettingLimits>> = {
  flagged_sale: noThreshold(),
  sales_without_active_license: noThreshold(),
  deposits_unexplained: noThreshold(),
  cash_count_differs: noThreshold(),
  state_variance: { threshold: [0, 100], history: [0, 56] },
  large_cash_payment: { threshold: [1, 100_000_000], history: [0, 56], isWhole: true },
  daily_limit_exceeded: noThreshold(56),
  repeat_purchases: { threshold: [2, 100], history: [0, 56], isWhole: true },
  license_holder_differs: noThreshold(),
  revenue_above_baseline: { threshold: [1, 100], history: weekdays },
  cash_share_changed: { threshold: [1, 100], history: [28, 84] },
  equal_amounts: { threshold: [1, 100], history: weekdays },
  outside_own_hours: { threshold: [1, 1_000], history: [7, 56], isWhole: true },
  voids_above_baseline: { threshold: [1, 100], history: weekdays },
  returns_above_baseline: { threshold: [1, 100], history: weekdays },
  no_sales: { threshold: [1, 7], history: weekdays, isWhole: true },
  days_without_deposit: noThreshold(),
  revenue_above_statement: { threshold: [0.1, 100], history: [28, 31] },
  // Fewer businesses would show a value of one of them.
  peer_outlier: { threshold: [1, 100], history: [5, 1_000] },
  flagged_sales_share: { threshold: [0, 100], history: [28, 28] },
  unknown_customer_share: { threshold: [0, 100], history: [28, 28] },
};
