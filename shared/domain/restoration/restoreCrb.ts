import { ServiceError } from "../../api/errors.ts";
import { type Item, type Table, tryConditionalWrite } from "../../store/client.ts";
import { restorationKey, restoringKey, restoringOfKey } from "../../store/keys/replication.ts";
import { hasDifferences } from "../../store/listRebuild/rebuildList.ts";
import { type Restoring, readRestoration } from "../../store/restoration.ts";
import { isUnmet, retryOnConflict } from "../../store/retryOnConflict.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { rebuildSums } from "../deposits/rebuildSums.ts";
import { erasePlanned } from "../replication/eraseCustomer.ts";
import { type ListKind, listKinds, type RebuildListsOptions, rebuildLists } from "../replication/rebuildLists.ts";
import { requestRestorations } from "./restorationMessage.ts";

export interface RestoreOptions {
  /** A step begins only before this time; afterwards a new message continues. If absent, all steps run. */
  deadline?: Date;
  /** End of the lease: no worker of this call works after this time. */
  heldUntil: Date;
  clock?: Clock;
  /** Called with the name of a list and the number of its records that were read since the last call. */
  onProgress?: RebuildListsOptions["onProgress"];
}

/**
 * How a call ended.
 *
 * - `opened`: the lists agree with their records, and callers have access.
 * - `open`: the CRB was open already, or was purged.
 * - `continues`: the time was over, and a new message continues.
 * - `held`: another worker restores the CRB; nothing was done.
 * - `waits`: the journal is not replayed yet; nothing was done.
 */
export interface RestoreResult {
  outcome: "opened" | "open" | "continues" | "held" | "waits";
  /** Records that this call has read. */
  records: number;
}

/** A restored list differs from its records right after its rebuild. */
class ListDiffersError extends Error {
  override readonly name = "ListDiffersError";
}

type Step = "erasures" | "deposits" | { kind: ListKind; isCheck: boolean };

/**
 * The steps in their order: rebuild all lists, repeat the erasures, which need right lists, check all lists, and compute the sums of
 * deposits. Progress is stored as a number of this order: append new steps.
 */
const steps: readonly Step[] = [
  ...listKinds.map((kind) => ({ kind, isCheck: false })),
  "erasures",
  ...listKinds.map((kind) => ({ kind, isCheck: true })),
  "deposits",
];

/**
 * Restores a closed CRB, then opens it. Its progress is stored after each step, so another call continues an interrupted one.
 * A failed call stores its reason, and the CRB stays closed.
 *
 * @throws the error of a step; ListDiffersError if a list is still wrong. SQS then delivers the message again
 */
export async function restoreCrb(
  table: Table,
  crbId: string,
  { deadline, heldUntil, clock = systemClock, onProgress }: RestoreOptions,
): Promise<RestoreResult> {
  const result = (outcome: RestoreResult["outcome"], records = 0) => ({ outcome, records });
  const closed = await table.get(restoringKey(crbId), { consistent: true });
  if (!closed) return result("open");
  const restoration = await readRestoration(table);
  if (!restoration?.replayed_at) return result("waits");
  const key = restoringOfKey(closed.sp_id as string, crbId);
  const held = await acquire(table, key, heldUntil, clock);
  if (!held) return result("held");
  if (!restoration.started_at) await noteStart(table, clock);
  let { step } = held;
  let records = 0;
  const isOurs = { expression: "held_until = :held", values: { ":held": held.held_until } };
  const save = async (progress: Partial<Restoring>) => {
    if (!(await tryConditionalWrite(table.update(key, progress, isOurs)))) throw new TakenError();
  };
  try {
    for (; step < steps.length; step++) {
      if (deadline && clock.now() >= deadline) {
        await save({ step, held_until: 0 });
        await requestRestorations([crbId]);
        return result("continues", records);
      }
      await save({ step });
      records += await run(table, crbId, steps[step] as Step, { clock, onProgress });
    }
    const open = [table.deleteWrite(key, isOurs), table.deleteWrite(restoringKey(crbId))];
    await retryOnConflict(clock, () =>
      table.transact(open).catch((error) => {
        throw isUnmet(error, 0) ? new TakenError() : error;
      }),
    );
    return result("opened", records);
  } catch (error) {
    if (error instanceof TakenError) return result("held", records);
    const failed_at = clock.now().toISOString();
    const failure = { error: codeOf(error, steps[step] as Step), failed_at, held_until: 0 };
    // A list that is still wrong is rebuilt again.
    const begins = error instanceof ListDiffersError && { step: 0 };
    await tryConditionalWrite(table.update(key, { ...failure, ...begins }, isOurs));
    throw error;
  }
}

/** Another worker has taken over the CRB, or a purge has removed it. */
class TakenError extends Error {
  override readonly name = "TakenError";
}

/** Acquires the lease of a closed CRB; undefined if another worker has it. */
async function acquire(
  table: Table,
  key: ReturnType<typeof restoringOfKey>,
  heldUntil: Date,
  clock: Clock,
): Promise<Restoring | undefined> {
  const item = (await table.get(key, { consistent: true })) as (Item & Restoring) | undefined;
  if (!item || item.held_until > clock.now().getTime()) return undefined;
  const lease = { held_until: heldUntil.getTime(), attempts: item.attempts + 1, error: null };
  const isFree = {
    expression: "attempts = :attempts AND held_until = :before",
    values: { ":attempts": item.attempts, ":before": item.held_until },
  };
  return (await tryConditionalWrite(table.update(key, lease, isFree))) ? { ...item, ...lease } : undefined;
}

async function noteStart(table: Table, clock: Clock): Promise<void> {
  const first = { expression: "attribute_exists(pk) AND attribute_not_exists(started_at)" };
  await tryConditionalWrite(table.update(restorationKey, { started_at: clock.now().toISOString() }, first));
}

/** @returns the number of records that the step has read */
async function run(
  table: Table,
  crbId: string,
  step: Step,
  { clock, onProgress }: { clock: Clock; onProgress: RebuildListsOptions["onProgress"] },
): Promise<number> {
  if (step === "erasures") {
    await erasePlanned(table, crbId, clock);
    return 0;
  }
  if (step === "deposits") return rebuildSums(table, crbId, clock);
  let records = 0;
  const options = { kinds: [step.kind], isCheck: step.isCheck, clock, ...(onProgress && { onProgress }) };
  try {
    for await (const report of rebuildLists(table, crbId, options)) {
      records += report.size;
      // Replication repairs damaged records, once the CRB is open.
      const differences = { ...report.differences, damaged: 0 };
      if (step.isCheck && hasDifferences({ ...report, differences })) throw new ListDiffersError(report.list);
    }
  } catch (error) {
    // The CRB is being purged, or an association names a CRB that was never stored.
    if (!(error instanceof ServiceError && error.kind === "notFound")) throw error;
  }
  return records;
}

/** Why a step failed, without values of records, such as `unavailable (rebuild sale)`. */
function codeOf(error: unknown, step: Step): string {
  const reason = error instanceof ServiceError ? error.kind : (error as Error).name;
  const named = typeof step === "string" ? step : `${step.isCheck ? "check" : "rebuild"} ${step.kind}`;
  return `${reason} (${named})`;
}
