import { ServiceError } from "../../../shared/api/errors.ts";
import {
  type RebuildListsOptions,
  type ReportedList,
  rebuildCrbList,
  rebuildLists,
} from "../../../shared/domain/replication/rebuildLists.ts";
import type { Item, Table } from "../../../shared/store/client.ts";
import { listServiceProviders } from "../../../shared/store/crbs.ts";
import { endedAssociations } from "../../../shared/store/endedAssociations.ts";
import { crbList } from "../../../shared/store/keys/orderedLists.ts";
import { listRebuildKey } from "../../../shared/store/keys/replication.ts";
import { streamItems } from "../../../shared/store/listRebuild/streamItems.ts";

/** A list with its owner: a CRB or a service provider. */
export interface OwnedList extends ReportedList {
  owner: string;
}

/** An owner whose lists could not be compared, with the reason. */
export interface FailedOwner {
  owner: string;
  reason: string;
}

/** The progress of a rebuild of all lists. */
interface Checkpoint {
  /** The kinds and options of the rebuild. A rebuild with different kinds or options starts from the beginning. */
  of: string;
  /** The last owner whose lists are rebuilt. Owners are sorted by id. */
  last_owner: string | null;
}

/**
 * Checks or rebuilds the lists of all service providers and CRBs. A rebuild stores its progress in the table, and the next
 * call continues from it.
 *
 * @param isFromStart discards the progress of an interrupted rebuild
 * @param onOwners called with the numbers of completed and of all owners
 */
export async function* allLists(
  table: Table,
  options: RebuildListsOptions,
  isFromStart: boolean,
  onOwners: (done: number, total: number) => void = () => undefined,
): AsyncGenerator<OwnedList | FailedOwner> {
  const owners = new Map<string, () => AsyncGenerator<ReportedList>>();
  const checkpoint = options.isCheck ? undefined : await beginRebuild(table, options, isFromStart);
  const kinds = options.kinds;
  for (const { id } of await listServiceProviders(table)) {
    if (!kinds) owners.set(id, () => rebuildCrbList(table, id, options));
    for await (const part of streamItems(table, crbList(id).pk, [])) {
      for (const { sk } of part) owners.set(sk?.S ?? "", () => rebuildLists(table, sk?.S ?? "", options));
    }
  }
  for (const { crbId } of await endedAssociations(table, new Date("9999-12-31"))) {
    owners.set(crbId, () => rebuildLists(table, crbId, options));
  }
  let hasFailed = false;
  const sorted = [...owners].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [i, [owner, rebuild]] of sorted.entries()) {
    onOwners(i, sorted.length);
    if (checkpoint?.last_owner && owner <= checkpoint.last_owner) continue;
    for await (const report of ownedLists(owner, rebuild())) {
      if ("reason" in report) hasFailed = true;
      yield report;
    }
    // The next call retries a failed owner.
    if (checkpoint && !hasFailed) await table.update(listRebuildKey, { last_owner: owner });
  }
  onOwners(sorted.length, sorted.length);
  if (checkpoint && !hasFailed) await table.delete(listRebuildKey);
}

/** The reports on the lists of one owner. A temporary failure yields a report with the reason. */
export async function* ownedLists(
  owner: string,
  reports: AsyncGenerator<ReportedList>,
): AsyncGenerator<OwnedList | FailedOwner> {
  try {
    for await (const report of reports) yield { owner, ...report };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The owner has no record: a purge removed the record, or an association names a CRB that was never stored.
    if (error.kind === "notFound") return;
    yield { owner, reason: "a replication is running, or the table cannot be reached: run the same command again" };
  }
}

async function beginRebuild(
  table: Table,
  { kinds, keepsWatermark = false }: RebuildListsOptions,
  isFromStart: boolean,
): Promise<Checkpoint> {
  const of = JSON.stringify({ kinds, keepsWatermark });
  const stored = (await table.get(listRebuildKey, { consistent: true })) as (Item & Checkpoint) | undefined;
  if (stored?.of === of && !isFromStart) return stored;
  const checkpoint: Checkpoint = { of, last_owner: null };
  await table.put({ ...listRebuildKey, ...checkpoint });
  return checkpoint;
}
