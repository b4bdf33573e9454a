import { expect, test } from "vitest";
import { given } from "./races.ts";

test("two parallel deletions of one document have one success, and nothing is done twice", async () => {
  for (let i = 0; i < 3; i++) {
    const { operations, state, planned } = await given();
    const before = await state();
    const answers = await Promise.all([operations.delete(), operations.delete()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const after = await state();
    expect(after.stored).toEqual(before.stored.map((line) => line.replace("false pending", "true pending")));
    expect([after.objects, await planned()]).toEqual([before.objects - 1, 0]);
  }
});
