import { nameOfKind, type RecordKind } from "../../api/kinds.ts";
import type { Incident } from "./incidents.ts";

/** What the status page shows, as `/status.json` returns it. Times are ISO 8601 UTC. */
export interface ServiceStatus {
  /** the first that applies: `unavailable`, `delayed`, `incident` (an operator reports one), `operational` */
  status: "operational" | "incident" | "delayed" | "unavailable";
  /** whether the API can read its data */
  api: "operational" | "unavailable";
  /** null on a stage that has no businesses, and while the API is unavailable */
  replication: {
    /** `delayed` if the planner has not run for ten minutes */
    status: "operational" | "delayed";
    planned_date: string | null;
    /** ages in minutes, rounded up; an age above 10,080 (7 days) is shown as 10,080 */
    ages: { kind: string; median_minutes: number; oldest_minutes: number }[];
  } | null;
  incidents: Incident[];
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
  now: Date,
): Promise<ServiceStatus> {
  const rest = { incidents, date: now.toISOString() };
  let replication: ServiceStatus["replication"] = null;
  try {
    if (readFreshness) replication = toReplication(await readFreshness(), now);
  } catch {
    // The table has logged the outage.
    return { status: "unavailable", api: "unavailable", replication, ...rest };
  }
  const isOpen = incidents.some(({ ended }) => ended === null);
  const otherwise = isOpen ? "incident" : "operational";
  return {
    status: replication?.status === "delayed" ? "delayed" : otherwise,
    api: "operational",
    replication,
    ...rest,
  };
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
