import { posCredentialsKey } from "./crbs.ts";
import type { Key } from "./key.ts";

/** The connections of a CRB to state systems. The partition lists those of all CRBs. */
export const stateConnectionsKey = (crbId: string): Key => ({ pk: stateConnectionsPartition, sk: crbId });

export const stateConnectionsPartition = "STATE_CONNECTIONS";

/** The sealed keys of a CRB's connections, next to its POS credentials. */
export const stateKeysKey = (crbId: string): Key => ({ pk: posCredentialsKey(crbId).pk, sk: "STATE_SYSTEMS" });

export const stateDaysPartition = (crbId: string): string => `CRB#${crbId}#STATE_DAY`;

/** The totals of a license on a day. */
export const stateDayKey = (crbId: string, day: string, licenseNumber: string): Key => ({
  pk: stateDaysPartition(crbId),
  sk: `${day}#${licenseNumber}`,
});

/** A range key after all licenses of a day: `$` follows `#` in ASCII. */
export const lastStateDay = (day: string): string => `${day}$`;
