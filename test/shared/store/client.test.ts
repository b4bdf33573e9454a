import { expect, test } from "vitest";
import { type Item, itemId } from "../../../shared/store/client.ts";
import { testTableOf } from "../../testTable.ts";
import { useTestTable } from "../../useTestTable.ts";
import { interceptCalls } from "./orderedList/listUnderTest.ts";

const table = useTestTable({ asOnAws: true });

const values = {
  text: "",
  number: 1.5,
  flag: false,
  nothing: null,
  list: ["a", 1, { deep: [null] }],
  map: {},
  bytes: new Uint8Array([0, 255]),
};
const at = (sk: string): Item => ({ pk: "VALUES", sk, ...values });
const within = { map: { absent: undefined }, list: ["a", undefined, 1, { deep: [null] }] };

test("values are read as they were written, by every kind of read and write, and undefined values are left out", async () => {
  const key = (sk: string) => ({ pk: "VALUES", sk });
  await table().put({ ...at("a"), ...within, absent: undefined });
  const attributes: Record<string, unknown> = { ...values, ...within };
  expect(await table().update(key("b"), attributes)).toEqual(at("b"));
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

test("hooks on the client see every call, with DynamoDB's command names", async () => {
  const own = testTableOf(table());
  const seen: string[] = [];
  interceptCalls(own).before = (command) => void seen.push(command);
  const key = { pk: "VALUES", sk: "seen" };
  await own.put(key);
  await own.get(key);
  await own.batchGet([key]);
  await own.batchGetRaw([key]);
  await own.transactGet([key]);
  await own.queryPartition("VALUES");
  await own.update(key, { number: 2 });
  await own.transact([own.deleteWrite(key)]);
  await own.delete(key);
  expect(seen.join(" ").replaceAll("Command", "")).toBe(
    "PutItem GetItem BatchGetItem BatchGetItem TransactGetItems Query UpdateItem TransactWriteItems DeleteItem",
  );
});
