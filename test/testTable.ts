import { randomUUID } from "node:crypto";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { inject } from "vitest";
import { createTable } from "../infra/local/createTable.ts";
import { Table } from "../shared/store/client.ts";
import type { Clock } from "../shared/time/clock.ts";
import { engineClient } from "./engineClient.ts";

/** A client of the run's engine. Each has a middleware stack of its own, where a test can put faults and counters. */
function testClient(): DynamoDBClient {
  return engineClient(inject("engineEndpoint"));
}

/** A fresh, empty table on the run's engine. */
export async function createTestTable(): Promise<Table> {
  const name = `test-${randomUUID()}`;
  const client = testClient();
  await createTable(client, name);
  return new Table(name, client);
}

/** The environment in which the service works on a table of the run's engine. */
export function tableEnvironment({ name }: Pick<Table, "name">) {
  return {
    TABLE_NAME: name,
    AWS_ENDPOINT_URL_DYNAMODB: inject("engineEndpoint"),
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
  };
}

/** The same table through a client of its own, so that hooks on it leave the other's calls alone. */
export function testTableOf(table: Table, clock?: Clock): Table {
  return new Table(table.name, testClient(), clock);
}
