import { expect, test } from "vitest";
import { replicationBatch } from "../../../../infra/constructs/replicationBatch.ts";
import { stages } from "../../../../infra/stages/stages.ts";
import { type RecordKind, recordKinds } from "../../../../shared/api/kinds.ts";
import { computePosRetryMs } from "../../../../shared/domain/replication/computePosRetryMs.ts";
import { maxDue, planReplication } from "../../../../shared/domain/replication/planReplications.ts";
import {
  needsReset,
  openedAt,
  opens,
  type PosBreaker,
  stateOf,
} from "../../../../shared/domain/replication/posBreaker.ts";
import type { ReplicationState } from "../../../../shared/domain/replication/replicationState.ts";
import { defaultTimeoutMs } from "../../../../shared/pos/framework/posClient.ts";
import type { Crb } from "../../../../shared/store/crb.ts";
import { isThorough } from "../../../thorough.ts";

// A model of prod: the planner's decisions, pauses, breakers, queues and workers, with the constants of the code, in steps of a
// second. A hanging POS accepts each request and never responds.

const { replicateEverySeconds: intervals, aws } = stages.prod;
const minute = 60;
const hour = 60 * minute;
const hangingSeconds = defaultTimeoutMs / 1_000;

interface Task {
  crb: Crb;
  isHealthy: (second: number) => boolean;
  kind: RecordKind;
  /** second */
  due: number;
  state: Partial<ReplicationState> & { attempts: number };
  succeeded?: number;
}

interface Model {
  businesses: number;
  /** returns the vendor of a business, and whether the POS of the business responds at a second of the model */
  posOf: (index: number) => { posType: string; isHealthy: (second: number) => boolean };
}

/** Seconds between two successful runs of sales, for businesses whose POS always responds; from the end of the first hour, for 80 minutes. */
function salesIntervals({ businesses, posOf }: Model): { mean: number; p99: number; breakerOpenings: number } {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const at = (second: number) => new Date(second * 1_000);
  const breakers = new Map<string, PosBreaker>();
  const tasksOfAll: Task[][] = Array.from({ length: businesses }, (_, index) => {
    const { posType, isHealthy } = posOf(index);
    const crb = {
      connection: { posType, connectedAt: at(0).toISOString() },
      record: { status: "Open" },
    } as unknown as Crb;
    return recordKinds.map((kind) => {
      return { crb, isHealthy, kind, due: random() * intervals[kind], state: { attempts: 0 } };
    });
  });
  // A message has the tasks of one business.
  const lanes = [
    { isRetry: false, waiting: [] as Task[][], free: aws.workers.replication },
    { isRetry: true, waiting: [] as Task[][], free: aws.workers.retries },
  ];
  const joinedSeconds = Math.min(...Object.values(intervals)) / 2;
  const events = new Map<number, (() => void)[]>();
  const after = (second: number, act: () => void) => {
    const acts = events.get(Math.ceil(second));
    if (acts) acts.push(act);
    else events.set(Math.ceil(second), [act]);
  };
  const found: number[] = [];
  let breakerOpenings = 0;

  function end(task: Task, second: number, isTrial: boolean): void {
    const { posType } = task.crb.connection as { posType: string };
    const breaker = breakers.get(posType) ?? {};
    if (task.isHealthy(second)) {
      if (needsReset(breaker, at(second))) breakers.delete(posType);
      if (task.kind === "sale" && task.isHealthy(0) && (task.succeeded ?? 0) > hour)
        found.push(second - (task.succeeded as number));
      task.succeeded = second;
      task.state = { attempts: 0, succeeded_at: at(second).toISOString(), error: null };
      return;
    }
    const attempts = task.state.attempts + 1;
    const retryMs = computePosRetryMs({ failure: "unreachable" }, attempts, random);
    task.state = {
      ...task.state,
      attempts,
      error: "unreachable",
      not_before: at(second + retryMs / 1_000).toISOString(),
    };
    task.due = Math.min(task.due, second + retryMs / 1_000);
    if (isTrial) breakers.set(posType, { ...breaker, ...openedAt(at(second), (breaker.trials ?? 0) + 1) });
    else {
      const failures = (breaker.failures ?? 0) + 1;
      const counted = { ...breaker, failures, failing_since: breaker.failing_since ?? at(second).toISOString() };
      const isOpening = opens(counted, at(second));
      if (isOpening) breakerOpenings++;
      breakers.set(posType, { ...counted, ...(isOpening && openedAt(at(second), 0)) });
    }
  }

  /** @returns the seconds of the run */
  function begin(task: Task, second: number): number {
    const { posType } = task.crb.connection as { posType: string };
    const breaker = breakers.get(posType) ?? {};
    const isEarly = (task.state.not_before ?? "") > at(second).toISOString();
    const state = stateOf(breaker, at(second));
    if (isEarly || state === "open") {
      if (!isEarly) task.due = Math.min(task.due, Date.parse(breaker.open_until as string) / 1_000);
      return 0;
    }
    if (state === "trialDue") breakers.set(posType, { ...breaker, open_until: at(second + 2 * minute).toISOString() });
    const seconds = task.isHealthy(second) ? replicationBatch.seconds : hangingSeconds;
    after(second + seconds, () => end(task, second + seconds, state === "trialDue"));
    return seconds;
  }

  for (let second = 0; second < 140 * minute; second++) {
    for (const act of events.get(second) ?? []) act();
    events.delete(second);
    if (second % minute === 0) {
      const options = { intervals, clock: { now: () => at(second) } as never, random };
      const planned = new Map([...breakers].map(([posType, breaker]) => [posType, { ...breaker }]));
      const dueOf = (tasks: readonly Task[]) => Math.min(...tasks.map(({ due }) => due));
      const due = tasksOfAll.filter((tasks) => dueOf(tasks) <= second).sort((a, b) => dueOf(a) - dueOf(b));
      for (const tasks of due.slice(0, maxDue)) {
        const requested = tasks.flatMap((task) => {
          if (task.due > second + joinedSeconds) return [];
          const { move, isRetry, next } = planReplication(task.kind, task.crb, task.state, planned, options);
          task.due = next.getTime() / 1_000;
          return move === "ask" ? [{ task, isRetry }] : [];
        });
        for (const lane of lanes) {
          const message = requested.filter(({ isRetry }) => isRetry === lane.isRetry).map(({ task }) => task);
          if (message.length > 0) lane.waiting.push(message);
        }
      }
    }
    for (const lane of lanes) {
      while (lane.free > 0 && lane.waiting.length > 0) {
        lane.free--;
        const batch = lane.waiting.splice(0, replicationBatch.messages);
        const seconds = Math.max(...batch.flat().map((task) => begin(task, second)));
        after(second + Math.max(seconds, 1), () => lane.free++);
      }
    }
  }
  found.sort((a, b) => a - b);
  return {
    mean: found.reduce((sum, each) => sum + each, 0) / found.length,
    p99: found[Math.floor(found.length * 0.99)] as number,
    breakerOpenings,
  };
}

/** The vendor with every third business hangs from a second of the model on. */
const vendorHangs = (from: number) => (index: number) =>
  index % 3
    ? { posType: "Treez", isHealthy: () => true }
    : { posType: "Blaze", isHealthy: (second: number) => second < from };
/** One in `each` shops hangs, of both vendors. */
const shopsHang = (each: number) => (index: number) => ({
  posType: index % 2 ? "Treez" : "Blaze",
  isHealthy: () => index % each > 0,
});

// The breaker of a vendor opens if all of its shops hang, not if others respond.
const cases: [string, number, Model["posOf"], breakerOpenings: number][] = [
  ["a vendor with a third of 1,000 businesses hangs", 1_000, vendorHangs(0), 1],
  ["a vendor with a third of 1,000 businesses begins to hang", 1_000, vendorHangs(80 * minute), 1],
  ["a third of 1,000 shops of all vendors hangs", 1_000, shopsHang(3), 0],
  ["a vendor with a third of 10,000 businesses begins to hang", 10_000, vendorHangs(80 * minute), 1],
  ["a twentieth of 10,000 shops of all vendors hangs", 10_000, shopsHang(20), 0],
  ["a vendor with a third of 10,000 businesses hangs", 10_000, vendorHangs(0), 1],
];

test.each(isThorough ? cases : cases.slice(0, 3))(
  "while %s, the sales of the others come within 7 minutes",
  (_, businesses, posOf, openings) => {
    const { mean, p99, breakerOpenings } = salesIntervals({ businesses, posOf });
    expect(mean).toBeGreaterThan(4 * minute);
    expect(p99).toBeLessThanOrEqual(7 * minute);
    expect(breakerOpenings).toBe(openings);
  },
);
