import { marshall } from "@aws-sdk/util-dynamodb";
import type { Item } from "../../../shared/store/client.ts";
import type { Inventory } from "../../../shared/store/inventory.ts";
import { outboxPartition } from "../../../shared/store/keys/inventory.ts";
import { locationInventoryList, recordList } from "../../../shared/store/keys/orderedLists.ts";
import { replicationKey } from "../../../shared/store/keys/replication.ts";
import { differences } from "../../tableState.ts";
import { bytesOf } from "../realRules/throughput.ts";
import type { Stored } from "./stored.ts";

/**
 * Differences between the inventory of locations and the inventory, while no worker writes. Each location has a
 * record for each package that names it, with its quantity there, even if 0. Packages in the outbox may still differ.
 */
export function findInventoryFaults(stored: Stored, crbId: string, locationIds: readonly string[]): string[] {
  const underWay = new Set(outboxOf(stored, crbId).flatMap(({ ids }) => ids as string[]));
  const recordsIn = (pk: string) =>
    (stored.get(pk) ?? []).filter(({ sk }) => !underWay.has(sk)).map(({ body }) => JSON.parse(body as string));
  const dates = { svc_created_date: null, svc_updated_date: null };
  const expected = new Map<string, string>();
  for (const { location_data = [], ...record } of recordsIn(recordList(crbId, "inventory").pk) as Inventory[]) {
    for (const { location_id, quantity } of location_data) {
      expected.set(`${record.id} at ${location_id}`, JSON.stringify({ ...record, ...dates, quantity }));
    }
  }
  const found = new Map<string, string>();
  for (const location of locationIds) {
    for (const record of recordsIn(locationInventoryList(crbId, location).pk)) {
      found.set(`${record.id} at ${location}`, JSON.stringify({ ...record, ...dates }));
    }
  }
  return differences(found, expected);
}

/** Inventory changes that have not reached the locations yet. */
export function outboxOf(stored: Stored, crbId: string): Item[] {
  return stored.get(outboxPartition(crbId)) ?? [];
}

/** Maximum size of a run's stored state, in bytes. */
const maxBytesOfLease = 4_096;

/** Stored states of runs (leases, records seen) that have grown too large. */
export function faultsOfLeases(stored: Stored, crbId: string): string[] {
  const kept = stored.get(replicationKey(crbId, "inventory").pk) ?? [];
  return kept.filter((item) => bytesOf(marshall(item)) > maxBytesOfLease).map(({ sk }) => `has grown: ${sk}`);
}
