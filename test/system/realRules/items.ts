import { BatchGetItemCommand, type DynamoDBClient, type KeysAndAttributes } from "@aws-sdk/client-dynamodb";
import type { RawItem } from "../../../shared/store/client.ts";

/** Sends a call to the engine, unchanged or with another input. */
export type Send = (input: unknown) => Promise<{ response: unknown; output: unknown }>;

/** An item's name, by the keys of this project's table. */
export interface ItemName {
  table: string;
  pk: string;
  sk: string;
}

/** The name of an item by its key, or by all of it. */
export function nameOf(table: string, { pk, sk }: RawItem): ItemName {
  return { table, pk: pk?.S ?? "", sk: sk?.S ?? "" };
}

export function idOf({ table, pk, sk }: ItemName): string {
  return `${table}\n${pk}\n${sk}`;
}

export function partitionOf({ table, pk }: ItemName): string {
  return `${table} ${pk}`;
}

/** Items as stored in the engine. */
export async function readItems(engine: DynamoDBClient, names: readonly ItemName[]): Promise<Map<string, RawItem>> {
  const found = new Map<string, RawItem>();
  let wanted: Record<string, KeysAndAttributes> = {};
  for (const { table, pk, sk } of names) {
    wanted[table] ??= { Keys: [], ConsistentRead: true };
    wanted[table].Keys?.push({ pk: { S: pk }, sk: { S: sk } });
  }
  while (Object.keys(wanted).length > 0) {
    const { Responses = {}, UnprocessedKeys = {} } = await engine.send(
      new BatchGetItemCommand({ RequestItems: wanted }),
    );
    for (const [table, items] of Object.entries(Responses)) {
      for (const item of items) found.set(idOf(nameOf(table, item)), item);
    }
    wanted = UnprocessedKeys;
  }
  return found;
}
