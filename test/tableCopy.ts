import { BatchWriteCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { Item, Table } from "../shared/store/client.ts";
import { createTestTable } from "./testTable.ts";

/** A new table with these items, like a restored backup. */
export async function tableOf(items: readonly Item[]): Promise<Table> {
  const table = await createTestTable();
  const client = DynamoDBDocumentClient.from(table.client);
  for (let i = 0; i < items.length; i += 25) {
    const puts = items.slice(i, i + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [table.name]: puts } }));
  }
  return table;
}
