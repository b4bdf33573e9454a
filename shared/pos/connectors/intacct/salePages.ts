import * as z from "zod";
import { PosError, type PullPage } from "../../connector.ts";
import { makeRecords } from "../../framework/makeRecords.ts";
import { readListPage } from "../../framework/pagedList.ts";
import { parseState } from "../../framework/readRange.ts";
import { posIdIn, prefixed } from "../../framework/readRow.ts";
import type { StorePull } from "../../framework/storeConnector.ts";
import { isOfObject } from "./gateway.ts";
import { entityOf, type IntacctApi } from "./intacctApi.ts";
import { adjustment, entry, invoice, line } from "./responses.ts";
import { adjustmentRecords, invoiceRecords, isUndone } from "./sales.ts";
import type { Elements } from "./xml.ts";

const weekly = 7;
/** Invoices per page. A second query reads the lines of all invoices of a page, at most a thousand lines per request. */
const pageSize = 200;

const position = z.object({
  /** position within the current list: the invoices, then the adjustments; null at the start of a list */
  within: z.string().nullable(),
  /** the result of reading the invoices; null until all invoices are read */
  end: z.object({ watermark: z.string(), asOf: z.string().nullable(), readAll: z.boolean() }).nullable(),
});
type Position = z.output<typeof position>;

/** Reads a page of sales: first the invoices with their lines, then the adjustments. */
export async function salePage(pull: StorePull<IntacctApi, "sale">): Promise<PullPage<"sale">> {
  const { api, connection, date } = pull;
  const state = parseState(position, pull.request.position) ?? { within: null, end: null };
  const request = { ...pull.request, position: state.within };
  const list = api.list(state.end ? "ARADJUSTMENT" : "ARINVOICE", adjustment, weekly, pageSize);
  const { rows, next } = await readListPage(request, date, list);
  const found = state.end
    ? await makeRecords(request, rows, {
        schema: adjustment,
        posIdOf: prefixed("adjustment-", "RECORDNO"),
        make: (row) => adjustmentRecords(row, connection.timezone),
        undoes: (row) => isUndone(row),
        ...entityOf(pull),
      })
    : await makeRecords(request, await withLines(api, rows), {
        schema: invoice,
        posIdOf: "RECORDNO",
        make: (row) => invoiceRecords(row, connection.timezone),
        undoes: (row) => isUndone(row),
        ...entityOf(pull),
      });
  return { ...found, total: null, next: after(state, next), complete: false };
}

/** The next position, or the result of the pull: the watermark of the invoices, which are read first. */
function after({ end }: Position, next: PullPage<"sale">["next"]): PullPage<"sale">["next"] {
  const at = (state: Position) => ({ position: JSON.stringify(state) });
  if ("position" in next) return at({ within: next.position, end });
  const { watermark, asOf = null, readAll = false } = next;
  return end ? { ...end, readAll: end.readAll && readAll } : at({ within: null, end: { watermark, asOf, readAll } });
}

/** Adds the lines of a page's invoices, at most a thousand, and those of their documents in Order Entry. */
async function withLines(api: IntacctApi, rows: readonly unknown[]): Promise<unknown[]> {
  const lines = await readBy("RECORDKEY", idsIn(rows, "RECORDNO"), (filter) => api.all("ARINVOICEITEM", line, filter));
  const entries = await readBy("DOCNO", idsIn(rows, "RECORDID"), (filter) => readEntries(api, filter));
  return rows.map((row) => ({
    ...(row as object),
    lines: lines.get(posIdIn(row, "RECORDNO") ?? "") ?? [],
    entries: entries.get(posIdIn(row, "RECORDID") ?? "") ?? [],
  }));
}

/** Lines of Order Entry; none if the company does not use it, or the user may not read it. */
async function readEntries(api: IntacctApi, filter: Elements): Promise<unknown[]> {
  try {
    return await api.all("SODOCUMENTENTRY", entry, filter);
  } catch (error) {
    if (error instanceof PosError && (isOfObject(error) || error.code === "definition")) return [];
    throw error;
  }
}

/** Reads the rows whose field has one of the values, by value. */
async function readBy(
  field: "RECORDKEY" | "DOCNO",
  values: readonly string[],
  read: (filter: Elements) => Promise<unknown[]>,
): Promise<Map<string, unknown[]>> {
  const rows = values.length === 0 ? [] : await read({ in: { field, value: values } });
  return Map.groupBy(rows, (row) => {
    const key = posIdIn(row, field);
    if (key === null) throw new PosError("notUnderstood", { code: "line" });
    return key;
  });
}

const idsIn = (rows: readonly unknown[], field: string) => rows.flatMap((row) => posIdIn(row, field) ?? []);
