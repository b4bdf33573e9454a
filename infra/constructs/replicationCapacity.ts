import type { AwsSettings, StageSettings } from "../stages/stages.ts";
import { measured } from "./measuredUsage.ts";

/** Turns of replication that the intervals of a stage ask for, for each business and in a second. */
export const turnsPerSecond = ({ replicateEverySeconds }: Pick<StageSettings, "replicateEverySeconds">): number =>
  Object.values(replicateEverySeconds).reduce((sum, seconds) => sum + 1 / seconds, 0);

/**
 * How many businesses the replication workers of a stage keep current, at the measured time of a turn in which nothing is
 * new. A worker takes one turn at a time. Slow POS systems and first readings lower the number.
 */
export const maxBusinesses = (
  settings: Pick<StageSettings, "replicateEverySeconds">,
  { workers }: Pick<AwsSettings, "workers">,
): number => Math.floor(workers.replication / measured.turn.seconds / turnsPerSecond(settings));
