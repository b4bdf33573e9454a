import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listIssuedCredentials } from "../../../../shared/auth/revoke.ts";
import type { LoggedAccess } from "../../../../shared/domain/accessLog/accessLines.ts";
import {
  type AccessQuery,
  type FoundAccesses,
  findAccesses,
  inOrder,
} from "../../../../shared/domain/accessLog/findAccesses.ts";
import { itemId } from "../../../../shared/store/client.ts";
import { toCrb } from "../../../../shared/store/crb.ts";
import { crbKey } from "../../../../shared/store/keys/crbs.ts";
import { credentialKey } from "../../../../shared/store/keys/credentials.ts";
import { each, newProgram } from "../../../cli/program.ts";
import { startProgressBar } from "../../../cli/progressBar.ts";
import { StageError } from "../../../cli/stageError.ts";
import { CrbOption, instant, uuid } from "../arguments.ts";
import { breachLetters } from "../breachLetters.ts";
import type { MakeCommand, Session } from "../session.ts";
import { type Columns, fields, jsonOption, printList } from "../table.ts";

const defaultDays = 30;

export const accessLog: MakeCommand = (session) =>
  newProgram(
    "access-log",
    "Lists the permitted requests of a credential, for a CRB, or for one record by its id, oldest first, and the commands of operators. To find requests that received a record in a list, use --crb.",
  )
    .option("--client <CLIENT_ID>", "requests with this credential or its tokens; can be repeated", each)
    .addOption(
      new CrbOption(
        "--crb <CRB>",
        "requests for this CRB, for lists that name it, and commands of operators that can read it",
      ),
    )
    .option(
      "--record <RECORD_ID>",
      "requests whose path contains this record or document; --crb finds the lists that returned it",
      uuid("--record"),
    )
    .option(
      "--from <TIME>",
      `a UTC day, or a time such as 2026-11-20T08:00:00Z; default: ${defaultDays} days ago`,
      instant("--from", "start"),
    )
    .option("--to <TIME>", "the same, a day is included; default: now", instant("--to", "end"))
    .option("--summary", "counts requests and records by client, person, operation and CRB")
    .option(
      "--letters <FOLDER>",
      "writes a letter to each business that the requests of a leaked credential (--client) concern, as CRB_ID.txt",
    )
    .addOption(jsonOption())
    .action(async ({ client = [], crb: crbId, record: recordId, from, to = new Date(), summary, letters, json }) => {
      const clients = client.map(uuid("--client"));
      if (clients.length === 0 && !crbId && !recordId)
        throw new StageError("Add at least one of --client, --crb and --record.");
      const issued = letters === undefined ? [] : await revokedWithIssued(session, clients);
      const query = {
        clients: [...new Set([...clients, ...issued])],
        crbId,
        recordId,
        to,
        from: from ?? daysBefore(to, defaultDays),
      };
      if (query.from >= to) throw new StageError("--from must be before --to.");
      const { entries, unreadable } = await findInAllFolders(session, query);
      const period = `from ${query.from.toISOString()} to ${to.toISOString()}`;
      const how = { json, none: `The access log has no matching request ${period}.` };
      if (letters !== undefined) await writeLetters(session, letters, { ...query, entries, unreadable });
      else if (summary) printList(session, summarize(entries), summaryColumns, how);
      else printList(session, entries, columnsFor(query), how);
      if (unreadable > 0)
        throw new StageError(
          `Requests may be missing: ${unreadable} part${unreadable === 1 ? "" : "s"} of the access log could not be read.`,
        );
    });

/**
 * @returns the client ids of the credentials that some credentials have issued: letters cover their requests, too
 * @throws StageError if no credential is given, or one of them, or one that it issued, is not revoked, because the letters say
 *   that they are
 */
async function revokedWithIssued({ target: { table } }: Session, clients: readonly string[]): Promise<string[]> {
  if (clients.length === 0) throw new StageError("--letters needs the leaked credential by --client.");
  const all: string[] = [];
  const found = await table.batchGet(clients.map(credentialKey), { consistent: true });
  for (const clientId of clients) {
    const credential = found.get(itemId(credentialKey(clientId)));
    if (!credential) throw new StageError(`There is no credential ${clientId}: credential list shows all ids.`);
    const issued = await listIssuedCredentials(table, credential.sp_id as string, clientId);
    const valid = credential.revoked_at ? issued.find((each) => !each.revoked_at)?.client_id : clientId;
    if (valid) throw new StageError(`Revoke ${valid} first: credential revoke ${valid}.`);
    all.push(...issued.map(({ client_id }) => client_id));
  }
  return all;
}

/** Writes the letters, and prints a line for each. A second run replaces them. */
async function writeLetters(
  { target: { table }, print }: Session,
  folder: string,
  facts: Omit<Parameters<typeof breachLetters>[0], "nameOf">,
): Promise<void> {
  const ids = [...new Set(facts.entries.flatMap(({ crb_id, crb_ids }) => crb_id ?? crb_ids ?? []))];
  const crbs = await table.batchGet(ids.map(crbKey));
  const nameOf = (crbId: string) => {
    const crb = crbs.get(itemId(crbKey(crbId)));
    return crb ? toCrb(crb).record.name : crbId;
  };
  const letters = breachLetters({ ...facts, nameOf });
  mkdirSync(folder, { recursive: true });
  for (const { crbId, text } of letters) {
    const file = join(folder, `${crbId}.txt`);
    writeFileSync(file, text, { mode: 0o600 });
    print(`${file}: ${nameOf(crbId)}`);
  }
  if (letters.length === 0) print("The requests of this credential concern no business.");
}

/** Reads the folders of all service providers, and the commands of operators. */
async function findInAllFolders(session: Session, query: AccessQuery): Promise<FoundAccesses> {
  const store = session.target.accessLog();
  using bar = startProgressBar(session.stdout, { done: 0, total: 0, text: "…" }, { isCleared: true });
  const folders = await store.folders();
  const all: FoundAccesses = { entries: [], unreadable: 0 };
  const days = findAccesses(store, folders, query, ({ read: done, days: total, found }) => {
    const folder = Math.ceil((done / total) * folders.length);
    bar.show({ done, total, text: `${folder} of ${folders.length} service providers, ${found} requests found` });
  });
  for await (const { entries, unreadable } of days) {
    for (const entry of entries) all.entries.push(entry);
    all.unreadable += unreadable;
  }
  return { ...all, entries: inOrder(all.entries) };
}

const daysBefore = (instant: Date, days: number) => new Date(instant.getTime() - days * 86_400_000);

/** Formats an instant in whole seconds, so that all columns fit into a terminal of 80 columns. */
const seconds = (time: string) => `${new Date(time).toISOString().slice(0, 19)}Z`;

const columnsFor = (given: Omit<AccessQuery, "from" | "to">): Columns<LoggedAccess> => ({
  time: (row) => seconds(row.time),
  ...(given.clients.length !== 1 && { client: (row: LoggedAccess) => row.client_id }),
  operation: operationOf,
  ...fields("sub", "records", "status"),
  ...(!given.crbId && {
    crb: ({ crb_id, crb_ids }: LoggedAccess) => crb_id ?? (crb_ids ? `${crb_ids.length} CRBs` : null),
  }),
  ...(!given.recordId && { record: (row: LoggedAccess) => row.record_id }),
  source: (row) => row.source,
  request: (row) => row.request_id,
});

/** An operation, with the kinds of records if there are any. */
const operationOf = ({ operation_id, kinds }: Pick<LoggedAccess, "operation_id" | "kinds">) =>
  [operation_id, ...(kinds ?? [])].join(" ");

/** A row for the requests of one client, or of one person, with one operation for one CRB. */
function summarize(entries: readonly LoggedAccess[]) {
  const groups = Map.groupBy(entries, (entry) =>
    JSON.stringify([entry.client_id, entry.sub, operationOf(entry), entry.crb_id]),
  );
  return [...groups.values()].map((group) => {
    const [first, last] = [group[0], group.at(-1)] as [LoggedAccess, LoggedAccess];
    const { client_id, sub, operation_id, kinds, crb_id } = first;
    return {
      ...{ client_id, sub, operation_id, kinds, crb_id, requests: group.length },
      failed: group.filter(({ status }) => status >= 400).length,
      // A record that was returned twice counts twice.
      records: group.reduce((sum, { records }) => sum + (records ?? 0), 0),
      first: first.time,
      last: last.time,
    };
  });
}

const summaryColumns: Columns<ReturnType<typeof summarize>[number]> = {
  client: (row) => row.client_id,
  operation: operationOf,
  sub: (row) => row.sub,
  crb: (row) => row.crb_id,
  ...fields("requests", "failed", "records"),
  last: (row) => seconds(row.last),
  first: (row) => seconds(row.first),
};
