import type { AwsSettings, StageSettings } from "../stages/stages.ts";
import { replicationBatch } from "./replicationBatch.ts";

/** The number of replications a second that a stage's intervals require for each business. */
export const turnsPerSecond = ({ replicateEverySeconds }: Pick<StageSettings, "replicateEverySeconds">): number =>
  Object.values(replicateEverySeconds).reduce((sum, seconds) => sum + 1 / seconds, 0);

/**
 * The number of businesses that a stage's replication workers keep current, at the time of a batch of replications that
 * find no change. Slow POS systems and first replications lower the number.
 */
export const maxBusinesses = (
  settings: Pick<StageSettings, "replicateEverySeconds">,
  { workers }: Pick<AwsSettings, "workers">,
): number =>
  Math.floor((workers.replication * replicationBatch.messages) / replicationBatch.seconds / turnsPerSecond(settings));
