import { expect, test } from "vitest";
import { describeUnknownParameter } from "../../../shared/http/unknownParameter.ts";

const message = "is not a parameter of this operation";
const known = ["limit", "offset", "last_updated_from", "last_updated_to", "x".repeat(40)];

test.each([
  ["limits", "limit"],
  ["imit", "limit"],
  ["LIMIT", "limit"],
  ["last-updated-to", "last_updated_to"],
  ["last_updated_fro", "last_updated_from"],
  ["off", undefined],
  ["offs", "offset"],
  ["page", undefined],
  ["x".repeat(40), "x".repeat(40)],
  ["x".repeat(41), undefined],
])("the suggestion for %s is %s", (name, suggestion) => {
  expect(describeUnknownParameter(name, known)).toBe(suggestion ? `${message}; did you mean ${suggestion}?` : message);
});
