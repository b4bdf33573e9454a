import { expect, test } from "vitest";
import { maxBusinesses, turnsPerSecond } from "../../../infra/constructs/replicationCapacity.ts";
import { concurrency, stages } from "../../../infra/stages/stages.ts";

test("prod keeps 10,000 businesses current at its intervals, and 20 workers would keep 7,826", () => {
  const { aws } = stages.prod;
  expect(maxBusinesses(stages.prod, aws)).toBeGreaterThanOrEqual(10_000);
  const workers = { ...aws.workers, replication: 20 };
  expect(maxBusinesses(stages.prod, { workers })).toBe(7_826);
});

test("the planner and the partitions of due times keep more businesses current than the workers of prod", () => {
  const { aws } = stages.prod;
  const workers = { ...aws.workers, replication: 100_000 };
  const withoutWorkers = maxBusinesses(stages.prod, { workers });
  expect(withoutWorkers).toBeGreaterThan(2 * maxBusinesses(stages.prod, aws));
  // The planner: 20,000 due replications a minute.
  expect(withoutWorkers).toBe(Math.floor(20_000 / 60 / turnsPerSecond(stages.prod)));
});

test("the small concurrency keeps 50 businesses current at the intervals of prod, in a new account without reservations", () => {
  const { workers, reservedConcurrency, accountConcurrency } = concurrency.small;
  expect(maxBusinesses(stages.prod, { workers })).toBeGreaterThanOrEqual(50);
  expect([reservedConcurrency, accountConcurrency]).toEqual([{}, 10]);
  // SQS accepts no lower maximum.
  expect(Math.min(...Object.values(workers))).toBe(2);
});

test("half the interval of a kind counts twice", () => {
  const workers = {
    replication: 1,
    retries: 0,
    restorations: 0,
    invitations: 0,
    webhooks: 0,
    exports: 0,
    statements: 0,
  };
  const every = { location: 1e9, product: 1e9, customer: 1e9, inventory: 1e9, sale: 300 };
  const most = (sale: number) => maxBusinesses({ replicateEverySeconds: { ...every, sale } }, { workers });
  expect([most(300), most(150)]).toEqual([749, 374]);
});
