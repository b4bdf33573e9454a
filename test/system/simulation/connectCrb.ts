import { v5 as uuid } from "uuid";
import type { Crb } from "../../../shared/api/schemas/crb.ts";
import { seal } from "../../../shared/platform/crypto/sealing.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import { applyPosConfigMove } from "../../../shared/pos/posConfigStatus.ts";
import type { Table } from "../../../shared/store/client.ts";
import { createCrb } from "../../../shared/store/crbs.ts";
import { posCredentialsKey } from "../../../shared/store/keys/crbs.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { crbRecord } from "../../crbRecord.ts";

/** Stores a CRB with credentials, connected to a POS from now on. */
export async function connectCrb(
  table: Table,
  crbId: string,
  { posType, locationId, credentials }: Connection,
  clock: Clock,
): Promise<void> {
  const now = clock.now();
  const pos_configs = applyPosConfigMove([], posType as Crb["pos_configs"][number]["name"], "connect", now) ?? [];
  await table.put({ ...posCredentialsKey(crbId), sealed: await seal(crbId, credentials) });
  await createCrb(
    table,
    {
      record: { ...crbRecord(crbId), pos_configs },
      serviceProviderId: uuid("service provider", crbId),
      connection: { posType, locationId, connectedAt: now.toISOString() },
    },
    clock,
  );
}
