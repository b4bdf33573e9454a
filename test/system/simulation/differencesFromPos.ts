import { isDeepStrictEqual } from "node:util";
import { anonymizeCustomer, removeErasedCustomers } from "../../../shared/domain/replication/erasedCustomers.ts";
import { replicatedKinds } from "../../../shared/domain/replication/replicatedKinds.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import { checkSale } from "../../../shared/saleChecks/checkSale.ts";
import { saleRules } from "../../../shared/saleChecks/saleRules.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import type { RecordToWrite } from "../../../shared/store/orderedList/recordWriter.ts";
import { type SimulatedKind, simulatedKinds } from "./readings.ts";
import type { Shop } from "./shop.ts";
import type { Stored } from "./stored.ts";

/**
 * The differences between the stored records and those of the POS, after all of them were replicated.
 *
 * @param erased customers with only an anonymous record left
 */
export function differencesFromPos(
  connection: Connection,
  shop: Shop,
  stored: Stored,
  erased: ReadonlySet<string>,
): string[] {
  return simulatedKinds.flatMap((kind) => {
    const records = stored.get(recordList(connection.crbId, kind).pk) ?? [];
    const held = shop.held(kind).flatMap((record) => normalize(connection, kind, record) ?? []);
    const known = new Set(records.map(({ sk }) => sk));
    const anonymous = held.filter(({ id }) => kind === "customer" && erased.has(id) && known.has(id));
    const made = [
      ...removeErasedCustomers(kind, held, erased),
      ...anonymous.map(({ id, content }) => ({ id, content: anonymizeCustomer(content) })),
    ];
    const expected = new Map(made.map(({ id, content }) => [id, comparable(kind, content)]));
    const found = new Map(records.map(({ sk, body }) => [sk, comparable(kind, JSON.parse(body as string))]));
    const ids = [...new Set([...expected.keys(), ...found.keys()])];
    return ids.filter((id) => found.get(id) !== expected.get(id)).map((id) => `differs: ${kind} ${id}`);
  });
}

/** The record that replication makes of one of the POS; null for one that it rejects. */
export function normalize(connection: Connection, kind: SimulatedKind, record: unknown): RecordToWrite | null {
  type Normalize = (connection: Connection, record: unknown) => RecordToWrite | null;
  return (replicatedKinds[kind].normalize as Normalize)(connection, record);
}

/**
 * A record without the fields that the service adds: its dates, the earlier date of a void sale, and the former
 * places of stock. Undefined for empty stock, which the POS need not list.
 */
function comparable(kind: SimulatedKind, record: Record<string, unknown>): string | undefined {
  const dates = { svc_created_date: null, svc_updated_date: null };
  if (kind === "location") return JSON.stringify({ ...record, ...dates, svc_created_date_local: null });
  if (kind === "inventory") {
    const left = (record.location_data as { quantity: number }[]).filter(({ quantity }) => quantity > 0);
    if (left.length === 0 && record.total_quantity === 0) return undefined;
    return JSON.stringify({ ...record, ...dates, location_data: left });
  }
  const isVoid = record.transaction_type === "adjustment";
  return JSON.stringify({ ...record, ...dates, ...unchecked, ...(isVoid && { date: null, local_date: null }) });
}

const unchecked = { compliance_status: null, compliance_exceptions: null, compliance_warnings: null };

/**
 * The stored sales whose compliance fields are not those of the present rules, after the sales were checked again.
 *
 * @param from yyyy-MM-dd: earlier sales may have the findings of an earlier state
 */
export function findComplianceFaults({ crbId, state }: Connection, stored: Stored, from: string): string[] {
  return (stored.get(recordList(crbId, "sale").pk) ?? []).flatMap(({ sk, body }) => {
    const sale = JSON.parse(body as string);
    const expected = checkSale(sale, state, saleRules);
    return sale.local_date < from || isDeepStrictEqual({ ...sale, ...expected }, sale)
      ? []
      : [`not checked by the rules of ${state}: sale ${sk}`];
  });
}
