import type * as z from "zod";
import type { RecordKind } from "../../../api/kinds.ts";
import { PosError, type RejectedPosRecord, type Rejection } from "../../connector.ts";
import { dropPartialPackages } from "../../framework/dropPartialPackages.ts";
import { makeRecords } from "../../framework/makeRecords.ts";
import { NextRecords } from "../../framework/nextRecords.ts";
import { createLastPage, planReadRange } from "../../framework/readRange.ts";
import { addRejected, readRow } from "../../framework/readRow.ts";
import type { StorePull } from "../../framework/storeConnector.ts";
import { StoreRows } from "../../framework/storeRows.ts";
import type { WholeList } from "../../framework/wholeList.ts";
import { type PosRecords, posLocation } from "../../posRecords.ts";
import type { AlleavesApi } from "./alleavesApi.ts";
import { areaRecord, chooseFullerRow, inventoryRecord, isOpen, productRecord, quantityOf } from "./records.ts";
import { area, productRow, type StockRow, stockRow } from "./responses.ts";

// Alleaves returns each of these lists in one response without pages, so no row can be missed between pages.

/** Records per pass over the response. All their fields are in memory, within the worker's 256 MB. */
const maxBatches = 10_000;

export type AlleavesPull<Kind extends RecordKind> = StorePull<AlleavesApi, Kind>;

/** Selects the rows of the pull's location. Areas, orders and perhaps batches of the whole company are listed. */
export const locationOf = ({ store }: Pick<AlleavesPull<RecordKind>, "store">) => ({
  ids: [store.id],
  idOf: "id_location",
});

/** Rejects an area or order without a location, unless the company has only one location. */
export function unknownLocation(
  { isOnly }: Pick<AlleavesPull<RecordKind>, "isOnly">,
  { id_location }: { id_location: string | null },
) {
  return isOnly || id_location !== null ? null : { field: "id_location", reason: "unknown_location" };
}

/** Reads the areas of the location. If the location has no areas, returns the location itself. */
export async function readLocations(pull: AlleavesPull<"location">): Promise<WholeList<"location">> {
  const found = await makeRecords(pull.request, await pull.api.areas(), {
    schema: area,
    posIdOf: "id_area",
    store: locationOf(pull),
    make: (row) => unknownLocation(pull, row) ?? (row.deleted === true ? [] : [areaRecord(row)]),
  });
  const { id, name } = pull.store;
  const hasNone = found.records.length + found.rejected.length === 0;
  return {
    ...found,
    ...(hasNone && { records: [posLocation(`location-${id}`, name)] }),
    complete: true,
    ...createLastPage(planReadRange(pull.request, pull.date, 0)),
  };
}

/** Reads products from the rows of batches, which describe them. A product that never had a batch is missing. */
export function readProducts(pull: AlleavesPull<"product">, behind: string | null): Promise<WholeList<"product">> {
  return readBatches(pull, behind, productRow, () => ({
    idField: "id_item",
    take: () => true,
    join: ([known], row) => [chooseFullerRow(known, row)],
    make: ([row]) => productRecord(row),
  }));
}

export async function readInventory(
  pull: AlleavesPull<"inventory">,
  behind: string | null,
): Promise<WholeList<"inventory">> {
  const list = await readBatches(pull, behind, stockRow, () => ({
    idField: "id_batch",
    take: (row) => {
      const isStock = isOpen(row);
      if (isStock === null) return { field: "status", reason: "unknown_status" };
      if (!isStock) return false;
      return quantityOf(row) === null ? { field: "on_hand", reason: "no_quantity" } : true;
    },
    // A second row for the same batch and area may be a duplicate or further stock; Alleaves does not say which of the two
    // it is.
    join: (known, row) =>
      known.some(({ id_area }) => id_area === row.id_area)
        ? { field: "id_area", reason: "named_twice" }
        : [...known, row],
    make: inventoryRecord,
  }));
  return dropPartialPackages(list);
}

type Rows<Row> = readonly [Row, ...Row[]];

interface BatchReader<Kind extends RecordKind, Row> {
  /** the field with the record's id */
  idField: "id_item" | "id_batch";
  /** whether a row describes a record, or the reason for its rejection */
  take(row: Row): boolean | Rejection;
  /** adds a row to the rows kept for a record, or rejects it */
  join(known: Rows<Row>, row: Row): Rows<Row> | Rejection;
  make(rows: Rows<Row>): PosRecords[Kind];
}

/**
 * @param begin creates the reader of one response; called before the first row of the response
 * @throws PosError "notUnderstood" if the response has fewer rows than the total number that its rows state
 */
async function readBatches<Kind extends RecordKind, Row extends StockRow>(
  { api, store, request, date }: AlleavesPull<Kind>,
  behind: string | null,
  schema: z.ZodType<Row>,
  begin: () => BatchReader<Kind, Row>,
): Promise<WholeList<Kind>> {
  const start = () => {
    const reader = begin();
    const rejected: RejectedPosRecord[] = [];
    const found = new NextRecords<Rows<Row>>(behind, maxBatches, (known, [row]) => {
      const joined = reader.join(known, row);
      if (!("reason" in joined)) return joined;
      addRejected(rejected, { posId: row[reader.idField], ...joined });
      return known;
    });
    return {
      reader,
      found,
      rejected,
      own: new StoreRows(locationOf({ store })),
      rows: 0,
      ownRows: 0,
      totals: new Set<number>(),
    };
  };
  let state = start();
  const take = (raw: unknown) => {
    const { reader, found, rejected, own } = state;
    state.rows++;
    if (!own.has(raw)) return;
    const read = readRow(schema, raw, reader.idField);
    if ("rejected" in read) return addRejected(rejected, read.rejected);
    const { total_rows } = read.row;
    if (total_rows !== null) state.totals.add(total_rows);
    state.ownRows++;
    const key = read.row[reader.idField];
    const taken = reader.take(read.row);
    if (typeof taken === "object") addRejected(rejected, { posId: key, ...taken });
    else if (taken) found.add(key, [read.row]);
  };
  await api.eachBatch(store.id, take, () => {
    state = start();
  });
  const { own, rows, ownRows, totals } = state;
  // No request parameter for the missing rows is known, so they cannot be read.
  if ([...totals].some((total) => total > rows)) throw new PosError("notUnderstood", { code: "rows" });
  const { records, hasMore } = state.found.take();
  return {
    records: records.map((rows) => state.reader.make(rows)),
    rejected: state.rejected,
    foreign: own.foreign,
    // The list also contains closed batches, so a list without any row of this location is implausible and does not
    // count as complete.
    complete: ownRows > 0 && [...totals].every((total) => total === rows),
    hasMore,
    ...createLastPage(planReadRange(request, date, 0)),
  };
}
