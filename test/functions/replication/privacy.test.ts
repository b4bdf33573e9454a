import { expect, test, vi } from "vitest";
import type { Connection } from "../../../shared/pos/connector.ts";
import { sandboxConnector } from "../../../shared/pos/sandbox/sandboxConnector.ts";
import { readCrb } from "../../../shared/store/crbs.ts";
import {
  connect,
  describePosPrivacy,
  everything,
  expectNowhere,
  expectReplicated,
  planted,
  replicateAll,
  table,
} from "./describePosPrivacy.ts";

// Each POS has a fourth of the faults, and together they have all. privacy.long.test.ts has all faults of each POS.
describePosPrivacy(4);

test("replicating the sandbox stores, queues and logs no plain value", async () => {
  vi.stubEnv("POS_CONNECTORS", "sandbox");
  const credentials = { apiKey: "Plantedapikey", storeId: "Plantedstore" };
  const connection: Connection = {
    crbId: "",
    posType: "Alleaves",
    businessType: "wholesale",
    state: "CO",
    timezone: "America/Denver",
    locationId: null,
    connectedAt: "",
    credentials,
  };
  const crbId = await connect(connection);
  await replicateAll(crbId);
  await expectReplicated(crbId);
  const { connectedAt = "" } = (await readCrb(table(), crbId))?.connection ?? {};
  const values = await sensitiveValues({ ...connection, crbId, connectedAt });
  expect(values.size).toBeGreaterThan(1_000);
  expectNowhere(await everything(), [planted, ...values]);
});

/** The values of the sandbox's customers that are stored as hashes; names only as pairs of field and value. */
async function sensitiveValues(connection: Connection): Promise<Set<string>> {
  const values = new Set<string>();
  let position: string | null = null;
  do {
    const page: Awaited<ReturnType<ReturnType<typeof sandboxConnector>["pull"]>> = await sandboxConnector(900).pull(
      connection,
      { kind: "customer", since: null, position, now: new Date() },
    );
    for (const record of page.records) {
      const { phone, cell_phone, email_address, medical_id, drivers_license_id, other_id } = record as never;
      const { first_name, last_name } = record as { first_name: string | null; last_name: string | null };
      for (const value of [phone, cell_phone, email_address, medical_id, drivers_license_id, other_id]) {
        if (value) values.add(value);
      }
      if (first_name && last_name) values.add(`"first_name":"${first_name}"`).add(`"last_name":"${last_name}"`);
    }
    position = "position" in page.next ? page.next.position : null;
  } while (position !== null);
  return values;
}
