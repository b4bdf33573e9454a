import { expect } from "vitest";
import type { Insight } from "../../../shared/api/schemas/insight.ts";
import { applyFinding, insightWrites } from "../../../shared/domain/insights/storedInsight.ts";
import type { Finding } from "../../../shared/insights/history.ts";
import type { InsightCode } from "../../../shared/insights/insightCodes.ts";
import type { Table } from "../../../shared/store/client.ts";

const at = { now: "2026-03-03T07:00:00.000Z", digestOf: () => "0".repeat(64) };

const findingOf = (code: InsightCode, day: string): Finding => ({
  ...{ code, start_date: day, end_date: day, subject: null, measured: 2, expected: 1, unit: "sales" },
  ...{ criterion: "more than 1", sentence: "Two sales.", windows: [[day, day]], sales: [] },
});

/** Stores an open insight of a CRB on one day. */
export async function raiseInsight(
  table: Table,
  { spId, crbId }: { spId: string; crbId: string },
  code: InsightCode,
  day: string,
): Promise<Insight> {
  const { stored, revision } = applyFinding(crbId, findingOf(code, day), undefined, at) ?? expect.fail();
  await table.transact(insightWrites(table, spId, stored, revision));
  return stored.insight;
}
