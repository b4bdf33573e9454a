import { expect, test } from "vitest";
import * as z from "zod";
import { messageOf } from "../../../shared/api/messages.ts";

test.each([
  [[], "must have at least 1 entry", z.array(z.string()).min(1)],
  [["a", "b", "c"], "must have at most 2 entries", z.array(z.string()).max(2)],
  ["", "must not be empty", z.string().min(1)],
  ["ab", "must have at most 1 character", z.string().max(1)],
  ["abc", "must have at most 2 characters", z.string().max(2)],
  [0, "must be at least 1", z.number().min(1)],
  [3, "must be at most 2", z.int().max(2)],
  [1.5, "must be an integer", z.int()],
  [1, "must be a string", z.string()],
])("the invalid value %j: %s", (value, message, schema) => {
  const { error } = schema.safeParse(value, { error: messageOf });
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});
