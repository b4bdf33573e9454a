import { type RecordKind, recordKinds } from "../../api/kinds.ts";
import { itemId, type Table } from "../../store/client.ts";
import { freshnessKey } from "../../store/keys/replication.ts";

// For the status page, the planner counts the ages that it finds, without the businesses. An item holds the counts of one hour.
// An age counts in a class of ages, so counts of concurrent planners can be added, and the page needs no scan of all businesses.

/** How old the records of one kind of a business were when their next replication was due. */
export interface FoundAge {
  kind: RecordKind;
  /** seconds since the last successful replication */
  seconds: number;
}

/** The ages of a kind in the last one to two hours. The numbers are minutes: the upper limit of the class of an age. */
interface KindFreshness {
  kind: RecordKind;
  /** the median over the due replications */
  median: number;
  /** the highest age */
  oldest: number;
}

export interface Freshness {
  /** when the planner last ran, ISO 8601 UTC; null if it has not run for one to two hours */
  plannedAt: string | null;
  /** kinds for which a replication was due, in the order of `recordKinds` */
  kinds: KindFreshness[];
}

/** Upper limits of the classes of ages, in minutes. Older ages count in the last one. */
const classes = [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 720, 1_440, 2_880, 10_080];

const hourOf = (time: Date): string => time.toISOString().slice(0, 13);

const retentionSeconds = 86_400;

/** The class of an age. */
const classOf = (seconds: number): number =>
  classes.find((minutes) => seconds <= minutes * 60) ?? (classes.at(-1) as number);

/**
 * Counts the ages that a run of the planner has found. If the response of the write is lost, the ages may count twice.
 */
export async function countAges(table: Table, ages: readonly FoundAge[], now: Date): Promise<void> {
  const counts = new Map<string, number>();
  for (const { kind, seconds } of ages) {
    const name = `${kind}_${classOf(seconds)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const additions = [...counts.keys()].map((name) => `${name} :${name}`);
  await table.change(freshnessKey(hourOf(now)), {
    expression: `SET planned_at = :now, expires = :expires${additions.length > 0 ? ` ADD ${additions.join(", ")}` : ""}`,
    values: {
      ":now": now.toISOString(),
      ":expires": Math.floor(now.getTime() / 1_000) + retentionSeconds,
      ...Object.fromEntries([...counts].map(([name, count]) => [`:${name}`, count])),
    },
  });
}

/** Reads the freshness of all businesses of a stage, in the present and the previous hour. */
export async function readFreshness(table: Table, now: Date): Promise<Freshness> {
  const keys = [new Date(now.getTime() - 3_600_000), now].map((time) => freshnessKey(hourOf(time)));
  const items = await table.batchGet(keys);
  const hours = keys.flatMap((key) => items.get(itemId(key)) ?? []);
  const plannedAt = (hours.at(-1)?.planned_at as string | undefined) ?? null;
  const kinds = recordKinds.flatMap((kind) => {
    const counts = classes.map((minutes) => ({
      minutes,
      count: hours.reduce((sum, hour) => sum + ((hour[`${kind}_${minutes}`] as number | undefined) ?? 0), 0),
    }));
    const found = counts.filter(({ count }) => count > 0);
    const total = found.reduce((sum, { count }) => sum + count, 0);
    const [last] = found.slice(-1);
    if (!last) return [];
    let below = 0;
    const middle = found.find(({ count }) => {
      below += count;
      return below >= total / 2;
    });
    return [{ kind, median: (middle ?? last).minutes, oldest: last.minutes }];
  });
  return { plannedAt, kinds };
}
