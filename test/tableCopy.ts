import { isDeepStrictEqual } from "node:util";
import { BatchWriteItemCommand, type WriteRequest } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { onTestFinished } from "vitest";
import type { Item, RawItem, Table } from "../shared/store/client.ts";
import { scanRaw } from "./tableState.ts";
import { createTestTable, removeTable } from "./testTable.ts";

/** A new table with these items, like a restored backup. It is removed at the end of the test. */
export async function tableOf(items: readonly Item[]): Promise<Table> {
  const table = await createTestTable();
  // Each call to the engine costs more with each table that it has.
  onTestFinished(() => removeTable(table));
  await writeAll(
    table,
    items.map((item) => ({ PutRequest: { Item: marshall(item) } })),
  );
  return table;
}

/** Gives a table exactly these items, by writing only the differences. */
export async function resetTable(table: Table, items: readonly RawItem[]): Promise<void> {
  const keyOf = ({ pk, sk }: RawItem) => `${pk?.S} ${sk?.S}`;
  const found = new Map((await scanRaw(table)).map((item) => [keyOf(item), item]));
  const changed = items.filter((item) => !isDeepStrictEqual(item, found.get(keyOf(item))));
  for (const item of items) found.delete(keyOf(item));
  const superfluous = [...found.values()].map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
  await writeAll(table, [...superfluous, ...changed.map((Item) => ({ PutRequest: { Item } }))] as WriteRequest[]);
}

async function writeAll({ client, name }: Table, requests: readonly WriteRequest[]): Promise<void> {
  for (let i = 0; i < requests.length; i += 25) {
    await client.send(new BatchWriteItemCommand({ RequestItems: { [name]: requests.slice(i, i + 25) } }));
  }
}
