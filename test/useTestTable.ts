import { afterAll, beforeAll, inject } from "vitest";
import { serviceTable, type Table } from "../shared/table/client.ts";
import { createTestTable } from "./testTable.ts";

/**
 * Makes a fresh table of the run's engine the one that this test file's handlers work on.
 *
 * @returns the table, from within a test
 */
export function useTestTable(): () => Table {
  const before = { ...process.env };
  beforeAll(async () => {
    const { name } = await createTestTable();
    Object.assign(process.env, {
      TABLE_NAME: name,
      AWS_ENDPOINT_URL_DYNAMODB: inject("engineEndpoint"),
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
    });
  });
  afterAll(() => {
    process.env = before;
  });
  return serviceTable;
}
