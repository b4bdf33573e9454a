import type { StatementContent, StatementDifference } from "./statementContent.ts";

type Item = Record<string, unknown>;

/** The parts that are compared, each as items by a name that the same item has in both statements. */
function partsOf(content: StatementContent): Map<string, Map<string, unknown>> {
  const { totals, deposits, checks } = content;
  const { by_payment, by_customer_type, by_compliance, ...sums } = totals;
  const by = <Row>(rows: readonly Row[], name: (row: Row) => string) => new Map(rows.map((row) => [name(row), row]));
  const single = (item: unknown) => new Map([["", item]]);
  return new Map<string, Map<string, unknown>>([
    ["crb", single(content.crb)],
    ["rules", single({ rules_version: content.rules_version })],
    [
      "incomplete_days",
      by(
        content.incomplete_days.map((date) => ({ date })),
        ({ date }) => date,
      ),
    ],
    ["licenses", by(content.licenses, ({ license_id }) => license_id)],
    ["consents", by(content.consents, ({ date }) => date)],
    ["totals", single(sums)],
    ["totals.by_payment", by(by_payment, ({ type }) => type)],
    ["totals.by_customer_type", by(by_customer_type, ({ type }) => type)],
    ["totals.by_compliance", by(by_compliance, ({ status }) => status)],
    ["days", by(content.days, ({ date }) => date)],
    ["checks.by_rule", by(checks.by_rule, ({ rule_id, finding }) => `${rule_id} ${finding}`)],
    ["checks.flagged_sales", by(checks.flagged_sales, ({ sale_id }) => sale_id)],
    ["deposits.settings", single(deposits.settings)],
    ["deposits.by_type", by(deposits.by_type, ({ type, counted }) => `${type} ${counted ? "counted" : "excluded"}`)],
    ["deposits.records", by(deposits.records, ({ id }) => id)],
    ["deposits.cash_counts", by(deposits.cash_counts, ({ date }) => date)],
    ["deposits.balance", single(deposits.balance ?? {})],
    ["deposits.days", by(deposits.days, ({ date }) => date)],
    ["state_days", by(content.state_days, ({ date, license_number }) => `${date} ${license_number}`)],
    ["insights", by(content.insights, ({ id }) => id)],
  ]);
}

/**
 * The fields that differ between two statements of the same days, in the order of the parts. How fresh the sources are and who
 * read the data is not compared.
 */
export function compareStatements(before: StatementContent, after: StatementContent): StatementDifference[] {
  const earlier = partsOf(before);
  return [...partsOf(after)].flatMap(([part, items]) => {
    const former = earlier.get(part) ?? new Map<string, unknown>();
    return [...new Set([...former.keys(), ...items.keys()])]
      .sort()
      .flatMap((item) =>
        differencesOf(former.get(item), items.get(item)).map((difference) => ({ part, item, ...difference })),
      );
  });
}

function differencesOf(before: unknown, after: unknown): Omit<StatementDifference, "part" | "item">[] {
  const [one, other] = [(before ?? {}) as Item, (after ?? {}) as Item];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((field) => {
    const [was, is] = [one[field] ?? null, other[field] ?? null];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ field, before: was, after: is }];
  });
}
