import { describe, expect, test } from "vitest";
import { expectOrder, given, names } from "./races.ts";

// Each with each other: races.long.test.ts.
describe.concurrent("an operation, a read of which comes late while the same is done, is as if one had come after the other", () => {
  test.each(names)("%s", (name) => expectOrder(name, name));
});

test("two deletions of one document at once answer as one does, and nothing is done twice", async () => {
  for (let i = 0; i < 10; i++) {
    const { operations, state, planned } = await given();
    const before = await state();
    const answers = await Promise.all([operations.delete(), operations.delete()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const after = await state();
    expect(after.stored).toEqual(before.stored.map((line) => line.replace("false pending", "true pending")));
    expect([after.objects, await planned()]).toEqual([before.objects - 1, 0]);
  }
});
