import type { Operation } from "../../shared/api/operation.ts";
import type { AwsSettings } from "../stages/stages.ts";

/** What functions are given, by what they do: memory (MB) and time (s). Memory decides on the share of a processor too: 1,769 are a whole one. */
export const functionSizes = {
  /** One record, small answers. */
  record: { memory: 512, timeout: 28 },
  /** Lists of up to 6 MB; measured at 221 MB resident. */
  page: { memory: 1024, timeout: 28 },
  /** A document of 5 MB in the request; measured at below 256 MB resident. */
  document: { memory: 1024, timeout: 28 },
  /** A page of a POS at a time; measured at below 256 MB resident. */
  replication: { memory: 1024, timeout: 15 * 60 },
  /** Short work by a queue or a schedule. */
  chore: { memory: 256, timeout: 60 },
} as const;

export type FunctionSize = keyof typeof functionSizes;

/** What the function of an operation is given. */
export function sizeOf({ query, permissionSets }: Operation): FunctionSize {
  if (permissionSets.includes("documents:add")) return "document";
  return "limit" in query.shape ? "page" : "record";
}

/** How many instances a stage with these operations keeps for single functions, of what the account may run at once. */
export function reservedInstances(aws: AwsSettings, operations: readonly Operation[]): number {
  if (aws.paused) return 0;
  const { workers = [], page = 0 } = aws.reservedConcurrency;
  const ofWorkers = workers.reduce((sum, name) => sum + aws.workers[name], 0);
  return ofWorkers + page * operations.filter((each) => sizeOf(each) === "page").length;
}

/** How many instances are reserved for a worker; undefined where it shares those of the account. */
export const reservedForWorker = (
  { workers, reservedConcurrency }: AwsSettings,
  name: "replication" | "webhooks",
): number | undefined => (reservedConcurrency.workers?.includes(name) ? workers[name] : undefined);
