import { unmarshall } from "@aws-sdk/util-dynamodb";
import { type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import { itemId } from "../../../shared/store/client.ts";
import { locationInventoryList, recordList, salesTotalsPartition } from "../../../shared/store/keys/orderedLists.ts";
import { parsePosition } from "../../../shared/store/keys/positions.ts";
import { fenceKey, replicationKey } from "../../../shared/store/keys/replication.ts";
import { withRawText } from "../../../shared/store/recordText.ts";
import { utcDay } from "../../../shared/time/clock.ts";
import type { Changed, Observation } from "../realRules/observations.ts";
import { SalesDayJournal } from "./salesDayJournal.ts";

/** How often each defense against other writers, and against lagging nodes and indexes, had an effect. */
export const noDefenses = {
  /** transactions rejected because another worker had taken over the lease */
  fence: 0,
  /** workers that found a lease free but were not the first to take it */
  lease: 0,
  /** records compared by a consistent read, where another node would have shown an earlier state */
  comparison: 0,
  /** records that entered a list on its newest day, later than today by their writer's clock */
  dayOfEntry: 0,
  /** reads of a page repeated because its counts and bitmaps were of different states */
  staleRead: 0,
  /** reads of several years repeated because these were of different states */
  years: 0,
  /** pages of changes that ended before a record that the index did not show yet */
  gap: 0,
};
export type Defenses = typeof noDefenses;

/** A version of a record, and its start (epoch milliseconds). */
interface Version {
  body: string;
  at: number;
}

/** The actor that rebuilds lists from their records. It may place records on the days they belong to. */
export const rebuilder = "operator who rebuilds";

type Commit = Extract<Observation, { type: "committed" }>;

/**
 * The commits to the tables of a CRB, in order. They show which version of a record was current when, how often
 * defenses had an effect, whether workers wrote only under their own leases, and whether each record came after all
 * others of its list.
 */
export class Journal {
  readonly defenses: Defenses = { ...noDefenses };
  readonly faults: string[] = [];
  readonly salesDays: SalesDayJournal;
  /** The changes of each transaction or single write. */
  readonly commits: (readonly Changed[])[] = [];
  readonly #totalsPk: string;
  /** By table: the sales days that are complete, as the lease of the sales has them. */
  readonly #completed = new Map<string, string>();
  /** By partition, the kind whose lease protects the records. */
  readonly #kinds = new Map<string, RecordKind>();
  readonly #leases: ReadonlyMap<string, RecordKind>;
  readonly #fences: ReadonlyMap<string, RecordKind>;
  /** By table and kind: the actor that took the lease last. */
  readonly #holders = new Map<string, { actor: string | undefined; fence: number }>();
  /** By table and partition, the highest rank. */
  readonly #newest = new Map<string, string>();
  readonly #versions = new Map<string, Version[]>();
  /** By partition: the number of records, and since when. Records never leave. */
  readonly #counts = new Map<string, { at: number; count: number }[]>();

  constructor(crbId: string, timezone: string, locationIds: readonly string[]) {
    this.salesDays = new SalesDayJournal(crbId, timezone, rebuilder, this.faults);
    this.#totalsPk = salesTotalsPartition(crbId);
    const kindsBy = (keyOf: typeof fenceKey) => new Map(recordKinds.map((kind) => [itemId(keyOf(crbId, kind)), kind]));
    this.#leases = kindsBy(replicationKey);
    this.#fences = kindsBy(fenceKey);
    for (const kind of recordKinds) this.#kinds.set(recordList(crbId, kind).pk, kind);
    for (const id of locationIds) this.#kinds.set(locationInventoryList(crbId, id).pk, "inventory");
  }

  readonly observe = (observation: Observation): void => {
    if (observation.type === "committed") this.#commit(observation);
    else if (observation.type === "unmet") {
      if (this.#fences.has(itemId(observation.write))) this.defenses.fence++;
      if (this.#leases.has(itemId(observation.write))) this.defenses.lease++;
    } else if (this.#kinds.has(observation.item.pk) && observation.attributes.includes("hash")) {
      this.defenses.comparison++;
    }
  };

  /** When a version of a record was replaced, in epoch milliseconds; undefined if it is current or unknown. */
  supersededAt(pk: string, sk: string, body: string): number | undefined {
    const versions = this.#versions.get(itemId({ pk, sk })) ?? [];
    const last = versions.findLastIndex((version) => version.body === body);
    return last < 0 ? undefined : versions[last + 1]?.at;
  }

  /** The minimum and maximum number of records in a partition between two instants (epoch milliseconds). */
  countsBetween(pk: string, from: number, to: number): { min: number; max: number } {
    const counts = this.#counts.get(pk) ?? [];
    const min = counts.findLast(({ at }) => at <= from)?.count ?? 0;
    return { min, max: counts.findLast(({ at }) => at <= to)?.count ?? 0 };
  }

  #commit(commit: Commit): void {
    this.commits.push(commit.changes);
    this.salesDays.commit(commit);
    const newest = new Map(this.#newest);
    for (const change of commit.changes) {
      const fence = this.#fences.get(itemId(change));
      const kind = this.#kinds.get(change.pk);
      if (fence && change.item) this.#takeLease(commit, `${change.table} ${fence}`, Number(change.item.fence?.N));
      if (this.#isOfSalesDays(change)) this.#checkHolder(commit, change, "sale");
      if (!kind || !change.item) continue;
      const { rank = "", body = "" } = unmarshall(withRawText(change.item)) as Partial<Record<string, string>>;
      this.#checkRecord(commit, change, kind, rank);
      const list = `${change.table} ${change.pk}`;
      newest.set(list, [newest.get(list) ?? "", rank].sort().at(-1) as string);
      const id = itemId(change);
      if (!this.#versions.has(id)) {
        const counts = this.#counts.get(change.pk) ?? [];
        this.#counts.set(change.pk, [...counts, { at: commit.at, count: counts.length + 1 }]);
      }
      this.#versions.set(id, [...(this.#versions.get(id) ?? []), { body, at: commit.at }]);
    }
    for (const [list, rank] of newest) this.#newest.set(list, rank);
  }

  #takeLease({ actor }: Commit, lease: string, fence: number): void {
    const before = this.#holders.get(lease);
    // The holder repeats its write if the response was lost.
    const isRepeated = actor === before?.actor && fence === before?.fence;
    if (before && fence <= before.fence && !isRepeated) {
      this.faults.push(`${actor} takes lease ${fence} after ${before.actor}`);
    }
    this.#holders.set(lease, { actor, fence });
  }

  /** Whether a change is one of the totals of sales days, or of the complete days. */
  #isOfSalesDays({ table, pk, sk, item }: Changed): boolean {
    if (!item || this.#leases.get(itemId({ pk, sk })) !== "sale") return item !== undefined && pk === this.#totalsPk;
    const { until, is_rebuilt } = item.sales_days_completed?.M ?? {};
    const completed = `${until?.S} ${is_rebuilt?.BOOL}`;
    const isChanged = completed !== (this.#completed.get(table) ?? completed);
    this.#completed.set(table, completed);
    return isChanged;
  }

  #checkHolder({ actor }: Commit, { table }: Changed, kind: RecordKind): void {
    const holder = this.#holders.get(`${table} ${kind}`);
    if (holder && holder.actor !== actor)
      this.faults.push(`${actor} writes ${kind} under the lease of ${holder.actor}`);
  }

  #checkRecord(commit: Commit, change: Changed, kind: RecordKind, rank: string): void {
    this.#checkHolder(commit, change, kind);
    const { actor, actorTime } = commit;
    const { table, pk, sk } = change;
    const newest = this.#newest.get(`${table} ${pk}`) ?? "";
    if (rank <= newest && actor !== rebuilder) this.faults.push(`${actor} places ${sk} at ${rank}, behind ${newest}`);
    if (parsePosition(rank).day > utcDay(new Date(actorTime))) this.defenses.dayOfEntry++;
  }
}
