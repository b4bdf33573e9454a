import { expect, test } from "vitest";
import { checkFence, LeaseLostError, transactFenced } from "../../../../shared/store/orderedList/fence.ts";
import { createTestTable } from "../../../testTable.ts";
import { interceptCalls, newList } from "./listUnderTest.ts";

const table = await createTestTable();

test("a fence is valid while its number is stored, and it is read consistently", async () => {
  const { fence } = await newList(table);
  const inputs: unknown[] = [];
  interceptCalls(table).before = (_, input) => void inputs.push(input);
  await expect(checkFence(table, fence)).resolves.toBeUndefined();
  expect(inputs).toMatchObject([{ ConsistentRead: true }]);
});

test.each([
  ["another number", (key: { pk: string; sk: string }) => ({ key, number: 2 })],
  ["no number", ({ sk }: { pk: string; sk: string }) => ({ key: { pk: "another", sk }, number: 1 })],
])("with %s stored, the lease is lost", async (_, other) => {
  const { fence, list } = await newList(table);
  const lost = other(fence.key);
  const write = table.putWrite({ pk: list.pk, sk: "written" });
  for (const attempt of [() => checkFence(table, lost), () => transactFenced(table, lost, [write])]) {
    const error = await attempt().catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(LeaseLostError);
    expect(error).toMatchObject({ name: "LeaseLostError", message: "the lease was taken over" });
  }
  expect(await table.get({ pk: list.pk, sk: "written" })).toBeUndefined();
});
