import { createHash } from "node:crypto";
import { removeErasedCustomers } from "../../../shared/domain/replication/erasedCustomers.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import { fingerprintsPartition, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { normalize } from "./differencesFromPos.ts";
import type { Shop } from "./shop.ts";
import type { Stored } from "./stored.ts";

const fingerprintBytes = 16;

/**
 * Stored fingerprints that are not those of a record that the POS has or had. Customers whose erasure is complete, and
 * sales that name them, may have none (docs/spec.md#erased-customers).
 *
 * @param started customers whose erasure an operator has started
 * @param erased those whose erasure is complete
 */
export function findFingerprintFaults(
  connection: Connection,
  shop: Shop,
  stored: Stored,
  started: ReadonlySet<string>,
  erased: ReadonlySet<string>,
): string[] {
  return (["customer", "sale"] as const).flatMap((kind) => {
    const items = stored.get(fingerprintsPartition(recordList(connection.crbId, kind))) ?? [];
    const found = items.flatMap(({ fingerprints }) => {
      const text = Buffer.from(fingerprints as Uint8Array).toString("hex");
      return text.match(new RegExp(`.{${2 * fingerprintBytes}}`, "g")) ?? [];
    });
    if (found.length === 0) return [];
    const made = shop.everHeld(kind).flatMap((record) => normalize(connection, kind, record) ?? []);
    const versions = [erased, started].flatMap((some) => removeErasedCustomers(kind, made, some));
    const expected = new Set(
      versions.map(({ id, content }) => {
        const hash = createHash("sha256")
          .update(`${connection.timezone}\n${id}\n${JSON.stringify(content)}`)
          .digest("hex");
        return hash.slice(0, 2 * fingerprintBytes);
      }),
    );
    const strange = found.filter((one) => !expected.has(one)).length;
    return strange > 0 ? [`${strange} fingerprints of unknown or erased content: ${kind}`] : [];
  });
}
