import { randomUUID } from "node:crypto";
import { DeleteTableCommand, type DynamoDBClient, ResourceNotFoundException } from "@aws-sdk/client-dynamodb";
import { inject } from "vitest";
import { createTable } from "../infra/local/createTable.ts";
import { Table } from "../shared/store/client.ts";
import { claimStoredFormat } from "../shared/store/storedFormat.ts";
import type { Clock } from "../shared/time/clock.ts";
import { engineClient, sameEngine } from "./engineClient.ts";

/** A client of the run's engine with a middleware stack of its own, for a test's faults and counters. */
function testClient(): DynamoDBClient {
  return engineClient(inject("engineEndpoint"));
}

/** A new, empty table on the run's engine, which is removed before the next test file. */
export async function createTestTable(): Promise<Table> {
  const name = `test-${randomUUID()}`;
  const client = testClient();
  await createTable(client, name);
  const table = new Table(name, client);
  globalThis.tableRemovals?.push(() => removeTable(table));
  await claimStoredFormat(client, name);
  return table;
}

/** Removes a table, unless the test has removed it already. */
export async function removeTable({ client, name }: Table): Promise<void> {
  try {
    await sameEngine(client).send(new DeleteTableCommand({ TableName: name }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

/** The environment that makes the service use a table of the run's engine. */
export function tableEnvironment({ name }: Pick<Table, "name">) {
  return {
    TABLE_NAME: name,
    AWS_ENDPOINT_URL_DYNAMODB: inject("engineEndpoint"),
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
  };
}

/** The same table through a separate client, so that its hooks do not affect other calls. */
export function testTableOf(table: Table, clock?: Clock): Table {
  return new Table(table.name, testClient(), clock);
}
