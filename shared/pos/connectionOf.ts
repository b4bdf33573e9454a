import type { Crb } from "../table/crbs.ts";
import type { Connection } from "./connector.ts";

/** The connection of a CRB to its POS; undefined while it has none. */
export function connectionOf({ record, connection }: Crb): Connection | undefined {
  if (!connection) {
    return undefined;
  }
  return {
    ...connection,
    crbId: record.id,
    businessType: record.business_type ?? "retail",
    state: record.state,
    timezone: record.timezone,
    // None are kept yet: the sandbox POS, the only one so far, asks for none.
    credentials: {},
  };
}
