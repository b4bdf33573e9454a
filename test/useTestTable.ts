import { beforeAll } from "vitest";
import { serviceTable, type Table } from "../shared/table/client.ts";
import { createTestTable, tableEnvironment } from "./testTable.ts";

/**
 * Makes a fresh table of the run's engine the one that this test file's handlers work on.
 *
 * @returns the table, from within a test
 */
export function useTestTable(): () => Table {
  beforeAll(async () => {
    Object.assign(process.env, tableEnvironment(await createTestTable()));
  });
  return serviceTable;
}
