import { maxDue } from "../../shared/domain/replication/planReplications.ts";
import { dueShards } from "../../shared/store/keys/replication.ts";
import type { AwsSettings, StageSettings } from "../stages/stages.ts";
import { replicationBatch } from "./replicationBatch.ts";

/** The number of replications a second that a stage's intervals require for each business. */
export const turnsPerSecond = ({ replicateEverySeconds }: Pick<StageSettings, "replicateEverySeconds">): number =>
  Object.values(replicateEverySeconds).reduce((sum, seconds) => sum + 1 / seconds, 0);

/** DynamoDB's limit for a partition, in write units a second, and the units of a change of a due time and its index entry. */
const partitionUnits = 1_000;
const unitsPerTurn = 3;

/**
 * The number of businesses that a stage keeps current: the smallest of the capacities of its replication workers, at the time
 * of a batch of replications that find no change, of its planner, and of the partitions of due times. Slow POS systems and
 * first replications lower the number.
 */
export const maxBusinesses = (
  settings: Pick<StageSettings, "replicateEverySeconds">,
  { workers }: Pick<AwsSettings, "workers">,
): number =>
  Math.floor(
    Math.min(
      (workers.replication * replicationBatch.messages) / replicationBatch.seconds,
      maxDue / 60,
      (dueShards.length * partitionUnits) / unitsPerTurn,
    ) / turnsPerSecond(settings),
  );
