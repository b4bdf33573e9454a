import type { LoggedAccess } from "../../../accessLog/accessLines.ts";
import { type AccessQuery, findAccesses } from "../../../accessLog/findAccesses.ts";
import { each, newProgram } from "../../../cli/program.ts";
import { startProgressBar } from "../../../cli/progressBar.ts";
import { StageError } from "../../../cli/stageError.ts";
import { CrbOption, instant, uuid } from "../arguments.ts";
import type { MakeCommand } from "../session.ts";
import { type Columns, jsonOption, printList } from "../table.ts";

const defaultDays = 30;

export const accessLog: MakeCommand = (session) =>
  newProgram(
    "access-log",
    "Lists the permitted requests of a credential, for a CRB, or for one record by its id, oldest first. To find requests that received a record in a list, use --crb.",
  )
    .option("--client <CLIENT_ID>", "requests with this credential or its tokens; can be repeated", each)
    .addOption(new CrbOption("--crb <CRB>", "requests for this CRB"))
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
    .option("--summary", "counts requests and records by client, operation and CRB")
    .addOption(jsonOption())
    .action(async ({ client = [], crb: crbId, record: recordId, from, to = new Date(), summary, json }) => {
      const clients = client.map(uuid("--client"));
      if (clients.length === 0 && !crbId && !recordId)
        throw new StageError("Add at least one of --client, --crb and --record.");
      const query = { clients, crbId, recordId, to, from: from ?? daysBefore(to, defaultDays) };
      if (query.from >= to) throw new StageError("--from must be before --to.");
      const bar = startProgressBar(session.stdout, { done: 0, total: 0, text: "…" }, { isCleared: true });
      const { entries, unreadable } = await findAccesses(session.target.accessLog(), query, (progress) =>
        bar.show({
          ...{ done: progress.read, total: progress.days },
          text: `${progress.read} of ${progress.days} days, ${progress.found} requests found`,
        }),
      ).finally(bar.stop);
      const period = `from ${query.from.toISOString()} to ${to.toISOString()}`;
      const how = { json, none: `The access log has no matching request ${period}.` };
      if (summary) printList(session, summarize(entries), summaryColumns, how);
      else printList(session, entries, columnsFor({ clients, crbId, recordId }), how);
      if (unreadable > 0)
        throw new StageError(
          `Requests may be missing: ${unreadable} part${unreadable === 1 ? "" : "s"} of the access log could not be read.`,
        );
    });

const daysBefore = (instant: Date, days: number) => new Date(instant.getTime() - days * 86_400_000);

/** Formats an instant in whole seconds, so that all columns fit into a terminal of 80 columns. */
const seconds = (time: string) => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Omits the columns that the query fixes to one value. */
const columnsFor = (given: Omit<AccessQuery, "from" | "to">): Columns<LoggedAccess> => ({
  time: (row) => seconds(row.time),
  ...(given.clients.length !== 1 && { client: (row: LoggedAccess) => row.client_id }),
  operation: (row) => (row.kind === null ? row.operation_id : `${row.operation_id} ${row.kind}`),
  records: (row) => row.records,
  status: (row) => row.status,
  ...(!given.crbId && { crb: (row: LoggedAccess) => row.crb_id }),
  ...(!given.recordId && { record: (row: LoggedAccess) => row.record_id }),
  source: (row) => row.source,
  request: (row) => row.request_id,
});

/** Requests of one client with one operation for one CRB. */
interface AccessSummary {
  client_id: string;
  operation_id: string;
  kind: string | null;
  crb_id: string | null;
  requests: number;
  /** Requests with status 400 or above. */
  failed: number;
  /** The sum over all requests: a record that was returned twice counts twice. */
  records: number;
  first: string;
  last: string;
}

function summarize(entries: readonly LoggedAccess[]): AccessSummary[] {
  const groups = Map.groupBy(entries, ({ client_id, operation_id, kind, crb_id }) =>
    [client_id, operation_id, kind, crb_id].join(" "),
  );
  return [...groups.values()].map((group) => {
    const [first, last] = [group[0], group.at(-1)] as [LoggedAccess, LoggedAccess];
    return {
      client_id: first.client_id,
      operation_id: first.operation_id,
      kind: first.kind,
      crb_id: first.crb_id,
      requests: group.length,
      failed: group.filter(({ status }) => status >= 400).length,
      records: group.reduce((sum, { records }) => sum + (records ?? 0), 0),
      first: first.time,
      last: last.time,
    };
  });
}

const summaryColumns: Columns<AccessSummary> = {
  client: (row) => row.client_id,
  operation: (row) => (row.kind === null ? row.operation_id : `${row.operation_id} ${row.kind}`),
  crb: (row) => row.crb_id,
  requests: (row) => row.requests,
  failed: (row) => row.failed,
  records: (row) => row.records,
  last: (row) => seconds(row.last),
  first: (row) => seconds(row.first),
};
