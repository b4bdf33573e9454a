import { type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import { lacks } from "../../../shared/api/pos/posTypes.ts";
import { compareSums } from "../../../shared/domain/replication/compareSums.ts";
import { replicatedKinds } from "../../../shared/domain/replication/replicatedKinds.ts";
import { type Connection, type Connector, PosError, type PullPage } from "../../../shared/pos/connector.ts";
import { withObserver } from "../../../shared/pos/framework/observer.ts";
import type { PosRecords, PosSale } from "../../../shared/pos/posRecords.ts";
import type { Line } from "../../cli/terminalOutput.ts";
import { FieldReport } from "./fieldReport.ts";
import type { Screen } from "./session.ts";
import { type Columns, fields, tableLines } from "./table.ts";
import { title } from "./terminal.ts";

/** The newest pages may be empty, so the check reads at most this many pages to find a page with rows. */
const maxPages = 10;
const width = 78;

/** The findings about one kind of records. */
interface KindReport {
  kind: RecordKind;
  fields: FieldReport;
  records: number;
  /** count by field and reason */
  rejected: Map<string, number>;
  /** rows of other stores, which the connector drops */
  foreign: number;
  sums?: { compared: number; mismatched: number };
  failure?: string;
}

/**
 * Reads one page of each kind of records from a POS and compares the page's fields with the fields that the connector
 * knows. Stores nothing. Reports only field names and counts, never a value of the POS.
 */
export async function checkPos(connection: Connection, connector: Connector, now: Date): Promise<PosReport[]> {
  const reports: KindReport[] = [];
  for (const kind of recordKinds) {
    if (!lacks(connection.posType, kind)) reports.push(await checkKind(connection, connector, kind, now));
  }
  return reports.map(reportOf);
}

async function checkKind(
  connection: Connection,
  connector: Connector,
  kind: RecordKind,
  now: Date,
): Promise<KindReport> {
  const fields = new FieldReport();
  const report: KindReport = { kind, fields, records: 0, rejected: new Map(), foreign: 0 };
  try {
    await withObserver(fields, async () => {
      let position: string | null = null;
      for (let pages = 0; pages < maxPages && report.records + report.rejected.size === 0; pages++) {
        const page: PullPage<RecordKind> = await connector.pull<RecordKind>(connection, {
          kind,
          since: null,
          position,
          now,
        });
        take(connection, report, page.records);
        for (const { field, reason } of page.rejected) note(report, field, reason);
        report.foreign += page.foreign ?? 0;
        if (!("position" in page.next)) break;
        position = page.next.position;
      }
    });
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    report.failure = error.code === undefined ? error.failure : `${error.failure} (${error.code})`;
  }
  return report;
}

/** Normalizes records as the service does, without storing them. */
function take<Kind extends RecordKind>(connection: Connection, report: KindReport, records: PosRecords[Kind][]): void {
  const kind = report.kind as Kind;
  const { normalize, refuses = { field: "", reason: "no_record" } } = replicatedKinds[kind];
  for (const record of records) {
    if (normalize(connection, record)) report.records++;
    else note(report, refuses.field, refuses.reason);
  }
  if (kind === "sale") report.sums = compareSums(records as PosSale[]);
}

function note({ rejected }: KindReport, field: string, reason: string): void {
  const key = `${field || "the row"}: ${reason}`;
  rejected.set(key, (rejected.get(key) ?? 0) + 1);
}

/** The report on a page of one kind: field names with their numbers of rows, never a value. */
export type PosReport = ReturnType<typeof reportOf>;

const reportOf = ({ kind, fields, records, rejected, foreign, sums, failure }: KindReport) => ({
  kind,
  // A simulated POS makes records without rows, so the number of rows is null.
  rows: fields.rows === 0 && records > 0 ? null : fields.rows,
  records,
  rejected: [...rejected.values()].reduce((sum, count) => sum + count, 0),
  foreign_rows: foreign,
  compared_sums: sums?.compared ?? null,
  mismatched_sums: sums?.mismatched ?? null,
  failure: failure ?? null,
  fields_seen: Object.fromEntries([...fields.known].filter(([, count]) => count > 0)),
  fields_missing: fields.missing,
  fields_unread: Object.fromEntries(fields.unread),
  taken_to_be: Object.fromEntries(fields.guesses),
  rejections: Object.fromEntries(rejected),
});

const columns: Columns<PosReport> = {
  ...fields("kind", "rows", "records", "rejected"),
  "of other stores": (row) => row.foreign_rows,
  "mismatched sums": (row) => (row.compared_sums === null ? null : `${row.mismatched_sums} of ${row.compared_sums}`),
  state: (row) => row.failure ?? "read",
};

/** The report as lines for a terminal. */
export const linesOf = (screen: Screen, reports: readonly PosReport[]): Line[] => [
  ...tableLines(screen, reports, columns),
  ...reports.flatMap(details),
];

function details({ kind, fields_seen, fields_missing, fields_unread, taken_to_be, rejections }: PosReport): Line[] {
  return [
    ["fields in the rows, with the number of rows", counted(fields_seen)],
    ["fields missing from all rows", fields_missing],
    ["fields that the connector does not read", counted(fields_unread)],
    ["assumptions", counted(taken_to_be)],
    ["rejected", counted(rejections)],
  ].flatMap(([heading, names]) =>
    names && names.length > 0 ? ["", title(`${kind}: ${heading}`), ...wrapped(names as string[])] : [],
  );
}

const counted = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([name, count]) => `${name} (${count})`);

/** Joins names to lines, with as many names per line as fit. */
function wrapped(names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length + 2 <= width) lines[lines.length - 1] = `${last}, ${name}`;
    else lines.push(`  ${name}`);
  }
  return lines;
}
