import { expect, test } from "vitest";
import { statusFinder } from "../../../../../shared/pos/framework/conversions/statuses.ts";

const meaningOf = statusFinder({ sale: "Shipped, Completed", open: "Partially Allocated, constructor" });

test.each([
  ["Shipped", "sale"],
  ["COMPLETED", "sale"],
  ["partially_allocated", "open"],
  [" Partially-Allocated ", "open"],
  ["constructor", "open"],
  ["Ship", null],
  ["toString", null],
  ["", null],
  [null, null],
])("the status %j means %j", (status, meaning) => {
  expect(meaningOf(status)).toBe(meaning);
});
