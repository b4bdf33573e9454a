import type { Client, Input, Output } from "./operations.ts";

// Lists that can have more records than one page. Records that change between two pages can be absent.

type DocumentToReview = Output<"listDocumentsToReview">["data"][number];
type Insight = Output<"listInsights">["data"][number];
type Sale = Output<"listCrbSales">["data"][number];

/** Documents on a page. */
const maxDocuments = 1_000;
/** Insights or sales on a page. More of them could exceed the size of a response. */
const limit = 200;

/** All documents that wait, the oldest first. The total is greater if some came meanwhile or cannot be read. */
export async function readDocuments(client: Client): Promise<{ documents: DocumentToReview[]; total: number }> {
  const documents = new Map<string, DocumentToReview>();
  let total = 1;
  for (let offset = 0; offset < total; offset += maxDocuments) {
    const page = await client("listDocumentsToReview", { query: { limit: maxDocuments, offset } });
    for (const item of page.data) documents.set(item.document.id, item);
    total = page.metadata.total;
  }
  // The service lists the newest first.
  return { documents: [...documents.values()].reverse(), total };
}

/** Insights in their order, page by page until enough are read. */
export async function readInsights(
  client: Client,
  filters: NonNullable<Input<"listInsights">["query"]>,
  isEnough: (read: readonly Insight[]) => boolean,
): Promise<{ data: Insight[]; has_more: boolean }> {
  const data: Insight[] = [];
  for (let position = {}; ; ) {
    const page = await client("listInsights", { query: { ...filters, limit, ...position } });
    data.push(...page.data);
    if (!page.has_more || isEnough(data)) return { data, has_more: page.has_more };
    position = { cursor: page.cursor };
  }
}

/** A sale of a day: first among those that break a rule, as most sales of insights do, then among all of the day. */
export async function findSale(
  client: Client,
  path: { crb_id: string },
  { id, date }: { id: string; date: string },
): Promise<{ sale?: Sale }> {
  for (const filter of [{ compliance_status: "red_flag" as const }, {}]) {
    let total = 1;
    for (let offset = 0; offset < total; offset += limit) {
      const query = { start_date: date, end_date: date, limit, offset, ...filter };
      const page = await client("listCrbSales", { path, query });
      const sale = page.data.find((each) => each.id === id);
      if (sale) return { sale };
      total = page.metadata.total;
    }
  }
  return {};
}
