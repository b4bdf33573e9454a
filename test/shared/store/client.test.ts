import { expect, test } from "vitest";
import { type Item, itemId } from "../../../shared/store/client.ts";
import { RealRules } from "../../system/realRules/realRules.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestTable } from "../../useTestTable.ts";

const table = useTestTable({ asOnAws: true });

const bytes = new Uint8Array([0, 255]);
const values = { text: "", number: 1.5, flag: false, nothing: null, list: ["a", 1, { deep: [null] }], map: {}, bytes };
const at = (sk: string): Item => ({ pk: "VALUES", sk, ...values });
const within = { map: { absent: undefined }, list: ["a", undefined, 1, { deep: [null] }] };

test("values are read as they were written, by every kind of read and write, and undefined values are left out", async () => {
  const key = (sk: string) => ({ pk: "VALUES", sk });
  await table().put({ ...at("a"), ...within, absent: undefined });
  const attributes: Record<string, unknown> = { ...values, ...within };
  await table().update(key("b"), attributes);
  await table().transact([
    table().putWrite({ ...at("c"), ...within, absent: undefined }),
    table().updateWrite(key("d"), {
      expression: `SET ${Object.keys(values).map((name) => `#${name} = :${name}`)}`,
      names: Object.fromEntries(Object.keys(values).map((name) => [`#${name}`, name])),
      values: Object.fromEntries(Object.keys(values).map((name) => [`:${name}`, attributes[name]])),
    }),
  ]);
  const all = ["a", "b", "c", "d"].map(at);
  expect(await table().get(key("a"), { consistent: true })).toStrictEqual(at("a"));
  expect(await table().queryPartition("VALUES", { consistent: true })).toEqual(all);
  const byId = new Map(all.map((item) => [itemId(item), item]));
  expect(await table().batchGet(all, { consistent: true })).toEqual(byId);
  expect(await table().transactGet(all)).toEqual(byId);
});

test("a change whose condition fails returns the current item", async () => {
  await table().put(at("changed"));
  const change = { expression: "SET #n = :n", names: { "#n": "number" }, values: { ":n": 2, ":old": 1 } };
  const key = { pk: "VALUES", sk: "changed" };
  expect(await table().change(key, change, "#n = :old")).toEqual({ done: false, item: at("changed") });
  expect(await table().change({ ...key, sk: "none" }, change, "#n = :old")).toEqual({ done: false });
});

const absent = { expression: "attribute_not_exists(pk)" };

test("an item that a transaction has locked is written once it is free", async () => {
  let conflictCount = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const world = new RealRules({ seed });
    const own = testTableOf(table(), world.clock);
    world.attach(own);
    const keyOf = (sk: string) => ({ pk: `seed ${seed}`, sk });
    const checks = ["put", "update", "change", "delete"].map((sk) => own.checkWrite(keyOf(sk), absent));
    const add = { expression: "SET #n = :n", names: { "#n": "n" }, values: { ":n": 1 } };
    const outcomes = await world.run([
      { name: "transaction", work: () => own.transact(checks) },
      { name: "put", work: () => own.put({ ...keyOf("put"), n: 1 }) },
      { name: "update", work: () => own.update(keyOf("update"), { n: 1 }) },
      { name: "change", work: () => own.change(keyOf("change"), add, "attribute_not_exists(#n)") },
      { name: "delete", work: () => own.delete(keyOf("delete")) },
    ]);
    for (const { name, error } of outcomes.slice(1)) expect(error, `${name}, ${world.history()}`).toBeUndefined();
    const stored = await table().queryPartition(`seed ${seed}`, { consistent: true });
    expect(stored).toEqual(["change", "put", "update"].map((sk) => ({ ...keyOf(sk), n: 1 })));
    if (world.history().includes("TransactionConflictException")) conflictCount++;
  }
  expect(conflictCount).toBeGreaterThan(5);
});
