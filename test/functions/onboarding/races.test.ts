import { describe, expect, test } from "vitest";
import { expectOrder, given, names } from "./races.ts";

// races.long.test.ts tests each operation with each other one.
describe.concurrent("an operation with one late read, during the same operation, has the same result as one after the other", () => {
  test.each(names)("%s", (name) => expectOrder(name, name));
});

test("two parallel deletions of one document have one success, and nothing is done twice", async () => {
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
