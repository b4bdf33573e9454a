import type { LicenseActorKind, MetrcState, StateConnectionError, StateSystem } from "../api/enumerations.ts";
import type { PersonName } from "../api/schemas/person.ts";
import type { StateBasis } from "../insights/stateCodes.ts";
import { type Item, type Table, unchanged } from "./client.ts";
import { stateConnectionsKey, stateKeysKey } from "./keys/stateSystems.ts";

/** Who stores a key. */
export interface StateActor {
  kind: Exclude<LicenseActorKind, "operator">;
  /** Client id of the credential, or id of the invitation. */
  id: string;
  person: PersonName | null;
}

/** The connection of a license as stored, without its key. */
export interface StoredConnection {
  system: StateSystem;
  state: MetrcState;
  /** ISO 8601 UTC */
  connectedAt: string;
  /** When the first key was stored, ISO 8601 UTC. A replaced key leaves it, so that the same days are followed. */
  firstConnectedAt: string;
  by: StateActor;
  /** Whether the system has shown that the key cannot manage sales. Most keys cannot read their own permissions. */
  isViewOnly: boolean;
  /** The next reading is due then, ISO 8601 UTC. A reading moves it first, so that no other one begins meanwhile. */
  due: string;
  /** The instant up to which the last reading that succeeded has all changes, ISO 8601 UTC; null before. */
  readAt: string | null;
  /** The earliest day that the next reading reads, even if nothing changed, yyyy-MM-dd; null for none. */
  againFrom: string | null;
  error: StateConnectionError | null;
  /** Readings in a row that failed. */
  failed: number;
}

/** All connections of a CRB to state systems. */
export interface StateConnections {
  crbId: string;
  /** By license number. */
  licenses: Readonly<Record<string, StoredConnection>>;
  /** The figure of the sales days that the totals of this CRB are nearer to; null before the first comparison. */
  basis: StateBasis | null;
  /** The sums of the newest days over all licenses, in cents by day (`sumStateDays`). Insights read them. */
  totals: Readonly<Record<string, number>>;
  /** The days whose variance was reported, yyyy-MM-dd, the newest 31. */
  reported: readonly string[];
  /** 0 if the CRB has none. */
  version: number;
}

/** Reads the connections of a CRB consistently. */
export async function readStateConnections(table: Table, crbId: string): Promise<StateConnections> {
  const item = await table.get(stateConnectionsKey(crbId), { consistent: true });
  return toConnections({ ...stateConnectionsKey(crbId), ...item });
}

export const toConnections = ({ pk: _, sk: crbId, ...stored }: Item) =>
  ({ crbId, licenses: {}, basis: null, totals: {}, reported: [], version: 0, ...stored }) as StateConnections;

/** The write of changed connections, on condition that no other writer has changed them. */
export function connectionsWrite(table: Table, { crbId, version, ...stored }: StateConnections) {
  const item = { ...stateConnectionsKey(crbId), ...stored, version: version + 1 };
  return table.putWrite(item, unchanged("version", version || undefined));
}

/** The writes that erase all connections and keys of a CRB. */
export const connectionsEndWrites = (table: Table, crbId: string) => [
  table.deleteWrite(stateConnectionsKey(crbId)),
  table.deleteWrite(stateKeysKey(crbId)),
];

/** The attribute of the item of keys that holds the key of a license. */
export const keyAttribute = (licenseNumber: string): string => `KEY ${licenseNumber}`;
