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
export async function openConnection(table: Table, crb: Crb): Promise<Connection | undefined> {
  return crb.connection ? openSealed(crb, await readSealed(table, crb.record.id)) : undefined;
}

/** The sealed POS credentials of a CRB; undefined if it has none. */
export async function readSealed(
  table: Table,
  crbId: string,
  options?: { consistent: boolean },
): Promise<Uint8Array | undefined> {
  return (await table.get(posCredentialsKey(crbId), options))?.sealed as Uint8Array | undefined;
}

/** Like `openConnection`, with the sealed credentials that were read. */
export async function openSealed(crb: Crb, sealed: Uint8Array | undefined): Promise<Connection | undefined> {
  return toConnection(crb, sealed ? await unseal(crb.record.id, sealed) : {});
}
