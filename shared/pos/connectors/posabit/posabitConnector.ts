import type { RecordKind } from "../../../api/kinds.ts";
import type { Connector, RejectedPosRecord } from "../../connector.ts";
import { AsyncCache } from "../../framework/asyncCache.ts";
import type { ConnectorOptions } from "../../framework/connectorOptions.ts";
import { NextRecords } from "../../framework/nextRecords.ts";
import { observeGuess } from "../../framework/observer.ts";
import { pagedRecords, readAllPages } from "../../framework/pagedList.ts";
import { PosClient } from "../../framework/posClient.ts";
import { readExtraRows } from "../../framework/readExtraRows.ts";
import { createLastPage, planReadRange } from "../../framework/readRange.ts";
import { readRow } from "../../framework/readRow.ts";
import { SourceSelection } from "../../framework/sourceSelection.ts";
import { type StorePull, storeConnector } from "../../framework/storeConnector.ts";
import { type WholeList, WholeLists } from "../../framework/wholeList.ts";
import type { PosInventory, PosLocation } from "../../posRecords.ts";
import { isClosed, PosabitApi, type PosabitService, pageSize } from "./posabitApi.ts";
import { customerRecord, inventoryRecord, isNewer, outsideRooms, placesOf, productRecord } from "./records.ts";
import { customer, type Lot, lot, manifestItem, sale } from "./responses.ts";
import { isUndone, saleRecords } from "./sales.ts";

export interface PosabitOptions extends ConnectorOptions {
  /** this service's own token at POSaBIT, a secret */
  integratorToken?: string;
}

type PosabitPull<Kind extends RecordKind> = StorePull<PosabitApi, Kind>;

const weekly = 7;

/** POSaBIT (docs/pos/posabit.md). A token is for one venue. */
export function posabitConnector(options: PosabitOptions): Connector {
  const { integratorToken = "", listPageSize } = options;
  const service: PosabitService = {
    client: new PosClient(options),
    integratorToken,
    versions: new SourceSelection(),
    venues: new AsyncCache(100, 15 * 60_000),
  };
  const lists = new WholeLists(listPageSize);
  return storeConnector("POSaBIT", options, (connection) => new PosabitApi(service, connection), {
    location: (pull) => lists.page(pull.connection, pull.request, () => readLocations(pull)),
    product: (pull) => lists.page(pull.connection, pull.request, () => readProducts(pull)),
    customer: (pull) =>
      pagedRecords(pull, pull.api.list("customers", weekly), {
        schema: customer,
        make: (row) => [customerRecord(row)],
      }),
    inventory: (pull) => lists.page(pull.connection, pull.request, (behind) => readInventory(pull, behind)),
    sale: async (pull) => {
      const timezone = (await pull.api.venue())?.timezone ?? pull.connection.timezone;
      return pagedRecords(pull, pull.api.list("sales_histories", weekly), {
        schema: sale,
        make: (row) => saleRecords(row, timezone),
        undoes: isUndone,
      });
    },
  });
}

/** Reads the rooms that lots name. Adds the venue itself if stock lies outside of rooms, or if no room is named. */
async function readLocations(pull: PosabitPull<"location">): Promise<WholeList<"location">> {
  const places = new Map<string, PosLocation>();
  // Lots that do not match the schema are skipped; the pull of inventory reports them. A room that only such a lot names is
  // added once the lot is readable.
  const complete = await eachLot(pull, "id", (row) => {
    for (const one of placesOf(row)) places.set(one.pos_location_id, one);
  });
  const records = places.size > 0 ? [...places.values()] : [outsideRooms];
  return { records, rejected: [], complete, ...wholeReach(pull) };
}

/** Reads the products of all lots, each from its latest lot. */
async function readProducts(pull: PosabitPull<"product">): Promise<WholeList<"product">> {
  const latest = new Map<string, Lot>();
  const rejected: RejectedPosRecord[] = [];
  const hasTaxInPrices = (await pull.api.venue())?.hasTaxInPrices ?? false;
  await eachLot(
    pull,
    "product_id",
    (row) => {
      if (row.product_id === null) return void rejected.push({ posId: "", field: "product_id", reason: "no_id" });
      const known = latest.get(row.product_id);
      if (!known || isNewer(row, known)) latest.set(row.product_id, row);
    },
    (one) => rejected.push(one),
  );
  const costs = await readCosts(pull);
  const records = [...latest].map(([id, row]) =>
    productRecord(row, id, { cost: costs.get(row.id)?.cost ?? null, hasTaxInPrices }),
  );
  return { records, rejected, complete: false, ...wholeReach(pull) };
}

/** Reads all lots in one process, which detects a lot that a later page repeats. Another may then be missing. */
async function readInventory(pull: PosabitPull<"inventory">, behind: string | null): Promise<WholeList<"inventory">> {
  const found = new NextRecords<PosInventory>(behind, undefined, (_, later) => later);
  const rejected: RejectedPosRecord[] = [];
  const reject = (one: RejectedPosRecord) => rejected.push(one);
  const complete = await eachLot(
    pull,
    "id",
    (row) => {
      const made = inventoryRecord(row);
      if ("reason" in made) reject({ posId: row.id, ...made });
      else found.add(row.id, made);
    },
    reject,
  );
  return { ...found.take(), rejected, complete, ...wholeReach(pull) };
}

const wholeReach = ({ request, date }: PosabitPull<RecordKind>) =>
  createLastPage(planReadRange({ ...request, since: null }, date, null));

/** @param idField the field with the record's id, to identify rejected rows */
function eachLot(
  pull: PosabitPull<RecordKind>,
  idField: "id" | "product_id",
  take: (row: Lot) => void,
  reject: (rejected: RejectedPosRecord) => void = () => {},
): Promise<boolean> {
  return readAllPages(pull, pull.api.list("inventories", 0), (rows) => {
    for (const raw of rows) {
      const found = readRow(lot, raw, idField);
      if ("row" in found) take(found.row);
      else reject(found.rejected);
    }
  });
}

/** Reads unit costs in cents by lot, from each lot's latest manifest entry; none unless all entries were read. */
async function readCosts(pull: PosabitPull<"product">): Promise<ReadonlyMap<string, { cost: number; at: string }>> {
  const latest = new Map<string, { cost: number; at: string }>();
  // Pages may be shorter than requested, so later requests use the page size that was observed.
  const sizeOf = (index: number, before: number) => (index === 0 ? pageSize : Math.ceil(before / index));
  const fetch = (index: number, before: number) => pull.api.page("manifest_items", index, sizeOf(index, before));
  const take = (raw: unknown) => {
    const { inventory_id = "", cost_per_unit: cost = null, updated_at } = manifestItem.safeParse(raw).data ?? {};
    const at = updated_at ?? "";
    if (cost !== null && at >= (latest.get(inventory_id)?.at ?? "")) latest.set(inventory_id, { cost, at });
  };
  if (await readExtraRows(pull, fetch, take, isClosed)) return latest;
  // An entry that was not read may be the latest entry of its lot.
  observeGuess("cost of a unit", "left out");
  return new Map();
}
