import { posCredentialsKey } from "./crbs.ts";
import { type Key, key, ofCrb } from "./key.ts";

/** The connections of a CRB to state systems. The partition lists those of all CRBs. */
export const stateConnectionsKey = (crbId: string): Key => key(stateConnectionsPartition, crbId);

export const stateConnectionsPartition = "STATE_CONNECTIONS";

/** The sealed keys of a CRB's connections, next to its POS credentials. */
export const stateKeysKey = (crbId: string): Key => key(posCredentialsKey(crbId).pk, "STATE_SYSTEMS");

export const stateDaysPartition = (crbId: string): string => ofCrb(crbId, "STATE_DAY");

/** The totals of a license on a day. */
export const stateDayKey = (crbId: string, day: string, licenseNumber: string): Key =>
  key(stateDaysPartition(crbId), day, licenseNumber);
