import type { RecordKind } from "../../../api/kinds.ts";
import type { PosError, RejectedPosRecord } from "../../connector.ts";
import { dropPartialPackages } from "../../framework/dropPartialPackages.ts";
import { type PosPath, posPath } from "../../framework/posPath.ts";
import { readFirstPermitted } from "../../framework/readFirstPermitted.ts";
import { computeReadEnd } from "../../framework/readRange.ts";
import { addRejected, type IdField, type PosIdOf, readRow } from "../../framework/readRow.ts";
import { SourceSelection } from "../../framework/sourceSelection.ts";
import { StoreRows } from "../../framework/storeRows.ts";
import type { WholeList } from "../../framework/wholeList.ts";
import { type FlowhubPull, rowsOfStore } from "./flowhubApi.ts";
import { inventoryKey, StockPackages, StockRooms, storeAsLocation } from "./inventory.ts";
import { StockProducts } from "./products.ts";
import { type StockRow, stockRow } from "./responses.ts";

/** The paths of stock lists, best first: lists with rooms under each known path, then a list without rooms. */
const sources: readonly ((locationId: string) => PosPath)[] = [
  (id) => posPath`/v0/locations/${id}/InventoryAnalyticsByRooms`,
  (id) => posPath`/v0/locations/${id}/AnalyticsByRooms`,
  (id) => posPath`/v0/locations/${id}/inventoryByRoomsNonZero`,
  (id) => posPath`/v0/locations/${id}/inventoryByRooms`,
  (id) => posPath`/v0/locations/${id}/inventoryNonZero`,
];

/** Collects the rows of a list of stock one by one. */
interface Made {
  take(row: StockRow): void;
}

/**
 * Reads rooms, products and inventory from the list of a store's stock, which Flowhub returns without pages. It tries the
 * sources in order and remembers for a day which source the client may read. Rows of other stores are dropped and counted
 * as they arrive.
 */
export class StockLists {
  readonly #best = new SourceSelection();

  async locations(pull: FlowhubPull<"location">): Promise<WholeList<"location">> {
    const { made, foreign } = await this.#stock(pull, "roomId", () => new StockRooms());
    const rooms = made.records();
    const records = rooms.length > 0 ? rooms : [storeAsLocation(pull.store)];
    return { records, rejected: [], foreign, ...end(pull, true) };
  }

  async products(pull: FlowhubPull<"product">, behind: string | null): Promise<WholeList<"product">> {
    const idOf = (field: IdField) => field("variantId") ?? field("productId") ?? field("parentProductId");
    const begin = () => new StockProducts(behind);
    // The list at this path includes sold-out products.
    const { made, rejected, foreign } = await readFirstPermitted(
      [
        () => readStock(pull, posPath`/v0/locations/${pull.store.locationId}/inventory`, idOf, begin),
        () => this.#stock(pull, idOf, begin),
      ],
      isClosed,
    );
    return { ...made.list(), rejected, foreign, ...end(pull, false) };
  }

  async inventory(pull: FlowhubPull<"inventory">, behind: string | null): Promise<WholeList<"inventory">> {
    const { made, rejected, foreign } = await this.#stock(
      pull,
      (field) =>
        inventoryKey({ productId: field("productId"), regulatoryId: field("regulatoryId"), sku: field("sku") }),
      () => new StockPackages(behind),
    );
    const list = made.list();
    // A rejected row with an invalid tag may belong to any package, so its rejection has no id.
    const isOpen = ({ posId, field }: RejectedPosRecord) =>
      field === "regulatoryId" || (field === "sku" && posId.endsWith(":"));
    const unread = rejected.map((one) => (isOpen(one) ? { ...one, posId: "" } : one));
    return dropPartialPackages({ ...list, rejected: [...unread, ...list.rejected], foreign, ...end(pull, true) });
  }

  async #stock<List extends Made>(pull: FlowhubPull<RecordKind>, idOf: PosIdOf, begin: () => List) {
    const attempts = sources.map((path) => () => readStock(pull, path(pull.store.locationId), idOf, begin));
    return this.#best.read(pull.connection.crbId, attempts, isClosed);
  }
}

/** Whether an error means that the client may not read a source, or that the source does not exist at this path. */
function isClosed({ failure, code }: PosError): boolean {
  return failure === "notPermitted" || failure === "credentialsRefused" || code === "404";
}

/** @param begin creates the receiver of the rows; called again for each further attempt after a broken response */
async function readStock<List extends Made>(
  { api, store }: FlowhubPull<RecordKind>,
  path: PosPath,
  idOf: PosIdOf,
  begin: () => List,
): Promise<{ made: List; rejected: RejectedPosRecord[]; foreign: number }> {
  const start = () => ({ made: begin(), rejected: [] as RejectedPosRecord[], own: new StoreRows(rowsOfStore(store)) });
  let read = start();
  const take = (raw: unknown) => {
    if (!read.own.has(raw)) return;
    const found = readRow(stockRow, raw, idOf);
    if ("row" in found) read.made.take(found.row);
    else addRejected(read.rejected, found.rejected);
  };
  await api.eachOfStock(path, take, () => {
    read = start();
  });
  return { made: read.made, rejected: read.rejected, foreign: read.own.foreign };
}

/** The end of a pull. Every pull reads everything, so the next pull needs no state. */
function end({ request, date }: FlowhubPull<RecordKind>, complete: boolean) {
  const watermark = computeReadEnd(request, date);
  return { complete, watermark, asOf: watermark, readAll: true };
}
