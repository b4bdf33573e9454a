import { type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import { changeExports, recoveryPointDays, tableCopyDays } from "../../backup/backupDays.ts";
import { functionSizes } from "../../constructs/functionSizes.ts";
import { fixedUsage, measured } from "../../constructs/measuredUsage.ts";
import { replicationBatch } from "../../constructs/replicationBatch.ts";
import { messagesPerSecond } from "../../constructs/replicationCapacity.ts";
import { stages } from "../../stages/stages.ts";
import type { prices } from "./prices.ts";

// What prod uses: the counted things of a month, and what one of each uses. Measured values are in `measuredUsage.ts`.

/** What one thing uses, by the unit of `prices`. */
export type Usage = Partial<Record<keyof typeof prices, number>>;
/** A reason for costs: a number of equal things. */
export type Row = readonly [what: string, count: number, each: Usage];

const [days, minutes, million, gigabytesInKilobyte] = [30, 30 * 24 * 60, 1e6, 1e-6];
const { compressed, backedUpShare } = measured;
export const total = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
const units = ({ readUnits, writeUnits = 0 }: { readUnits: number; writeUnits?: number }): Usage => ({
  ...(writeUnits && { writeUnit: writeUnits }),
  readUnit: readUnits,
});
const run = (memory: number, seconds: number, shared = 1): Usage => ({
  lambdaRequest: 1 / shared,
  lambdaGigabyteSecond: (seconds * memory) / 1024 / shared,
});
/** The log lines of a call, and their storage for as long as prod keeps them. */
const logged: Usage = {
  loggedGigabyte: measured.loggedKilobytes * gigabytesInKilobyte,
  logStorageGigabyte: measured.loggedKilobytes * gigabytesInKilobyte * compressed * (stages.prod.aws.logDays / days),
};
/** A line of the access log, counted as one delivery, and its storage for as long as prod keeps it. */
const accessLogged: Usage = {
  deliveredGigabyte: Math.max(5, measured.accessKilobytes) * gigabytesInKilobyte,
  decompressedGigabyte: measured.accessKilobytes * gigabytesInKilobyte,
  partitionedGigabyte: measured.accessKilobytes * gigabytesInKilobyte,
  keptLineGigabyte:
    measured.accessKilobytes * gigabytesInKilobyte * compressed * (stages.prod.aws.accessLogDays / days),
};

const call = (what: "page" | "record" | "salesYear", memory: number = functionSizes.page.memory): Usage => ({
  ...units(measured[what]),
  ...run(memory, measured[what].seconds),
  ...logged,
  ...accessLogged,
  gatewayRequest: 1,
  wafRequest: 1,
  transferredGigabyte: measured[what].kilobytes * gigabytesInKilobyte,
});
const page = call("page");
const record = call("record", functionSizes.record.memory);
const newRecord = (kind: RecordKind): Usage => ({
  ...units(measured.newRecord[kind]),
  lambdaGigabyteSecond: (measured.newRecordSeconds * functionSizes.replication.memory) / 1024,
});
const turn: Usage = {
  ...units(measured.turn),
  ...run(functionSizes.replication.memory, replicationBatch.seconds, replicationBatch.messages),
  ...logged,
  queueRequest: measured.turn.queueRequests,
  keyRequest: measured.turn.keyRequests,
};
const delivery: Usage = {
  ...units(measured.delivery),
  ...run(functionSizes.chore.memory, measured.delivery.seconds),
  ...logged,
  queueRequest: measured.delivery.queueRequests,
  keyRequest: measured.delivery.keyRequests,
};
const { recordsOfPart, kilobytes: exportedKilobytes, ...exported } = measured.exportedRecord;
/** A sale in an export that is downloaded once and kept for a week. */
const exportedSale: Usage = {
  ...units({ readUnits: exported.readUnits, writeUnits: exported.writeUnitsOfPart / recordsOfPart }),
  lambdaGigabyteSecond: (exported.seconds * functionSizes.export.memory) / 1024,
  objectGigabyte: exportedKilobytes * gigabytesInKilobyte * (7 / days),
  objectWrite: 1 / recordsOfPart,
  objectRead: 1 / recordsOfPart,
  trailEvent: 2 / recordsOfPart,
  transferredGigabyte: exportedKilobytes * gigabytesInKilobyte,
};
/** A statement that is kept for a year and loaded twice. */
const statement: Usage = {
  ...units(measured.statement),
  lambdaGigabyteSecond: (measured.statement.seconds * functionSizes.export.memory) / 1024,
  objectGigabyte: measured.statement.kilobytes * gigabytesInKilobyte * 12,
  ...{ objectWrite: 3, objectRead: 4, trailEvent: 7, queueRequest: 3 },
  transferredGigabyte: 2 * measured.statement.kilobytes * gigabytesInKilobyte,
};
const scheduled = fixedUsage.scheduledAMinute * minutes;
/** A stage without calls and businesses. Each of five pollers of a queue waits 20 s. */
const idle: readonly Row[] = [
  ["the stage without calls", 1, { webAcl: fixedUsage.webAcls, wafRule: fixedUsage.wafRules, key: fixedUsage.keys }],
  [
    "its secrets, alarms, metrics, dashboard",
    1,
    {
      secret: fixedUsage.secrets,
      alarmMetric: fixedUsage.alarmMetrics,
      customMetric: fixedUsage.customMetrics + fixedUsage.copyMetrics,
      dashboard: fixedUsage.dashboards,
    },
  ],
  ["scheduled runs", scheduled, { ...run(functionSizes.chore.memory, 0.25), ...logged, scheduled: 1 }],
  ["polls of queues", fixedUsage.workedOff * 5 * 3 * minutes, { queueRequest: 1 }],
];
const stored: Usage = { tableGigabyte: 1, recoveryGigabyte: backedUpShare };
const document: Usage = {
  ...{ objectWrite: 1, objectRead: 1, trailEvent: 2, objectGigabyte: 4e-3 / 3, transferredGigabyte: 4e-3 / 3 },
  ...{ objectCopyGigabyte: 8e-3 / 3, copiedGigabyte: 4e-3 / 3 },
};

/** The load of one business in a month (docs/costs.md#a-month). Inventory and locations are read whole by each run. */
export const load = {
  readWhole: { location: 4, inventory: 600, product: 0, customer: 0, sale: 0 },
  newADay: { location: 0, product: 5, customer: 50, inventory: 100, sale: 300 },
  ...{ pages: 2_000, records: 20_000, documents: 200, mails: 10 },
  gigabytes: 0.4 * measured.tableShare,
} as const;

/** The costs of prod in a month, as counted things. */
export function monthRows(businesses: number, gigabytes: number = load.gigabytes): Row[] {
  const { newADay, readWhole } = load;
  const every = (countOf: (kind: RecordKind) => number) => businesses * total(recordKinds.map(countOf));
  const runsOf = (kind: RecordKind) => (minutes * 60) / stages.prod.replicateEverySeconds[kind];
  // An upper bound: one event may report several new records of a run.
  const storing = (kind: RecordKind) => Math.min(runsOf(kind), days * newADay[kind]);
  const changing: Row[] = [
    ["messages of runs that find nothing", businesses * minutes * 60 * messagesPerSecond(stages.prod), turn],
    ...recordKinds.map((kind): Row => [`new records: ${kind}`, businesses * days * newADay[kind], newRecord(kind)]),
    ["events about new records", every(storing), units(measured.announcement)],
    ["runs that store sales: totals of days", businesses * storing("sale"), units(measured.salesTotals)],
    ["completed sales days", businesses * days, units(measured.completedSalesDay)],
  ];
  // Exports copy half a KB for each write unit, since most writes are in transactions, and 10 MB at least.
  const writeUnits = total(changing.map(([, count, { writeUnit = 0 }]) => count * writeUnit));
  const changed = Math.max(writeUnits * 0.5e-6, ((minutes / changeExports.minutes) * 10) / 1000);
  const copies = tableCopyDays.length;
  const kept = (copies / days) * (recoveryPointDays.table + recoveryPointDays.tableCopies);
  const compressedDays = measured.compressedExport * (changeExports.daysKept / days);
  const objects = days * measured.accessObjectsADay;
  const rows = businesses * (minutes / 15);
  return [
    ...idle,
    ...changing.filter(([, count]) => count > 0),
    ["unchanged records, read again", every((kind) => runsOf(kind) * readWhole[kind]), units(measured.unchanged)],
    [
      "rows of overviews",
      rows,
      { ...units(measured.overviewRow), ...run(functionSizes.restoration.memory, measured.overviewRow.seconds) },
    ],
    ["pages of 1,000 records", businesses * load.pages, page],
    ["single records", businesses * load.records, record],
    ["objects of the access log", objects, { partitionedObject: 1, objectWrite: 1, trailEvent: 1 }],
    ["GB of the table and its indexes", businesses * gigabytes, stored],
    [
      "GB of the table, copied",
      businesses * gigabytes * backedUpShare,
      { tableCopyGigabyte: kept, copiedGigabyte: copies },
    ],
    ["GB of changes, copied", changed, { exportedGigabyte: 1, copiedGigabyte: 1, objectGigabyte: compressedDays }],
    ["documents of a MB, stored and read once", businesses * load.documents, document],
    ["mails", businesses * load.mails, { mail: 1 }],
  ];
}

/** Single things, with their names in docs/costs.md. */
export const things: readonly (readonly [what: string, rows: readonly Row[]])[] = [
  ["a million list pages of 1,000", [["", million, page]]],
  ["a million single reads", [["", million, record]]],
  ["a million reads of the sales days of a year", [["", million, call("salesYear")]]],
  ...recordKinds.map((kind) => [`a million new records, kind \`${kind}\``, [["", million, newRecord(kind)]]] as const),
  ["a million messages of replication runs that find nothing new", [["", million, turn]]],
  ["a million events delivered to a webhook endpoint", [["", million, delivery]]],
  ["an export of a million sales as `ndjson`, downloaded once", [["", million, exportedSale]]],
  ["a thousand statements of two months, each kept for a year", [["", 1_000, statement]]],
  ["a month of an idle stage", idle],
  [
    "the first reading of a business with 100,000 sales and 20,000 customers",
    [
      ["", 1e5, newRecord("sale")],
      ["", 2e4, newRecord("customer")],
    ],
  ],
  ["a GB stored in the table and its indexes, a month", [["", 1, stored]]],
];
