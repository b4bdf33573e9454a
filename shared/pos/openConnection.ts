import { type PosCredentials, unseal } from "../platform/crypto/sealing.ts";
import type { Table } from "../store/client.ts";
import type { Crb } from "../store/crb.ts";
import { posCredentialsKey } from "../store/keys/crbs.ts";
import type { Connection } from "./connector.ts";

/** The connection of a CRB to its POS; undefined if the CRB has no connection. */
export function toConnection({ record, connection }: Crb, credentials: PosCredentials): Connection | undefined {
  if (!connection) {
    return undefined;
  }
  return {
    ...connection,
    crbId: record.id,
    businessType: record.business_type ?? "retail",
    state: record.state,
    timezone: record.timezone,
    credentials,
  };
}

/** The connection with the CRB's decrypted credentials: never log or store the result. */
export async function openConnection(
  table: Table,
  crb: Crb,
  options?: { consistent: boolean },
): Promise<Connection | undefined> {
  if (!crb.connection) {
    return undefined;
  }
  const item = await table.get(posCredentialsKey(crb.record.id), options);
  return toConnection(crb, item ? await unseal(crb.record.id, item.sealed as Uint8Array) : {});
}
