import type { RecordKind } from "../../../api/kinds.ts";
import { PosError, type RejectedPosRecord } from "../../connector.ts";
import { type PageTraversal, readFromStart } from "../../framework/pageTraversal.ts";
import { type PosPath, posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import {
  computeReadEnd,
  computeReadStart,
  createLastPage,
  daysAfter,
  planReadRange,
} from "../../framework/readRange.ts";
import { partitionRows, type ReadRow, readRow, readRows } from "../../framework/readRow.ts";
import { remainingMs } from "../../framework/remainingMs.ts";
import type { WholeList } from "../../framework/wholeList.ts";
import { type PosLocation, type PosRecords, posLocation } from "../../posRecords.ts";
import { tickets } from "./datedList.ts";
import { inventoryRecord, placesOf } from "./inventory.ts";
import { productRecord } from "./products.ts";
import { type Product, product, productPage, ticket } from "./responses.ts";
import { offsetInstant, pageSize, readTreezPage, type TreezPull } from "./treezPull.ts";

const fullEveryDays = 7;
/** Maximum number of times that a list is read if it changes while it is read. */
const maxReadings = 3;
/** Maximum number of consecutive pages without a new row. A list that changes while it is read has fewer such pages. */
const maxRepeatedPages = 20;
/** Maximum number of ticket pages that are searched for names of places. */
const maxTicketPages = 20;

/** Products changed since the last pull. */
export async function readProducts(pull: TreezPull<"product">): Promise<WholeList<"product">> {
  const { mark } = planReadRange(pull.request, null, fullEveryDays);
  const since = mark && offsetInstant(computeReadStart(mark.upTo), pull.connection.timezone);
  const path = since ? posPath`/product/product_list/lastUpdated/after/${since}` : posPath`/product/product_list`;
  const list = await readAll(pull, path, productRecord);
  const upTo = computeReadEnd(pull.request, list.date);
  const end = createLastPage({ upTo, mark });
  // If the reading may have missed rows, the next pull must find these rows. So the next pull reads the changes since
  // the same time again, or reads everything.
  if (list.hasShifted) Object.assign(end, { watermark: pull.request.since ?? upTo, asOf: null });
  return {
    records: list.records,
    rejected: list.rejected,
    complete: false,
    ...end,
    readAll: end.readAll && list.isSteady,
  };
}

/** Reads the whole stock, and so all products, because their dates of change do not change with the stock. */
export async function readInventory(pull: TreezPull<"inventory">): Promise<WholeList<"inventory">> {
  const list = await readAll(pull, posPath`/product/product_list`, inventoryRecord);
  const { rows, rejected } = partitionRows(list.records);
  return whole(pull, rows, { ...list, rejected: [...list.rejected, ...rejected] });
}

/** Reads the places that products name; also those of tickets if none has an id; the store itself if there is none. */
export async function readLocations(pull: TreezPull<"location">): Promise<WholeList<"location">> {
  const list = await readAll(pull, posPath`/product/product_list`, placesOf);
  const places = new Map<string, PosLocation>();
  for (const place of list.records.flat()) {
    if (!places.has(place.pos_location_id)) places.set(place.pos_location_id, place);
  }
  // Tickets name places without ids. If products state ids, tickets are not read, because a place would be listed once by
  // id and once by name.
  if ([...places.values()].every(({ pos_location_id: id, name }) => id === name)) {
    for (const name of await placesOfTickets(pull)) places.set(name, posLocation(name, name));
  }
  const { id, name } = pull.store;
  return whole(pull, places.size > 0 ? [...places.values()] : [posLocation(id, name)], { ...list, rejected: [] });
}

/** The names of places with sales in the last day; empty if the credentials may not read tickets. */
function placesOfTickets({ api, connection, request, clock }: TreezPull<"location">): Promise<Set<string>> {
  const { rowsIn, idField, changes } = tickets;
  const path = changes(offsetInstant(daysAfter(clock.now(), -1), connection.timezone), api);
  const read = async () => {
    const names = new Set<string>();
    let walk: PageTraversal | null = readFromStart(pageSize);
    for (let pages = 1; walk; pages++) {
      const { rows, next }: Awaited<ReturnType<typeof readTreezPage>> = await readTreezPage(
        api,
        { path, rowsIn, idField },
        walk,
      );
      const { rows: found } = readRows(ticket, rows, idField);
      for (const { location_name } of found.flatMap(({ items }) => items)) if (location_name) names.add(location_name);
      // The search may end early: later tickets name a missed place again.
      walk = pages < maxTicketPages && remainingMs(request, clock) > 0 ? next : null;
    }
    return names;
  };
  return readFirstPermitted([read, async () => new Set<string>()], ({ failure }) =>
    ["notPermitted", "credentialsRefused"].includes(failure),
  );
}

function whole<Kind extends RecordKind>(
  { request }: TreezPull<Kind>,
  records: PosRecords[Kind][],
  { rejected, isSteady: complete, hasShifted, date }: Omit<ProductList<unknown>, "records">,
): WholeList<Kind> {
  const watermark = computeReadEnd(request, date);
  return { records, rejected, complete, watermark, asOf: hasShifted ? null : watermark, readAll: complete };
}

interface ProductList<Record> {
  records: Record[];
  rejected: RejectedPosRecord[];
  /** whether the reading certainly missed no row between pages */
  isSteady: boolean;
  /** whether the list certainly changed during the reading */
  hasShifted: boolean;
  date: Date | null;
}

/**
 * Reads all pages of a list of products. It repeats the reading if the list changed and enough time remains. A reading is
 * steady if every page states the same total, and the number of distinct products equals this total.
 */
async function readAll<Record>(
  pull: TreezPull<RecordKind>,
  path: PosPath,
  make: (row: Product) => Record,
): Promise<ProductList<Record>> {
  const { request, clock } = pull;
  const found = new Map<string, ReadRow<Record>>();
  let date: Date | null = null;
  for (let reading = 1; ; reading++) {
    const began = clock.now().getTime();
    const { ids, totals, firstDate } = await readOnce(pull, path, (key, row) => {
      found.set(key, "row" in row ? { row: make(row.row) } : row);
    });
    date ??= firstDate;
    const isSteady = totals.size === 1 && totals.has(ids.size);
    const hasShifted = totals.size > 0 && !isSteady;
    const isCutShort = remainingMs(request, clock) < clock.now().getTime() - began;
    if (!hasShifted || reading === maxReadings || isCutShort) {
      const { rows, rejected } = partitionRows([...found.values()]);
      return { records: rows, rejected, isSteady, hasShifted, date };
    }
  }
}

/**
 * Reads all pages of a list of products in any order.
 *
 * @param take called with each row and the key of its product
 * @throws PosError "notUnderstood" if an empty page states a total above the number of rows read, or if pages keep
 * repeating rows and the total is not reached
 */
async function readOnce(
  { api }: TreezPull<RecordKind>,
  path: PosPath,
  take: (key: string, row: ReadRow<Product>) => void,
) {
  const ids = new Set<string>();
  const totals = new Set<number>();
  let firstDate: Date | null = null;
  let repeatedPages = 0;
  for (let page = 1, read = 0; ; page++) {
    const { list, date } = await api.list(path, { active: "ALL", page }, ({ data }) => {
      const { product_list: rows, total_count = null } = productPage.safeParse(data).data ?? {};
      return rows && { rows, total: total_count };
    });
    firstDate ??= date;
    const { rows = [], total = null } = list ?? {};
    const before = ids.size;
    for (const raw of rows) {
      const row = readRow(product, raw, "product_id");
      const key = "row" in row ? row.row.product_id : row.rejected.posId || `unreadable ${read}`;
      read++;
      ids.add(key);
      take(key, row);
    }
    const isEmpty = rows.length === 0;
    // Without this check, an empty page in the middle of a list would look like its end.
    if (isEmpty && total !== null && total > read) throw new PosError("notUnderstood", { code: "page" });
    if (total !== null && (page === 1 || !isEmpty)) totals.add(total);
    repeatedPages = ids.size === before ? repeatedPages + 1 : 0;
    if (repeatedPages > maxRepeatedPages) throw new PosError("notUnderstood", { code: "unordered" });
    // If pages state no total, a page without a new row is a repetition of the last page.
    const isEnd = total === null ? repeatedPages > 0 : read >= total;
    if (isEmpty || isEnd) return { ids, totals, firstDate };
  }
}
