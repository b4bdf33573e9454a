import { expect, test } from "vitest";
import { ServiceError } from "../../../shared/api/errors.ts";
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
  ["condition", canceled(["None", "ConditionalCheckFailed"]), 1],
  ["stale read", new StaleReadError(), 1],
  ["lagging index", new LaggingIndexError(), 0],
  ["locked item", canceled(["TransactionConflict"]), 0],
])("a job that gives up because of a %s is a fault: %#", (_, cause, faults) => {
  const outages = new Outages();
  expect(outages.take(unavailable(cause))).toBe(true);
  expect(outages.faults).toHaveLength(faults);
});

test("another error is not an outage", () => {
  expect(new Outages().take(new Error("another"))).toBe(false);
});
