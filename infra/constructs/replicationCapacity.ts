import type { AwsSettings, StageSettings } from "../stages/stages.ts";
import { measured } from "./measuredUsage.ts";

/** The number of replications a second that a stage's intervals require for each business. */
export const turnsPerSecond = ({ replicateEverySeconds }: Pick<StageSettings, "replicateEverySeconds">): number =>
  Object.values(replicateEverySeconds).reduce((sum, seconds) => sum + 1 / seconds, 0);

/**
 * The number of businesses that a stage's replication workers keep current, at the measured time of a replication that
 * finds no change. A worker runs one replication at a time. Slow POS systems and first replications lower the number.
 */
export const maxBusinesses = (
  settings: Pick<StageSettings, "replicateEverySeconds">,
  { workers }: Pick<AwsSettings, "workers">,
): number => Math.floor(workers.replication / measured.turn.seconds / turnsPerSecond(settings));
