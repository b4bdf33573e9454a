import type { Insight } from "../../../shared/api/schemas/insight.ts";
import { listInsights } from "../../../shared/domain/insights/listInsights.ts";
import { insightId, isClosed } from "../../../shared/domain/insights/storedInsight.ts";
import { readSalesDays } from "../../../shared/domain/replication/readSalesDays.ts";
import { findInsights } from "../../../shared/insights/findInsights.ts";
import { daysBetween, type InsightDay } from "../../../shared/insights/history.ts";
import type { InsightSettings } from "../../../shared/insights/insightCodes.ts";
import { type InsightSale, profileDay } from "../../../shared/insights/saleCodes.ts";
import { ruleName } from "../../../shared/saleChecks/ruleName.ts";
import { saleRules } from "../../../shared/saleChecks/saleRules.ts";
import type { Table } from "../../../shared/store/client.ts";
import { readCrb } from "../../../shared/store/crbs.ts";
import { readDepositCases } from "../../../shared/store/depositCases.ts";
import { insightsPartition } from "../../../shared/store/keys/insights.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { addDays } from "../../../shared/time/addDays.ts";
import { expectedDigest, expectedFigures } from "../../shared/store/salesDays/faultsOfTotals.ts";
import type { Stored } from "./stored.ts";

/** Days that are judged, the newest complete ones. */
const judgedDays = 90;

/** The insights that are stored. */
export const insightsIn = (stored: Stored, crbId: string): Insight[] =>
  (stored.get(insightsPartition(crbId)) ?? []).flatMap(({ insight }) =>
    insight ? [JSON.parse(insight as string)] : [],
  );

/**
 * Differences of the stored insights from those that follow from the stored sales, while nothing is due: insights that are lost,
 * hold no longer, occur twice, or have other figures or digests; and of the list of the service provider from the insights.
 */
export async function findInsightFaults(
  bare: Table,
  stored: Stored,
  { spId, crbId, settings }: { spId: string; crbId: string; settings: InsightSettings },
): Promise<string[]> {
  const all = insightsIn(stored, crbId);
  const holding = new Map(all.filter(({ status }) => status !== "withdrawn").map((insight) => [insight.id, insight]));
  const expected = await expectedInsights(bare, stored, { crbId, settings });
  const wrong = [...expected].flatMap(([id, content]) => {
    const insight = holding.get(id);
    if (!insight) return [`an insight is lost: ${content.code} of ${content.start_date}`];
    // A closed insight keeps the latest figures of its decision.
    if (isClosed(insight)) content.latest = insight.latest;
    const found = Object.fromEntries(Object.keys(content).map((name) => [name, insight[name as keyof Insight]]));
    return JSON.stringify(found) === JSON.stringify(content)
      ? []
      : [`an insight differs: ${JSON.stringify(found)} instead of ${JSON.stringify(content)}`];
  });
  const extra = [...holding.values()].filter(({ id }) => !expected.has(id));
  const listed: Insight[] = [];
  for (let cursor: string | undefined, hasMore = true; hasMore; ) {
    const page = await listInsights(bare, spId, { status: undefined, crb_id: undefined, limit: 3, cursor });
    listed.push(...page.records);
    ({ cursor, hasMore } = page);
  }
  const texts = (insights: readonly Insight[]) => insights.map((insight) => JSON.stringify(insight)).sort();
  return [
    ...wrong,
    ...extra.map(({ code, start_date }) => `an insight is not withdrawn: ${code} of ${start_date}`),
    ...(new Set(all.map(({ id }) => id)).size === all.length ? [] : ["an insight is stored twice"]),
    ...(String(texts(listed)) === String(texts(all)) ? [] : ["the list of the service provider differs"]),
  ];
}

/** The insights that follow from the stored sales, without what a computation keeps between its calls. */
async function expectedInsights(
  bare: Table,
  stored: Stored,
  { crbId, settings }: { crbId: string; settings: InsightSettings },
) {
  const { state = "" } = (await readCrb(bare, crbId, { consistent: true }))?.record ?? {};
  const sales = (stored.get(recordList(crbId, "sale").pk) ?? []).map(({ body }) => JSON.parse(body as string));
  const byDay = Map.groupBy(sales, ({ local_date }) => local_date.slice(0, 10) as string);
  const { days } = await readSalesDays(bare, crbId, { offset: 0, limit: 10_000 });
  const incomplete = new Set(days.filter(({ complete }) => !complete).map(({ date }) => date));
  const dates = days.map(({ date }) => date).sort();
  const until = dates.findLast((date) => !incomplete.has(date)) ?? "";
  const history = new Map(
    daysBetween(dates[0] ?? until, until).flatMap((date): [string, InsightDay][] => {
      const sold = byDay.get(date) ?? [];
      const profile = profileDay(sold as InsightSale[], { state, rules: saleRules, settings });
      return incomplete.has(date) ? [] : [[date, { figures: expectedFigures(sold), profile }]];
    }),
  );
  const summary = (stored.get(insightsPartition(crbId)) ?? []).find(({ sk }) => sk === "SUMMARY");
  const first = [(summary?.since ?? "") as string, addDays(until, 1 - judgedDays)].sort()[1] as string;
  const findings = findInsights({
    history,
    window: [first, until],
    settings,
    licenses: [],
    deposits: await readDepositCases(bare, crbId),
    state: { totals: new Map(), basis: null, licenses: [] },
    statedMonth: null,
    peers: new Map(),
    isDecided: () => false,
  });
  return new Map(
    findings.map(({ windows, sales: named, licenses: _, subject, latest = null, ...finding }) => [
      insightId(crbId, { ...finding, subject }),
      {
        ...finding,
        latest,
        inputs: {
          days: windows.map(([start_date, end_date]) => ({
            start_date,
            end_date,
            digest: expectedDigest(daysBetween(start_date, end_date).flatMap((date) => byDay.get(date) ?? [])),
          })),
          sale_ids: named.map(({ id }) => id),
          sales: named.map(({ id, receipt, rules }) => ({
            id,
            pos_sale_id: receipt,
            rules: rules.map((rule) => ({ id: rule, name: ruleName(rule) })),
          })),
          license_id: null,
          licenses: [],
        },
      },
    ]),
  );
}
