import type { RecordKind } from "../../kinds.ts";
import type { PosError, RejectedPosRecord } from "../connector.ts";
import type { PosRecords } from "../posRecords.ts";
import { BestSource } from "../reading/bestSource.ts";
import { firstPermitted } from "../reading/firstPermitted.ts";
import { type PosPath, posPath } from "../reading/posPath.ts";
import { type IdField, parted, readRow } from "../reading/readRow.ts";
import { readUpTo } from "../reading/readSpan.ts";
import type { WholeList } from "../reading/wholeList.ts";
import { type StockRow, stockRow } from "./answers.ts";
import type { FlowhubPull } from "./flowhubPull.ts";
import { inventoryKey, inventoryRecords, roomRecords, storeAsLocation } from "./inventory.ts";
import { productIdOf, productRecords } from "./products.ts";

/** Where stock is listed, the best first: with rooms, under both names that were seen, down to without. */
const sources: readonly ((locationId: string) => PosPath)[] = [
  (id) => posPath`/v0/locations/${id}/InventoryAnalyticsByRooms`,
  (id) => posPath`/v0/locations/${id}/AnalyticsByRooms`,
  (id) => posPath`/v0/locations/${id}/inventoryByRoomsNonZero`,
  (id) => posPath`/v0/locations/${id}/inventoryByRooms`,
  (id) => posPath`/v0/locations/${id}/inventoryNonZero`,
];

/**
 * Rooms, products and inventory, each read from the list of a store's stock, which comes in one piece. Which source a
 * client may read is tried out, and remembered for a day.
 */
export class StockLists {
  readonly #best = new BestSource();

  async locations(pull: FlowhubPull<"location">): Promise<WholeList<"location">> {
    const { rows } = await this.#stock(pull, (field) => field("roomId"));
    const rooms = roomRecords(rows);
    return whole(pull, rooms.length > 0 ? rooms : [storeAsLocation(pull.store)], [], true);
  }

  async products(pull: FlowhubPull<"product">): Promise<WholeList<"product">> {
    const idOf = (field: IdField) =>
      productIdOf({
        variantId: field("variantId"),
        productId: field("productId"),
        parentProductId: field("parentProductId"),
      });
    // This list names what is sold out too.
    const { rows, rejected } = await firstPermitted(
      [
        () => readStock(pull, posPath`/v0/locations/${pull.store.locationId}/inventory`, idOf),
        () => this.#stock(pull, idOf),
      ],
      isClosed,
    );
    return whole(pull, productRecords(rows), rejected, false);
  }

  async inventory(pull: FlowhubPull<"inventory">): Promise<WholeList<"inventory">> {
    const found = await this.#stock(pull, (field) =>
      inventoryKey({ productId: field("productId"), regulatoryId: field("regulatoryId"), sku: field("sku") }),
    );
    const { rows } = found;
    // None told is not none there.
    const untold = rows.filter(({ quantity }) => quantity === null);
    const rejected = [
      ...found.rejected,
      ...untold.map((row) => ({ posId: inventoryKey(row) ?? "", field: "quantity", reason: "no_quantity" })),
    ];
    const unreadable = new Set(rejected.map(({ posId }) => posId));
    return whole(pull, inventoryRecords(rows, unreadable), rejected, true);
  }

  async #stock(pull: FlowhubPull<RecordKind>, idOf: (field: IdField) => string | null) {
    const attempts = sources.map((path) => () => readStock(pull, path(pull.store.locationId), idOf));
    return this.#best.read(pull.connection.crbId, attempts, isClosed);
  }
}

/** A source is spelt otherwise for this client, or not for it at all. */
function isClosed({ failure, code }: PosError): boolean {
  return failure === "notPermitted" || failure === "credentialsRefused" || code === "404";
}

async function readStock(
  { api }: FlowhubPull<RecordKind>,
  path: PosPath,
  idOf: (field: IdField) => string | null,
): Promise<{ rows: StockRow[]; rejected: RejectedPosRecord[] }> {
  const { rows } = await api.list(path, { includesNotForSaleQuantity: true }, ["data"]);
  return parted(rows.map((row) => readRow(stockRow, row, idOf)));
}

function whole<Kind extends RecordKind>(
  { request, date }: FlowhubPull<Kind>,
  records: PosRecords[Kind][],
  rejected: RejectedPosRecord[],
  complete: boolean,
): WholeList<Kind> {
  // Everything is read each time, so that the next pull needs to know nothing.
  const watermark = readUpTo(request, date);
  return { records, rejected, complete, watermark, asOf: watermark, readAll: true };
}
