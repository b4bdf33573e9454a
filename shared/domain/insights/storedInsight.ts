import { isDeepStrictEqual } from "node:util";
import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { v5 } from "uuid";
import type { Insight } from "../../api/schemas/insight.ts";
import type { Finding } from "../../insights/history.ts";
import { type InsightCode, insightCodes } from "../../insights/insightCodes.ts";
import { ruleName } from "../../saleChecks/ruleName.ts";
import { type Item, type Table, unchanged } from "../../store/client.ts";
import { insightKey, insightRank, listedInsightKey } from "../../store/keys/insights.ts";
import type { Key } from "../../store/keys/key.ts";

/** Must never change: another namespace would raise every insight a second time. */
const namespace = "7d0a2c51-64be-4b8f-9a0e-2f6c1d93b7a4";

/** The id of an insight, a UUIDv5: the same code, CRB and period always get the same id. */
export function insightId(
  crbId: string,
  { code, start_date, subject }: Pick<Finding, "code" | "start_date" | "subject">,
): string {
  return v5(JSON.stringify([crbId.toLowerCase(), code, start_date, subject]), namespace);
}

/** An insight as stored, with its key. */
export interface StoredInsight {
  key: Key;
  insight: Insight;
}

/** DynamoDB does not keep the order of fields, and an equal response must have an equal text: so an insight is stored as text. */
export const toStoredInsight = ({ pk, sk, insight }: Item): StoredInsight => ({
  key: { pk, sk },
  insight: JSON.parse(insight as string),
});

/** Insights are listed by status, then the gravest and the oldest first (docs/spec.md#insights). */
const rankOf = ({ status, code, start_date, id }: Insight): string =>
  insightRank(status, insightCodes.indexOf(code as InsightCode), start_date, id);

/** The entry of an insight in the list of its service provider. */
export function listedItem(spId: string, { key, insight }: StoredInsight): Item {
  return { ...listedInsightKey(spId, insight.id), rank: rankOf(insight), crb_id: insight.crb_id, at: key.sk };
}

/**
 * The writes that store an insight and its place in the list of its service provider.
 *
 * @param revision the revision that is replaced; undefined for a new insight
 */
export function insightWrites(
  table: Table,
  spId: string,
  stored: StoredInsight,
  revision: number | undefined,
): TransactWriteItem[] {
  const { key, insight } = stored;
  const rank = rankOf(insight);
  return [
    table.putWrite(
      { ...key, rank, revision: insight.revision, insight: JSON.stringify(insight) },
      unchanged("revision", revision),
    ),
    table.putWrite(listedItem(spId, stored)),
  ];
}

/** The digest of the sales of a window of days. */
export type DigestOf = (from: string, to: string) => string;

/** The part of an insight that follows from its finding. */
function contentOf(crbId: string, finding: Finding, digestOf: DigestOf) {
  const { code, start_date, end_date, measured, expected, unit, criterion, sentence, latest = null } = finding;
  const days = finding.windows.map(([from, to]) => ({ start_date: from, end_date: to, digest: digestOf(from, to) }));
  const license_id = code === "license_holder_differs" ? finding.subject : null;
  return {
    id: insightId(crbId, finding),
    crb_id: crbId,
    ...{ code, start_date, end_date, measured, expected, unit, criterion, sentence, latest },
    inputs: {
      days,
      sale_ids: finding.sales.map(({ id }) => id),
      sales: finding.sales.map(({ id, receipt, rules }) => ({
        id,
        pos_sale_id: receipt,
        rules: rules.map((rule) => ({ id: rule, name: ruleName(rule) })),
      })),
      license_id,
      licenses: (finding.licenses ?? []).map(({ id, number }) => ({ id, number })),
    },
  };
}

/** Whether a person has decided that nothing is left to do. */
export const isClosed = ({ status }: Insight): boolean => status === "explained" || status === "dismissed";

/** What a computation makes of an insight. */
export interface InsightChange {
  kind: "raised" | "withdrawn" | "updated";
  stored: StoredInsight;
  /** the replaced revision; undefined for a new insight */
  revision: number | undefined;
}

/**
 * What a finding makes of the stored insight: a new one, one that is raised again, or one with other figures.
 *
 * @returns undefined if the insight stays as it is
 */
export function applyFinding(
  crbId: string,
  finding: Finding,
  before: StoredInsight | undefined,
  { now, digestOf }: { now: string; digestOf: DigestOf },
): InsightChange | undefined {
  const content = contentOf(crbId, finding, digestOf);
  if (!before) {
    const key = insightKey(crbId, finding.windows.length > 0 ? finding.start_date : null, content.id);
    const states = { status: "open", occurrence: 1, revision: 1, raised_date: now, withdrawn_date: null } as const;
    return { kind: "raised", stored: { key, insight: { ...content, ...states, history: [] } }, revision: undefined };
  }
  const { key, insight } = before;
  const { revision, occurrence } = insight;
  // The latest figures are those on which the insight was closed.
  if (isClosed(insight)) content.latest = insight.latest;
  const next = { ...insight, ...content, revision: revision + 1 };
  if (insight.status === "withdrawn") {
    const again = { status: "open", occurrence: occurrence + 1, raised_date: now, withdrawn_date: null } as const;
    return { kind: "raised", stored: { key, insight: { ...next, ...again } }, revision };
  }
  if (isDeepStrictEqual({ ...insight, ...content }, insight)) return undefined;
  return { kind: "updated", stored: { key, insight: next }, revision };
}

/** An insight that does not hold any more keeps its decisions. */
export function withdraw({ key, insight }: StoredInsight, now: string): InsightChange {
  const { revision } = insight;
  const withdrawn = { ...insight, status: "withdrawn", withdrawn_date: now, revision: revision + 1 } as const;
  return { kind: "withdrawn", stored: { key, insight: withdrawn }, revision };
}
