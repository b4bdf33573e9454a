import { expect, test } from "vitest";
import { ServiceError } from "../../../shared/api/errors.ts";
import { LeaseHeldError } from "../../../shared/domain/replication/withReplicationLease.ts";
import { LaggingIndexError, StaleReadError } from "../../../shared/store/retryOnConflict.ts";
import { canceled } from "../realRules/errors.ts";
import { Outages } from "./outages.ts";

const unavailable = (cause: unknown) => new ServiceError("unavailable", { cause });
const timeout = Object.assign(new Error("no answer"), { name: "TimeoutError" });

test("an outage with an accident as its cause is a fault only in calm times", () => {
  const outages = new Outages();
  expect(outages.take(unavailable(timeout))).toBe(true);
  expect(outages.faults).toEqual([]);
  outages.isCalm = true;
  outages.take(unavailable(timeout));
  expect(outages.faults).toEqual(["unavailable because of TimeoutError"]);
});

test.each([
  ["condition", 1, canceled(["None", "ConditionalCheckFailed"])],
  ["stale read", 1, new StaleReadError()],
  ["lagging index", 0, new LaggingIndexError()],
  ["locked item", 0, canceled(["TransactionConflict"])],
])("a job that gives up because of a %s has %i faults", (_, faults, cause) => {
  const outages = new Outages();
  expect(outages.take(unavailable(cause))).toBe(true);
  expect(outages.faults).toHaveLength(faults);
});

test.each([
  ["a lease", new LeaseHeldError()],
  ["an index", new LaggingIndexError()],
])("work that waits too long for %s is no fault, even in calm times", (_, cause) => {
  const outages = new Outages();
  outages.isCalm = true;
  expect(outages.take(unavailable(cause))).toBe(true);
  expect(outages.faults).toEqual([]);
});

test("another error is not an outage", () => {
  expect(new Outages().take(new Error("another"))).toBe(false);
});
