import { beforeAll, inject } from "vitest";
import { serviceTable, type Table } from "../shared/store/client.ts";
import { sendStraight } from "./engineClient.ts";
import { createTestTable, tableEnvironment } from "./testTable.ts";

/**
 * Makes a fresh table of the run's engine the one that this test file's handlers work on.
 *
 * @param options.asOnAws sends each call by all that the SDK does on the way to AWS, at twice the processor time
 * @returns the table, from within a test
 */
export function useTestTable({ asOnAws = false } = {}): () => Table {
  beforeAll(async () => {
    Object.assign(process.env, tableEnvironment(await createTestTable()));
    if (!asOnAws) sendStraight(serviceTable().client, inject("engineEndpoint"));
  });
  return serviceTable;
}
