import { expect, test } from "vitest";
import { PosError } from "../../../../shared/pos/connector.ts";
import { addRejected } from "../../../../shared/pos/framework/readRow.ts";

test("a list with almost only unreadable rows is not understood", () => {
  const one = { posId: "1", field: "name", reason: "invalid_type" };
  const list = Array.from({ length: 99_999 }, () => one);
  addRejected(list, one);
  expect(list).toHaveLength(100_000);
  expect(() => addRejected(list, one)).toThrow(PosError);
});
