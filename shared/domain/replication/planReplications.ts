import { type RecordKind, recordKinds } from "../../api/kinds.ts";
import { lacks, posTypes } from "../../api/pos/posTypes.ts";
import { isRejection } from "../../pos/connector.ts";
import { itemId, type Table } from "../../store/client.ts";
import type { Crb } from "../../store/crb.ts";
import { groupsOf } from "../../store/groups.ts";
import { crbKey } from "../../store/keys/crbs.ts";
import { posTypeKey, replicationKey } from "../../store/keys/replication.ts";
import {
  countLate,
  type DueTimes,
  dropDue,
  earliest,
  moveDue,
  type ReplicationDue,
  readDue,
} from "../../store/replicationDue.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { isPaused } from "../statuses/crbStatus.ts";
import { countAges, type FoundAge } from "./freshness.ts";
import { type PosBreaker, stateOf } from "./posBreaker.ts";
import type { ReplicationMessage } from "./replicationMessage.ts";
import { measure } from "./replicationMetrics.ts";
import type { ReplicationState } from "./replicationState.ts";
import { requestReplications, requestRetries } from "./requestReplications.ts";

export interface PlanOptions {
  /** seconds from one replication of a kind to the next */
  intervals: Readonly<Record<RecordKind, number>>;
  /** after this time, the call stops; the next call plans the remaining replications */
  deadline?: Date;
  clock?: Clock;
  /** returns numbers from 0 to below 1 */
  random?: () => number;
}

/** Maximum number of CRBs with due replications that one call reads. There is one call a minute. */
export const maxDue = 10_000;
/** Sales are late after this number of intervals without a successful run. In prod, this is an hour. */
const lateAfterIntervals = 12;
/** Minutes from one count of the late CRBs to the next. */
const countEveryMinutes = 5;
const crbsAtOnce = 100;
/** Maximum number of messages of a call of `requestReplications`. */
const messagesAtOnce = 10;
const dayMs = 24 * 60 * 60_000;

/** A kind of a CRB's records whose replication is due, and the decision about the replication. */
interface PlannedReplication {
  kind: RecordKind;
  /**
   * `ask` requests a run; `wait` only postpones the due time; `drop` removes the due time, because the CRB has no connection
   */
  move: "ask" | "wait" | "drop";
  /** whether the last run failed, so that the run may take long, and belongs into the queue of retries */
  isRetry: boolean;
  next: Date;
  /**
   * whether the sales are late (`lateAfterIntervals`); null for other kinds, before the first reading, if the POS rejected the
   * last run, and if the CRB is paused
   */
  isLate: boolean | null;
  /** seconds since the last success, or since the connection if it is later; absent if the POS rejected the last run, or the CRB is paused */
  age?: number;
}

/** The decisions about a CRB. */
interface CrbPlan {
  due: ReplicationDue;
  turns: readonly PlannedReplication[];
}

/**
 * Requests every due replication and sets its next due time. The next due time is one interval of the kind later. The interval
 * is changed at random by up to a tenth, so that CRBs that were connected at the same time are not always due at the same time.
 * If a kind of a CRB is due, the kinds that are due within half of the shortest interval are planned with it, in one message.
 * Concurrent and interrupted calls are safe: a replication that is requested twice runs once.
 *
 * @returns the number of planned replications, for each decision
 * @throws the first error; the replications that were not requested because of errors stay due
 */
export async function planReplications(
  table: Table,
  options: PlanOptions,
): Promise<Record<PlannedReplication["move"], number>> {
  const { clock = systemClock, deadline } = options;
  const counts = { ask: 0, wait: 0, drop: 0 };
  const due = await readDue(table, clock.now(), maxDue);
  const [first] = due;
  const breakers = first ? await readBreakers(table) : new Map();
  measure("lag", first ? Math.max(0, clock.now().getTime() - Date.parse(earliest(first.times))) / 1_000 : 0);
  const failures: unknown[] = [];
  const ages: FoundAge[] = [];
  for (const group of groupsOf(due, crbsAtOnce)) {
    if (deadline && clock.now() >= deadline) break;
    const plans = await plan(table, group, breakers, options);
    for (const { kind, age: seconds } of plans.flatMap(({ turns }) => turns)) {
      if (seconds === undefined) continue;
      measure("age", seconds);
      ages.push({ kind, seconds });
    }
    const carried = groupsOf(plans, messagesAtOnce).map(async (batch) => {
      await carryOut(table, batch, clock.now());
      for (const { move } of batch.flatMap(({ turns }) => turns)) counts[move]++;
    });
    for (const result of await Promise.allSettled(carried)) {
      if (result.status === "rejected") failures.push(result.reason);
    }
  }
  measure("requested", counts.ask);
  // Runs last, so that a failed count delays no replication. A planner that could request nothing did not plan.
  if (failures.length === 0 || counts.ask > 0)
    await countAges(table, ages, clock.now()).catch((error: unknown) => failures.push(error));
  if (clock.now().getUTCMinutes() % countEveryMinutes === 0)
    await measureLate(table).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
  return counts;
}

async function measureLate(table: Table): Promise<void> {
  const { late, all } = await countLate(table);
  measure("lateCrbs", late);
  measure("lateShare", all > 0 ? (100 * late) / all : 0);
}

/**
 * The circuit breakers of all POS types. The planner sends the runs of a type only while its breaker is closed, and one run as
 * a trial.
 */
type Breakers = Map<string, PosBreaker & { isTrialSent?: true }>;

async function readBreakers(table: Table): Promise<Breakers> {
  const types = Object.keys(posTypes);
  const items = await table.batchGet(types.map(posTypeKey), { attributes: ["open_until"] });
  return new Map(types.map((type) => [type, { ...(items.get(itemId(posTypeKey(type))) as PosBreaker | undefined) }]));
}

async function plan(
  table: Table,
  due: readonly ReplicationDue[],
  breakers: Breakers,
  options: PlanOptions,
): Promise<CrbPlan[]> {
  const { intervals, clock = systemClock } = options;
  const joinedMs = (Math.min(...Object.values(intervals)) * 1_000) / 2;
  const until = new Date(clock.now().getTime() + joinedMs).toISOString();
  const kindsOf = ({ times }: ReplicationDue) => recordKinds.filter((kind) => times[kind] <= until);
  const [crbs, states] = await Promise.all([
    // Read consistently: a stale read could miss the new connection of a CRB, and the call would drop the CRB's replications.
    table.batchGet(
      due.map(({ crbId }) => crbKey(crbId)),
      { consistent: true },
    ),
    table.batchGet(
      due.flatMap((one) => kindsOf(one).map((kind) => replicationKey(one.crbId, kind))),
      { attributes: ["succeeded_at", "not_before", "error"] },
    ),
  ]);
  return due.map((one) => {
    // The CRB is not parsed, because one unreadable CRB must not block the replications of all others.
    const crb = crbs.get(itemId(crbKey(one.crbId))) as Crb | undefined;
    const turns = kindsOf(one).map((kind) => {
      const state = states.get(itemId(replicationKey(one.crbId, kind))) as Partial<ReplicationState> | undefined;
      return planReplication(kind, crb, state, breakers, options);
    });
    return { due: one, turns };
  });
}

/** Decides about one due replication. Notes in `breakers` that it sends the trial of a POS type. */
export function planReplication(
  kind: RecordKind,
  crb: Crb | undefined,
  state: Partial<ReplicationState> | undefined,
  breakers: Breakers,
  { intervals, clock = systemClock, random = Math.random }: PlanOptions,
): PlannedReplication {
  const now = clock.now();
  const next = new Date(now.getTime() + intervals[kind] * 1_000 * (0.9 + random() / 5));
  const isRetry = Boolean(state?.error);
  if (!crb?.connection) return { kind, move: "drop", isRetry, isLate: null, next };
  // The first run has removed the records of this kind that come from an earlier POS. Further runs would find nothing, except
  // that one ends the error of a repeated message whose run failed. The due
  // time stays, so that the kind begins within a day once a release reads it from this POS.
  if (lacks(crb.connection.posType, kind) && state?.succeeded_at && !isRetry) {
    return { kind, move: "wait", isRetry, isLate: null, next: new Date(now.getTime() + dayMs) };
  }
  if (isPaused(crb.record.status)) return { kind, move: "wait", isRetry, isLate: null, next };
  // Rejections by the POS have their own alarm. In the age metric, rejected CRBs would hide the delays of other CRBs.
  // A CRB that is connected again is as current as its new connection.
  const current = Math.max(Date.parse(state?.succeeded_at ?? "") || 0, Date.parse(crb.connection.connectedAt));
  const age = Math.max(0, now.getTime() - current) / 1_000;
  const isRejected = isRejection(state?.error ?? null);
  const isCounted = kind === "sale" && Boolean(state?.succeeded_at) && !isRejected;
  const isLate = isCounted ? age > lateAfterIntervals * intervals.sale : null;
  const found = { kind, isRetry, isLate, ...(!isRejected && { age }) };
  const notBefore = new Date(state?.not_before ?? 0);
  if (notBefore > now) return { ...found, move: "wait", next: notBefore < next ? notBefore : next };
  const breaker = breakers.get(crb.connection.posType) ?? {};
  switch (breaker.isTrialSent ? "open" : stateOf(breaker, now)) {
    case "open": {
      // Spread over a minute, so that not all businesses of the type are due at once when the breaker closes.
      const until = Math.max(Date.parse(breaker.open_until as string), now.getTime()) + 60_000 * random();
      return { ...found, move: "wait", next: new Date(until) };
    }
    case "trialDue":
      breaker.isTrialSent = true;
      return { ...found, isRetry: false, move: "ask", next };
    case "closed":
      return { ...found, move: "ask", next };
  }
}

async function carryOut(table: Table, plans: readonly CrbPlan[], now: Date): Promise<void> {
  const planned_at = now.toISOString();
  // Send the requests before the due times are changed. If the worker is interrupted between these steps, the requests are
  // repeated, not lost.
  const messagesOf = (areRetries: boolean): ReplicationMessage[] =>
    plans.flatMap(({ due, turns }) => {
      const requested = turns.filter(({ move, isRetry }) => move === "ask" && isRetry === areRetries);
      return requested.length > 0 ? [{ crb_id: due.crbId, kinds: requested.map(({ kind }) => kind), planned_at }] : [];
    });
  const [retries, others] = [messagesOf(true), messagesOf(false)];
  if (others.length > 0) await requestReplications(others);
  if (retries.length > 0) await requestRetries(retries);
  await Promise.all(
    plans.map(({ due, turns }) => {
      // No kind of a CRB without a connection is planned.
      if (turns.some(({ move }) => move === "drop")) return dropDue(table, due);
      const next = Object.fromEntries(turns.map((turn) => [turn.kind, turn.next.toISOString()]));
      return moveDue(table, due, next as Partial<DueTimes>, turns.find(({ kind }) => kind === "sale")?.isLate);
    }),
  );
}
