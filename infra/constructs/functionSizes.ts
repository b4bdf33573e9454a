import type { Operation } from "../../shared/api/operation.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import type { AwsSettings } from "../stages/stages.ts";

/**
 * Memory (MB) and timeout (s) of functions, by the kind of work. CPU is proportional to memory: 1,769 MB give one vCPU.
 */
export const functionSizes = {
  /** One record, small responses. */
  record: { memory: 512, timeout: 28 },
  /** Lists of up to 6 MB; measured at 221 MB resident. */
  page: { memory: 1024, timeout: 28 },
  /** A document of 5 MB in the request; measured at below 256 MB resident. */
  document: { memory: 1024, timeout: 28 },
  /** One page of a POS at a time; measured at below 256 MB resident. */
  replication: { memory: 1024, timeout: 15 * 60 },
  /** The lists of one business; measured at below 256 MB resident. This memory gives a whole vCPU: one step has 15 minutes. */
  restoration: { memory: 1770, timeout: 15 * 60 },
  /** One part of an export at a time; measured at below 256 MB resident. An access report, at its limits: 628 MB. */
  export: { memory: 1024, timeout: 15 * 60 },
  /** All linked licenses and an index of all licenses, each night. */
  comparison: { memory: 512, timeout: 15 * 60 },
  /** Short work for a queue or a schedule. */
  chore: { memory: 256, timeout: 60 },
} as const;

export type FunctionSize = keyof typeof functionSizes;

export function sizeOf({ query, permissionSets }: Operation): FunctionSize {
  if (permissionSets.includes("documents:add")) return "document";
  return "limit" in query.shape ? "page" : "record";
}

/**
 * The sum of the concurrency that a stage with these operations reserves: for its workers, and for each function that
 * reads pages.
 */
export function reservedInstances(aws: AwsSettings, operations: readonly Operation[]): number {
  const { workers = [], page = 0 } = aws.reservedConcurrency;
  const ofWorkers = workers.reduce((sum, name) => sum + (reservedForWorker(aws, name) ?? 0), 0);
  return ofWorkers + page * operations.filter((each) => sizeOf(each) === "page").length;
}

/** The concurrency reserved for the function of a handler; undefined if it uses the account's unreserved concurrency. */
export function reservedFor(aws: AwsSettings, handler: string): number | undefined {
  if (handler === "replication/worker") return reservedForWorker(aws, "replication");
  if (handler === "webhooks/deliverer") return reservedForWorker(aws, "webhooks");
  const isPage = operationRegistry.some((each) => each.handler === handler && sizeOf(each) === "page");
  return isPage ? aws.reservedConcurrency.page : undefined;
}

/** The concurrency reserved for a worker; undefined if it uses the account's unreserved concurrency. */
const reservedForWorker = (
  { workers, reservedConcurrency }: AwsSettings,
  name: "replication" | "webhooks",
): number | undefined => {
  if (!reservedConcurrency.workers?.includes(name)) return undefined;
  // Two queues invoke the replication worker.
  return name === "replication" ? workers.replication + workers.retries : workers[name];
};
