import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { isUploaded } from "../../../shared/api/pos/posTypes.ts";
import { type RecordKind, recordKinds } from "../../../shared/kinds.ts";
import { isPaused } from "../../../shared/onboarding/crbStatus.ts";
import { requestReplication } from "../../../shared/replication/queue.ts";
import { logFile } from "../../local/dataDirectory.ts";
import { functionEnvironment } from "../../local/environment.ts";
import { FunctionHost } from "../../local/functionHost.ts";
import { sqsEvent } from "../../local/sqsEvent.ts";
import { StageError } from "../../local/stageError.ts";
import type { Command, Session } from "../command.ts";
import { crbRows, kindRows, rejectedRows } from "../replicationRows.ts";
import type { Target } from "../target.ts";
import { columns } from "../terminal.ts";
import { type Rows, watch } from "../watch.ts";
import { crbOf } from "./crbOf.ts";
import { kindOf } from "./records.ts";

const onlyKinds = {
  value: "KIND",
  meaning: `only these records, once for each: ${recordKinds.join(", ")}`,
  many: true,
} as const;
const live = { meaning: "shows it again and again, until Ctrl-C; in a pipe, each row that has changed" } as const;

export const start: Command = {
  name: "replication start",
  parameters: ["CRB_ID"],
  options: { kind: onlyKinds, full: { meaning: "reads everything again, not only what has changed" } },
  summary: "Replicates a CRB now: here on the local stage, by its queue (REPLICATION_QUEUE_URL) on a deployed one.",
  async run({ target, print }, [crbId = ""], { kind, full: isFull }) {
    const { record, connection } = await crbOf(target.table, crbId);
    if (!connection) throw new StageError(`${record.name} is connected to no POS.`);
    if (isUploaded(connection.posType)) {
      throw new StageError(`The records of ${record.name} come by upload: there is no POS to ask.`);
    }
    if (isPaused(record.status)) throw new StageError(`The association of ${record.name} is paused.`);
    const wanted = kindsOf(kind);
    const full = isFull ? true : undefined;
    if (!target.local) {
      if (!process.env.REPLICATION_QUEUE_URL) throw new StageError("Set REPLICATION_QUEUE_URL to the stage's queue.");
      await requestReplication(crbId, wanted, { full });
      print(`Asked for a replication of ${record.name}: ${wanted.join(", ")}.`);
      return;
    }
    await runHere(target.local, crbId, wanted, full);
    const { headings, rows } = await kindRows(target, crbId, wanted);
    // What another run is at, or has still to go on with, is not done yet. One of several kinds may be late by now.
    const isDone = (state = "") => ["current", "late"].includes(state);
    const undone = rows.filter(([, state, progress]) => !isDone(state) || progress !== "-");
    const open = undone.map(([kind, state]) => `${kind} (${isDone(state) ? "under way" : state})`);
    print(...(open.length > 0 ? [] : [`Replicated ${record.name}.`]), ...columns(headings, rows));
    if (open.length > 0) throw new StageError(`Of ${record.name} not replicated: ${open.join(", ")}.`);
  },
};

export const state: Command = {
  name: "replication state",
  parameters: ["CRB_ID"],
  options: { kind: onlyKinds, watch: live },
  summary: "Shows how far the replication of a CRB has come, and when it goes on.",
  async run(session, [crbId = ""], { kind, watch: watched }) {
    await crbOf(session.target.table, crbId);
    await show(session, () => kindRows(session.target, crbId, kindsOf(kind)), watched);
  },
};

export const list: Command = {
  name: "replication list",
  parameters: [],
  options: { watch: live },
  summary: "Shows how the replication of every connected CRB stands, the one whose records are oldest first.",
  async run(session, _parameters, { watch: watched }) {
    await show(session, () => crbRows(session.target, new Date()), watched);
  },
};

export const rejected: Command = {
  name: "replication rejected",
  parameters: ["CRB_ID"],
  options: { kind: onlyKinds },
  summary: "Lists the records of a CRB's POS that were rejected: the newest of them, by id, field and reason.",
  async run({ target, print }, [crbId = ""], { kind }) {
    const { record } = await crbOf(target.table, crbId);
    const { headings, rows } = await rejectedRows(target.table, crbId, kindsOf(kind));
    if (rows.length > 0) print(...columns(headings, rows));
    else print(`Nothing of ${record.name} is rejected.`);
  },
};

/** The kinds that an option names, in the order of all; all when there is none. */
function kindsOf(named: readonly string[] | undefined): readonly RecordKind[] {
  const chosen = named?.map(kindOf);
  return chosen ? recordKinds.filter((kind) => chosen.includes(kind)) : recordKinds;
}

async function show({ print, stdout }: Session, read: () => Promise<Rows>, watched: readonly string[] | undefined) {
  if (watched) return watch(stdout, read);
  const { headings, rows } = await read();
  print(...columns(headings, rows));
}

async function runHere(
  { data, endpoints }: NonNullable<Target["local"]>,
  crbId: string,
  wanted: readonly RecordKind[],
  full: true | undefined,
): Promise<void> {
  const host = new FunctionHost(functionEnvironment(data, endpoints), createWriteStream(logFile(data), { flags: "a" }));
  try {
    for (const kind of wanted) {
      const event = sqsEvent("replication", JSON.stringify({ crb_id: crbId, kind, full }));
      await host.invoke("replication/worker", event, randomUUID());
    }
  } finally {
    await host.stop();
  }
}
