import { beforeAll, inject } from "vitest";
import { serviceTable, type Table } from "../shared/store/client.ts";
import { storedFormatKey } from "../shared/store/keys/storedFormat.ts";
import { sendStraight } from "./engineClient.ts";
import { createTestTable, tableEnvironment } from "./testTable.ts";

/**
 * Makes a new table on the run's engine, which this test file's handlers then use.
 *
 * @param options.asOnAws sends each call through the SDK's full path to AWS, at twice the processor time
 * @returns the table, from within a test
 */
export function useTestTable({ asOnAws = false } = {}): () => Table {
  beforeAll(async () => {
    Object.assign(process.env, tableEnvironment(await createTestTable()));
    if (!asOnAws) sendStraight(serviceTable().client, inject("engineEndpoint"));
    // The first read also reads the format number, which tests that count calls leave out.
    await serviceTable().get(storedFormatKey);
  });
  return serviceTable;
}
