import type { ReplicationState } from "../../shared/domain/replication/replicationState.ts";
import type { Table } from "../../shared/store/client.ts";
import { replicationKey } from "../../shared/store/keys/replication.ts";
import { demoBusinesses } from "./demoBusinesses.ts";

const dayMs = 24 * 60 * 60 * 1_000;

/** The business whose inventory has not been readable for two days, so that the demo has data that is not fresh. */
const staleBusiness = "Emerald Coast Distribution";

/**
 * Lets the inventory of a demo business fail, as after its POS has withdrawn a permission. The worker does not read it again
 * for a year, unless the business enters new credentials.
 */
export async function prepareStaleness(table: Table): Promise<void> {
  const business = demoBusinesses.find(({ record }) => record.name === staleBusiness);
  if (!business) return;
  const now = table.clock.now().getTime();
  const failure: Partial<ReplicationState> = {
    error: "notPermitted",
    failing_since: new Date(now - 2 * dayMs).toISOString(),
    not_before: new Date(now + 365 * dayMs).toISOString(),
  };
  await table.update(replicationKey(business.record.id, "inventory"), { ...failure });
}
