import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import type { RecordKind } from "../../api/kinds.ts";
import { applyPosConfigMove, type PosConfigMove } from "../../pos/posConfigStatus.ts";
import type { Table } from "../../store/client.ts";
import { type Crb, toCrb } from "../../store/crb.ts";
import { crbChange, crbRetryOptions } from "../../store/crbs.ts";
import { commitWithEvents } from "../../store/eventLog/commitWithEvents.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { fenceKey, replicationKey } from "../../store/keys/replication.ts";
import { retryOnConflict } from "../../store/retryOnConflict.ts";
import type { Clock } from "../../time/clock.ts";
import type { ReplicationState } from "./replicationState.ts";

/**
 * Changes the status of a CRB's POS configuration as the move requires. Writes nothing if the status already is as required.
 *
 * @param crb the CRB as the caller read it earlier
 * @param readConditions returns the conditions of the change, or undefined if the change no longer applies
 * @returns whether the status was changed
 * @throws ServiceError "notFound" if the association has ended
 */
export async function movePosConfig(
  table: Table,
  { record, connection }: Crb,
  move: PosConfigMove,
  clock: Clock,
  readConditions: () => Promise<TransactWriteItem[] | undefined> = async () => [],
): Promise<boolean> {
  const moved = (present: Pick<Crb, "record" | "connection">) => {
    // The move is meant for the connection that the caller read, so it does not apply to a newer connection.
    if (present.connection?.connectedAt !== connection?.connectedAt) return undefined;
    const config = present.record.pos_configs.find(({ name }) => name === present.connection?.posType);
    return config && applyPosConfigMove(present.record.pos_configs, config.name, move, clock.now());
  };
  // Usually the status stays the same. To save a read, first check whether the status would change in the CRB that the caller
  // read.
  if (!moved({ record, connection })) return false;
  return retryOnConflict(
    clock,
    async () => {
      const conditions = await readConditions();
      const item = conditions && (await table.get(crbKey(record.id), { consistent: true }));
      const present = item && toCrb(item);
      const pos_configs = present && moved(present);
      if (!pos_configs) return false;
      const after = { ...present, record: { ...present.record, pos_configs } };
      const { writes, events } = await crbChange(table, item, after, clock.now());
      await commitWithEvents(table, { writes: [...writes, ...conditions], events }, clock);
      return true;
    },
    crbRetryOptions,
  );
}

/**
 * Conditions of a transaction that must only run while a rejection is in force. New credentials end the rejection, and so does
 * a run that the POS accepts.
 *
 * @returns undefined if the rejection has ended
 */
export async function buildRejectionConditions(
  table: Table,
  { crbId, kind, failure, attempts }: { crbId: string; kind: RecordKind; failure: string | null; attempts: number },
): Promise<TransactWriteItem[] | undefined> {
  const state = (await table.get(replicationKey(crbId, kind), { consistent: true })) as ReplicationState | undefined;
  if (state?.error !== failure || state.attempts < attempts) return undefined;
  const stands = { expression: "fence = :fence", values: { ":fence": state.fence } };
  return [table.checkWrite(fenceKey(crbId, kind), stands)];
}
