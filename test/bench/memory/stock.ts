import type { RecordKind } from "../../../shared/api/kinds.ts";
import { replicate } from "../../../shared/domain/replication/replicate.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import { serviceTable } from "../../../shared/store/client.ts";
import { inventoryMaker, productMaker, type RecordMaker, roomMaker, rooms } from "../data/records.ts";
import { makingPos } from "./makingPos.ts";

const products = 2_500;

/**
 * Replicates the rooms and products of a business.
 * @returns a function that makes its inventory, which lies in the rooms
 */
export async function replicateShop(connection: Connection): Promise<RecordMaker<"inventory">> {
  await replicateAll(connection, "location", rooms, roomMaker);
  await replicateAll(connection, "product", products, await productMaker(connection));
  return inventoryMaker(connection, products);
}

/** Replicates the given number of new records of a kind. */
export async function replicateAll<Kind extends RecordKind>(
  connection: Connection,
  kind: Kind,
  records: number,
  make: RecordMaker<Kind>,
): Promise<void> {
  const result = await replicate(serviceTable(), connection, makingPos(records, make), kind);
  if (!("created" in result && result.created === records)) throw new Error(JSON.stringify(result));
}
