import {
  DeleteItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  TransactionConflictException,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, test } from "vitest";
import { exists, type Table } from "../../../shared/store/client.ts";
import type { Figures } from "./figures.ts";
import { key, overSeeds, valuesBy, worldWith, writeAll } from "./worldUnderTest.ts";

const items = ["a", "b", "c"].map((sk) => ({ ...key(sk), value: 0 }));
const rules = { holds: true };

/** The outcome of work during a possible transaction on b and c. */
async function duringTransaction(figures: Partial<Figures>, work: (table: Table) => Promise<unknown>) {
  return overSeeds(10, async (seed) => {
    const { world, table } = await worldWith(figures, items, seed);
    const [, other] = await world.run([
      { name: "writer", work: () => writeAll(table, ["b", "c"], 1) },
      { name: "other", work: () => work(table) },
    ]);
    return other?.error;
  });
}

function reasonsOf(errors: readonly unknown[]): unknown[] {
  const found = errors.filter((error) => error instanceof TransactionCanceledException);
  return found.map(({ CancellationReasons }) => CancellationReasons?.map(({ Code }) => Code));
}

test("a transaction on an item that another one has locked is canceled, with the reason for that item", async () => {
  const work = (table: Table) => writeAll(table, ["a", "b"], 2);
  expect(reasonsOf(await duringTransaction(rules, work))).toContainEqual(["None", "TransactionConflict"]);
  expect(await duringTransaction({}, work)).toEqual(Array(10).fill(undefined));
});

test("an item that is only checked is locked, too", async () => {
  const work = (table: Table) =>
    table.transact([table.checkWrite(key("c"), exists), table.putWrite({ ...key("d"), value: 2 })]);
  expect(reasonsOf(await duringTransaction(rules, work))).toContainEqual(["TransactionConflict", "None"]);
  expect(await duringTransaction({}, work)).toEqual(Array(10).fill(undefined));
});

// Uses the client itself: the service's table retries until the item is free.
test.each<[string, (table: Table) => Promise<unknown>]>([
  ["put", ({ client, name }) => client.send(new PutItemCommand({ TableName: name, Item: marshall(key("b")) }))],
  ["update", ({ client, name }) => client.send(new UpdateItemCommand({ TableName: name, Key: marshall(key("b")) }))],
  ["deletion", ({ client, name }) => client.send(new DeleteItemCommand({ TableName: name, Key: marshall(key("b")) }))],
])("a %s of an item that a transaction has locked is rejected", async (_, work) => {
  expect(await duringTransaction(rules, work)).toContainEqual(expect.any(TransactionConflictException));
  expect(await duringTransaction({}, work)).toEqual(Array(10).fill(undefined));
});

test("a read of several items in a transaction fails while one of them is being written", async () => {
  const work = (table: Table) => table.transactGet([key("a"), key("b")]);
  expect(reasonsOf(await duringTransaction(rules, work))).toContainEqual(["None", "TransactionConflict"]);
  expect(await duringTransaction({}, work)).toEqual(Array(10).fill(undefined));

  const duringPut = await overSeeds(10, async (seed) => {
    const { world, table } = await worldWith(rules, items, seed);
    const [, reader] = await world.run([
      { name: "writer", work: () => table.put({ ...key("b"), value: 1 }) },
      { name: "reader", work: () => work(table) },
    ]);
    return reader?.error;
  });
  expect(reasonsOf(duringPut)).toContainEqual(["None", "TransactionConflict"]);
});

test("a plain read is not delayed, and shows the state before or after", async () => {
  const seen = await overSeeds(10, async (seed) => {
    const { world, table } = await worldWith(rules, items, seed);
    const [, reader] = await world.run([
      { name: "writer", work: () => writeAll(table, ["b", "c"], 1) },
      { name: "reader", work: async () => (await table.get(key("b"), { consistent: true }))?.value },
    ]);
    return reader?.value;
  });
  expect(new Set(seen)).toEqual(new Set([0, 1]));
});

test("items are unlocked after a transaction, also after a rejected one", async () => {
  const { world, table } = await worldWith(rules, items);
  const work = async () => {
    await expect(
      table.transact([
        table.putWrite(
          { ...key("a"), value: 1 },
          { expression: "#v = :v", names: { "#v": "value" }, values: { ":v": 5 } },
        ),
      ]),
    ).rejects.toThrow(TransactionCanceledException);
    await writeAll(table, ["a"], 2);
    await table.put({ ...key("a"), value: 3 });
  };
  expect(await world.run([{ name: "writer", work }])).toEqual([{ name: "writer", killed: false, calls: 3 }]);
  expect(await valuesBy(table, { consistent: true })).toEqual([3, 0, 0]);
});
