import { expect, test } from "vitest";
import { maxBusinesses, messagesPerSecond } from "../../../infra/constructs/replicationCapacity.ts";
import { concurrency, stages } from "../../../infra/stages/stages.ts";

test("prod keeps 10,000 businesses current at its intervals, and 20 workers would keep 11,538", () => {
  const { aws } = stages.prod;
  expect(maxBusinesses(stages.prod, aws)).toBeGreaterThanOrEqual(10_000);
  const workers = { ...aws.workers, replication: 20 };
  expect(maxBusinesses(stages.prod, { workers })).toBe(11_538);
});

test("the planner and the partitions of due times keep more businesses current than the workers of prod", () => {
  const { aws } = stages.prod;
  const workers = { ...aws.workers, replication: 100_000 };
  const withoutWorkers = maxBusinesses(stages.prod, { workers });
  expect(withoutWorkers).toBeGreaterThan(maxBusinesses(stages.prod, aws));
  // The planner: 10,000 CRBs a minute.
  expect(withoutWorkers).toBe(Math.floor(10_000 / 60 / messagesPerSecond(stages.prod)));
});

test("the small concurrency keeps 50 businesses current at the intervals of prod, in a new account without reservations", () => {
  const { workers, reservedConcurrency, accountConcurrency } = concurrency.small;
  expect(maxBusinesses(stages.prod, { workers })).toBeGreaterThanOrEqual(50);
  expect([reservedConcurrency, accountConcurrency]).toEqual([{}, 10]);
  // SQS accepts no lower maximum.
  expect(Math.min(...Object.values(workers))).toBe(2);
});

test("half the interval of the most frequent kind counts twice", () => {
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
  expect([most(300), most(150)]).toEqual([576, 288]);
});
