import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { inject } from "vitest";
import { createTable } from "../infra/local/createTable.ts";
import { demoBusinesses } from "../infra/local/demoBusinesses.ts";
import { startEngine } from "../infra/local/engine.ts";
import { engineAccess, tableName } from "../infra/local/environment.ts";
import { startStage } from "../infra/local/stage.ts";
import type { ReplicationState } from "../shared/domain/replication/replicationState.ts";
import { noCounts } from "../shared/domain/replication/replicationState.ts";
import { Table } from "../shared/store/client.ts";
import { replicationKey } from "../shared/store/keys/replication.ts";
import { makeDirectoryOnce } from "./makeDirectoryOnce.ts";

/**
 * Fills a data directory like the first start of a stage, but without customers and sales of the second business: the
 * first has as many. The first test file that calls this creates and replicates the demo data, once per run; later
 * calls copy it.
 */
export async function copyDemoData(directory: string): Promise<void> {
  const made = join(inject("temporaryDirectory"), "demo");
  await makeDirectoryOnce(made, async (data) => {
    await leaveOut(data);
    const stage = await startStage({ port: 0, data, replicateEvery: 0 });
    await stage.stop();
  });
  cpSync(made, directory, { recursive: true, preserveTimestamps: true });
}

/**
 * Creating half of the demo's records takes half of the time. Replication treats the others as if they never existed.
 */
async function leaveOut(data: string): Promise<void> {
  mkdirSync(data, { recursive: true });
  const engine = await startEngine({ dataFile: join(data, "table.db") });
  const client = new DynamoDBClient({ endpoint: engine.endpoint, ...engineAccess });
  await createTable(client, tableName);
  const table = new Table(tableName, client);
  const now = new Date().toISOString();
  const state: ReplicationState = {
    ...{ fence: 1, held_until: 0, since: now, started_at: now, succeeded_at: now, counts: noCounts, total: 0 },
    ...{ position: null, seen_parts: null, error: null, attempts: 0, not_before: null },
  };
  const crbId = demoBusinesses[1]?.record.id ?? "";
  for (const kind of ["customer", "sale"] as const) await table.put({ ...replicationKey(crbId, kind), ...state });
  client.destroy();
  await engine.stop();
}
