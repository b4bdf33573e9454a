import type { CrbOverview, Matter } from "../../api/schemas/overview.ts";
import { matterCodes } from "../../insights/insightCodes.ts";
import { itemId, type Table } from "../../store/client.ts";
import { toCrb } from "../../store/crb.ts";
import { listCrbs } from "../../store/crbs.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { crbList } from "../../store/keys/orderedLists.ts";
import { overviewPartition, overviewSweptKey } from "../../store/keys/overview.ts";
import { requireAllOpen } from "../../store/restoration.ts";
import { readDocumentToReviewEntries } from "../documents/documentsToReview.ts";
import { type OpenInsight, readOpenInsights } from "../insights/listInsights.ts";
import type { OverviewFigures } from "./overviewRow.ts";

/** Above this number of CRBs, rows are in the order of the list of CRBs: sorting them would read the rows of all. */
const maxSorted = 5_000;

/** A stored row, with the time at which it was right. */
interface StoredRow {
  figures: OverviewFigures;
  as_of: string;
}

/** What of all CRBs of a service provider waits for a decision. */
interface Waiting {
  insights: ReadonlyMap<string, OpenInsight[]>;
  documents: ReadonlyMap<string, { documentId: string; uploaded: string }[]>;
}

/**
 * Reads a page of the overview of a service provider (docs/spec.md#overview), the CRB with the gravest and oldest matter first.
 * Reads half a unit for each CRB, one for eight rows, and the places of all open insights and documents.
 *
 * @throws ServiceError "unavailable" while CRBs of the service provider are restored, whose documents may be missing
 */
export async function readOverview(
  table: Table,
  spId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; rows: CrbOverview[] }> {
  await requireAllOpen(table, spId);
  const [associations, stored, insights, documents] = await Promise.all([
    table.queryPartition(crbList(spId).pk, { consistent: true }),
    readRows(table, spId),
    readOpenInsights(table, spId),
    readDocumentToReviewEntries(table, spId),
  ]);
  const waiting: Waiting = {
    insights: Map.groupBy(insights, ({ crbId }) => crbId),
    documents: Map.groupBy(
      documents.map(({ crbId, documentId, uploaded }) => ({ crbId, documentId, uploaded })),
      ({ crbId }) => crbId,
    ),
  };
  const total = associations.length;
  if (total > maxSorted) {
    const { records } = await listCrbs(table, spId, { offset, limit });
    return { total, rows: records.map((record) => toRow(record, stored.get(record.id), waiting)) };
  }
  const crbs = await table.batchGet(associations.map(({ sk }) => crbKey(sk)));
  const rows = associations.flatMap(({ sk: crbId }) => {
    const item = crbs.get(itemId(crbKey(crbId)));
    return item ? [toRow(toCrb(item).record, stored.get(crbId), waiting)] : [];
  });
  rows.sort(byGravity);
  return { total: rows.length, rows: rows.slice(offset, offset + limit) };
}

async function readRows(table: Table, spId: string): Promise<Map<string, StoredRow>> {
  const items = await table.queryPartition(overviewPartition(spId));
  const { sk: swept } = overviewSweptKey(spId);
  const sweptAt = (items.find(({ sk }) => sk === swept)?.as_of ?? "") as string;
  return new Map(
    items
      .filter(({ sk }) => sk !== swept)
      .map(({ sk, row, as_of }) => {
        // A sweep that found the row unchanged has not written it.
        const time = [as_of as string, sweptAt].sort()[1] as string;
        return [sk, { figures: JSON.parse(row as string) as OverviewFigures, as_of: time }];
      }),
  );
}

function toRow(
  { id, name, dba, state, status }: Pick<CrbOverview, "name" | "dba" | "state" | "status"> & { id: string },
  stored: StoredRow | undefined,
  waiting: Waiting,
): CrbOverview {
  const insights = waiting.insights.get(id) ?? [];
  const documents = waiting.documents.get(id) ?? [];
  const figures = stored?.figures;
  return {
    crb_id: id,
    ...{ name, dba, state, status },
    as_of: stored?.as_of ?? null,
    data: figures?.data ?? null,
    sales_days: figures?.sales_days ?? [],
    flagged_sales: figures?.flagged_sales ?? null,
    license: figures?.license ?? null,
    balance: figures?.balance ?? null,
    open_insights: insights.length,
    documents_to_review: documents.length,
    matters: [...mattersOf(insights), ...mattersOfDocuments(documents), ...(figures?.matters ?? [])].sort(
      (one, other) => gravityOf(one) - gravityOf(other),
    ),
  };
}

/** One matter for each code. */
function mattersOf(insights: readonly OpenInsight[]): Matter[] {
  return [...Map.groupBy(insights, ({ code }) => code)].flatMap(([code, those]) => {
    const [oldest] = those.toSorted((one, other) => (one.since < other.since ? -1 : 1));
    return oldest ? [{ code, since: oldest.since, count: those.length, id: oldest.id }] : [];
  });
}

function mattersOfDocuments(documents: readonly { documentId: string; uploaded: string }[]): Matter[] {
  const [oldest] = documents;
  if (!oldest) return [];
  return [{ code: "document_to_review", since: oldest.uploaded, count: documents.length, id: oldest.documentId }];
}

const gravityOf = ({ code }: Matter): number => matterCodes.indexOf(code);

/** The gravest and oldest matter first, then by name. */
function byGravity(one: CrbOverview, other: CrbOverview): number {
  const [first, second] = [one.matters[0], other.matters[0]];
  const gravity = (matter: Matter | undefined) => (matter ? gravityOf(matter) : matterCodes.length);
  return (
    gravity(first) - gravity(second) ||
    (first?.since ?? "").localeCompare(second?.since ?? "") ||
    one.name.localeCompare(other.name) ||
    (one.crb_id < other.crb_id ? -1 : 1)
  );
}
