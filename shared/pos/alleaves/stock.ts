import type { RecordKind } from "../../kinds.ts";
import type { RejectedPosRecord } from "../connector.ts";
import { type PosRecords, posIdOf } from "../posRecords.ts";
import { NextRecords } from "../reading/nextRecords.ts";
import { parted, readRow } from "../reading/readRow.ts";
import { lastPage, reachOf } from "../reading/readSpan.ts";
import { type Made, recordsOf } from "../reading/recordsOf.ts";
import type { StorePull } from "../reading/storeConnector.ts";
import type { WholeList } from "../reading/wholeList.ts";
import type { AlleavesApi } from "./alleavesApi.ts";
import { area, type StockRow, stockRow } from "./answers.ts";
import { areaRecord, inventoryRecords, productRecord, tellsMore } from "./records.ts";

// What Alleaves gives in one piece: nothing can be missed between pages.

/** What the pages of one pull have in common. */
export type AlleavesPull<Kind extends RecordKind> = StorePull<AlleavesApi, Kind>;

/**
 * Whether a row is of the connection's location. Where it does not tell, it is if there is no other.
 *
 * @returns null where that is open
 */
export function isHere(
  { store, isOnly }: Pick<AlleavesPull<RecordKind>, "store" | "isOnly">,
  { id_location }: { id_location: string | null },
): boolean | null {
  if (id_location !== null) return id_location === store.id;
  return isOnly || null;
}

export const unknownLocation = { field: "id_location", reason: "unknown_location" };

/** The areas of the location; where there are none, the location itself. */
export async function readLocations(pull: AlleavesPull<"location">): Promise<WholeList<"location">> {
  const { records, rejected } = await recordsOf(pull.request, await pull.api.areas(), {
    schema: area,
    posIdOf: (field) => field("id_area"),
    make: (row) => {
      const here = isHere(pull, row);
      if (here === null) return unknownLocation;
      return here && row.deleted !== true ? [areaRecord(row)] : [];
    },
  });
  const { id, name } = pull.store;
  const itself = { pos_location_id: `location-${id}`, name, pos_location_type: null, pos_updated_date: null };
  return {
    records: records.length + rejected.length > 0 ? records : [itself],
    rejected,
    complete: true,
    ...lastPage(reachOf(pull.request, pull.date, 0)),
  };
}

/** Products, as their batches tell of them. One that never had a batch is not told. */
export function readProducts(pull: AlleavesPull<"product">, behind: string | null): Promise<WholeList<"product">> {
  return readBatches(pull, behind, "id_item", {
    join: (known, row) => [known.reduce(tellsMore, row)],
    make: ([row]) => (row ? [productRecord(row)] : []),
  });
}

/** Stock by batch. One of which a row cannot be read is left out as a whole: the rest would show too little. */
export async function readInventory(
  pull: AlleavesPull<"inventory">,
  behind: string | null,
): Promise<WholeList<"inventory">> {
  const found = await readBatches(pull, behind, "id_batch", {
    join: (known, row) => [...known, row],
    make: inventoryRecords,
  });
  const unreadable = new Set(found.rejected.map(({ posId }) => posId));
  return { ...found, records: found.records.filter((record) => !unreadable.has(posIdOf("inventory", record))) };
}

/** How rows that tell of one record become that. */
interface Joined<Kind extends RecordKind> {
  /** what is kept of those that came and one more */
  join(known: StockRow[], row: StockRow): StockRow[];
  make(rows: StockRow[]): Made<PosRecords[Kind]>;
}

/** @param idField what tells the records apart */
async function readBatches<Kind extends RecordKind>(
  { api, store, request, date }: AlleavesPull<Kind>,
  behind: string | null,
  idField: "id_item" | "id_batch",
  { join, make }: Joined<Kind>,
): Promise<WholeList<Kind>> {
  const joined = () =>
    new NextRecords<StockRow[]>(behind, undefined, (known, [row]) => (row ? join(known, row) : known));
  let found = joined();
  let count = 0;
  const rejected: RejectedPosRecord[] = [];
  await api.eachBatch(
    store.id,
    (raw) => {
      count++;
      const read = readRow(stockRow, raw, (field) => field(idField));
      if ("row" in read) found.add(read.row[idField], [read.row]);
      else rejected.push(read.rejected);
    },
    () => {
      found = joined();
      count = 0;
      rejected.splice(0);
    },
  );
  const { records: groups, hasMore } = found.take();
  const made = parted(
    groups.map((rows) => {
      const records = make(rows);
      return "reason" in records ? { rejected: { posId: rows[0]?.[idField] ?? "", ...records } } : { row: records };
    }),
  );
  return {
    records: made.rows.flat(),
    rejected: [...rejected, ...made.rejected],
    // Closed batches stay in the list, so one that is empty proves nothing.
    complete: count > 0,
    hasMore,
    ...lastPage(reachOf(request, date, 0)),
  };
}
