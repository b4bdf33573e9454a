import { maxDue } from "../../shared/domain/replication/planReplications.ts";
import { dueShards } from "../../shared/store/keys/replication.ts";
import type { AwsSettings, StageSettings } from "../stages/stages.ts";
import { replicationBatch } from "./replicationBatch.ts";

/**
 * The number of messages a second that a stage's intervals require for each business: one for each replication of the most
 * frequent kind, with the other kinds that are due.
 */
export const messagesPerSecond = ({ replicateEverySeconds }: Pick<StageSettings, "replicateEverySeconds">): number =>
  1 / Math.min(...Object.values(replicateEverySeconds));

/** DynamoDB's limit for a partition, in write units a second, and the units of a change of due times and their index entry. */
const partitionUnits = 1_000;
const unitsPerMessage = 3;

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
      (dueShards.length * partitionUnits) / unitsPerMessage,
    ) / messagesPerSecond(settings),
  );
