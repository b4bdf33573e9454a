import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { requestReplication } from "../../../shared/replication/queue.ts";
import type { Table } from "../../../shared/table/client.ts";
import { type RecordKind, replicationKey } from "../../../shared/table/keys.ts";
import { logFile } from "../../local/dataDirectory.ts";
import { functionEnvironment } from "../../local/environment.ts";
import { FunctionHost } from "../../local/functionHost.ts";
import { sqsEvent } from "../../local/sqsEvent.ts";
import { StageError } from "../../local/stageError.ts";
import type { Command } from "../command.ts";
import type { Target } from "../target.ts";
import { columns } from "../terminal.ts";
import { crbOf } from "./crbOf.ts";
import { kindOf, kinds } from "./records.ts";

/** The part of the item behind a replication that is shown. */
interface State {
  started_at: string;
  succeeded_at: string | null;
  held_until: number;
  error: string | null;
  counts: { created: number; changed: number; unchanged: number; rejected: number };
}

export const start: Command = {
  name: "replication start",
  parameters: ["CRB_ID"],
  options: { kind: { value: "KIND", meaning: `only these records, once for each: ${kinds.join(", ")}`, many: true } },
  summary: "Replicates a CRB now: here on the local stage, by its queue (REPLICATION_QUEUE_URL) on a deployed one.",
  async run({ target, print }, [crbId = ""], { kind }) {
    const { record, connection } = await crbOf(target.table, crbId);
    if (!connection) throw new StageError(`${record.name} is connected to no POS.`);
    const wanted = kind ? kinds.filter((each) => kind.map(kindOf).includes(each)) : kinds;
    if (!target.local) {
      if (!process.env.REPLICATION_QUEUE_URL) throw new StageError("Set REPLICATION_QUEUE_URL to the stage's queue.");
      await requestReplication(crbId, wanted);
      print(`Asked for a replication of ${record.name}: ${wanted.join(", ")}.`);
      return;
    }
    await runHere(target.local, crbId, wanted);
    print(`Replicated ${record.name}.`, ...(await stateLines(target.table, crbId, wanted)));
  },
};

export const state: Command = {
  name: "replication state",
  parameters: ["CRB_ID"],
  summary: "Shows how far the replication of a CRB has come.",
  async run({ target, print }, [crbId = ""]) {
    await crbOf(target.table, crbId);
    print(...(await stateLines(target.table, crbId, kinds)));
  },
};

async function runHere(
  { data, endpoints }: NonNullable<Target["local"]>,
  crbId: string,
  wanted: readonly RecordKind[],
): Promise<void> {
  const host = new FunctionHost(functionEnvironment(data, endpoints), createWriteStream(logFile(data), { flags: "a" }));
  try {
    for (const kind of wanted) {
      const event = sqsEvent("replication", JSON.stringify({ crb_id: crbId, kind }));
      await host.invoke("replication/worker", event, randomUUID());
    }
  } finally {
    await host.stop();
  }
}

async function stateLines(table: Table, crbId: string, wanted: readonly RecordKind[]): Promise<string[]> {
  const rows: string[][] = [];
  for (const kind of wanted) {
    const item = (await table.get(replicationKey(crbId, kind), { consistent: true })) as unknown as State | undefined;
    rows.push([kind, ...(item ? cells(item) : ["never"])]);
  }
  return columns(["kind", "state", "begun", "finished", "new", "changed", "same", "refused"], rows);
}

function cells({ held_until, error, started_at, succeeded_at, counts }: State): string[] {
  const standing = held_until > Date.now() ? "running" : (error ?? (succeeded_at ? "done" : "waiting"));
  const { created, changed, unchanged, rejected } = counts;
  return [standing, started_at, succeeded_at ?? "-", ...[created, changed, unchanged, rejected].map(String)];
}
