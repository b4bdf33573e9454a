import { setTimeout as sleep } from "node:timers/promises";
import { nameOfKind, type RecordKind } from "../../api/kinds.ts";
import { describeError, log } from "../../platform/aws/log.ts";
import { type Incident, isOpen } from "./incidents.ts";

/** What the status page shows, as `/status.json` returns it. Times are ISO 8601 UTC. */
export interface ServiceStatus {
  /** the first that applies: `unavailable`, `delayed`, `incident` (an operator reports one), `operational` */
  status: "operational" | "incident" | "delayed" | "unavailable";
  /** whether the API can read its data */
  api: "operational" | "unavailable";
  /** null on a stage that has no businesses, and while the API is unavailable */
  replication: {
    /** `delayed` if no replication could be requested for ten minutes */
    status: "operational" | "delayed";
    planned_date: string | null;
    /** ages in minutes, rounded up; an age above 10,080 (7 days) is shown as 10,080 */
    ages: { kind: string; median_minutes: number; oldest_minutes: number }[];
  } | null;
  incidents: Incident[];
  /** version and commit of the deployed release; `local` on a local stage */
  release: string;
  /** when this was read */
  date: string;
}

const delayedAfterMs = 10 * 60_000;

/** The ages of records of all businesses, as the planner has found them. */
interface Freshness {
  plannedAt: string | null;
  kinds: readonly { kind: RecordKind; median: number; oldest: number }[];
}

/**
 * Reads the status of a stage.
 *
 * @param readFreshness reads the stage's table; undefined on a stage without one. If it fails, the API is unavailable
 */
export async function readServiceStatus(
  readFreshness: (() => Promise<Freshness>) | undefined,
  incidents: Incident[],
  release: string,
  now: Date,
): Promise<ServiceStatus> {
  const rest = { incidents, release, date: now.toISOString() };
  let replication: ServiceStatus["replication"] = null;
  try {
    if (readFreshness) replication = toReplication(await inTime(readFreshness()), now);
  } catch (error) {
    log.error("status not read", { error: describeError(error) });
    return { status: "unavailable", api: "unavailable", replication, ...rest };
  }
  const otherwise = incidents.some((incident) => isOpen(incident, now)) ? "incident" : "operational";
  return {
    status: replication?.status === "delayed" ? "delayed" : otherwise,
    api: "operational",
    replication,
    ...rest,
  };
}

/** A monitor waits no longer, and a table that hangs must not occupy functions. */
const maxReadMs = 3_000;

async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  const ended = new AbortController();
  const late = sleep(maxReadMs, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`The table did not respond in ${maxReadMs} ms.`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
    late.catch(() => undefined);
    work.catch(() => undefined);
  }
}

function toReplication({ plannedAt, kinds }: Freshness, now: Date): NonNullable<ServiceStatus["replication"]> {
  const isDelayed = plannedAt === null || now.getTime() - Date.parse(plannedAt) > delayedAfterMs;
  return {
    status: isDelayed ? "delayed" : "operational",
    planned_date: plannedAt,
    ages: kinds.map(({ kind, median, oldest }) => ({
      kind: nameOfKind(kind),
      median_minutes: median,
      oldest_minutes: oldest,
    })),
  };
}
