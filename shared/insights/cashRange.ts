/** The means of payment that may be cash (`unclearPaymentTypes`). */
const unclear = ["multiple", "other", "unknown"];

/**
 * The least and the most cash that was paid, in cents. Returns by unclear means may have been paid out in cash.
 *
 * @param figures the figures of a sales day, or their sums (docs/spec.md#sales-days)
 * @param neverCash unclear means that are certainly no cash
 */
export function cashRange(
  figures: Readonly<Record<string, number | undefined>>,
  neverCash: readonly string[] = [],
): { low: number; high: number } {
  const cash = figures["cash.amount"] ?? 0;
  const amounts = unclear.filter((type) => !neverCash.includes(type)).map((type) => figures[`${type}.amount`] ?? 0);
  return {
    low: amounts.reduce((sum, amount) => sum + Math.min(amount, 0), cash),
    high: amounts.reduce((sum, amount) => sum + Math.max(amount, 0), cash),
  };
}
