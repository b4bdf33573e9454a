import { type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import { functionSizes } from "../../constructs/functionSizes.ts";
import { fixedUsage, measured } from "../../constructs/measuredUsage.ts";
import { stages } from "../../stages/stages.ts";
import { prices } from "./prices.ts";
import { type CopyPlan, present, type Usage } from "./usageSets.ts";

/** Dollars by purpose. */
export type Parts = Record<string, number>;

/** The load of prod in a month. */
export interface Load {
  businesses: number;
  /**
   * The number of records of a business in each list that every replication reads completely. The POS does not report
   * changes of these lists.
   */
  readWhole: Partial<Record<RecordKind, number>>;
  /** New or changed records of each business per day. */
  newADay: Record<RecordKind, number>;
  pages: number;
  records: number;
  /** Documents of 1 MB that are stored, read once, and kept. */
  documents: number;
  mails: number;
  /** GB of the table and its indexes with plain records. `Usage.tableShare` converts them. */
  tableGigabytes: number;
}

const days = 30;
const minutes = days * 24 * 60;
const gigabytesInKilobyte = 1e-6;
const base64 = 4 / 3;

/** Requests for pages, single records, or the sales days of a year. */
export function calls(
  what: "page" | "record" | "salesYear",
  count = 1,
  { readUnits = measured[what].readUnits }: { readUnits?: number } = {},
): Parts {
  const { seconds, kilobytes } = measured[what];
  const size = what === "record" ? "record" : "page";
  return times(count, {
    DynamoDB: readUnits * prices.readUnit,
    "API Gateway": prices.gatewayRequest,
    WAF: prices.wafRequest,
    Lambda: run(functionSizes[size].memory, seconds),
    CloudWatch: logged(),
    "access log": accessLogged(),
    transfer: kilobytes * gigabytesInKilobyte * prices.transferredGigabyte,
  });
}

/** New records of a kind. */
export function newRecords(kind: RecordKind, count = 1, usage: Usage = present): Parts {
  return times(count, {
    DynamoDB: ofUnits(usage.newRecord[kind]),
    Lambda: measured.newRecordSeconds * gigabyteSeconds(usage.worker.memory),
  });
}

/** Replications that find no change. */
export function turns(count = 1, { turn, queueRequests, worker }: Usage = present): Parts {
  return times(count, {
    DynamoDB: ofUnits(turn),
    Lambda: run(worker.memory, worker.seconds) / worker.messages,
    CloudWatch: logged(),
    SQS: queueRequests * prices.queueRequest,
    "keys and secrets": measured.turn.keyRequests * prices.keyRequest,
  });
}

/** Events that are delivered to a webhook endpoint one at a time. */
export function deliveries(count = 1): Parts {
  const { seconds, queueRequests, keyRequests, ...units } = measured.delivery;
  return times(count, {
    DynamoDB: ofUnits(units),
    Lambda: run(functionSizes.chore.memory, seconds),
    CloudWatch: logged(),
    SQS: queueRequests * prices.queueRequest,
    "keys and secrets": keyRequests * prices.keyRequest,
  });
}

/** Sales in `ndjson` exports. Each file is downloaded once and kept for a week. */
export function exportedRecords(count = 1): Parts {
  const { readUnits, writeUnitsOfPart, recordsOfPart, seconds, kilobytes } = measured.exportedRecord;
  const gigabytes = kilobytes * gigabytesInKilobyte;
  return times(count, {
    DynamoDB: readUnits * prices.readUnit + (writeUnitsOfPart / recordsOfPart) * prices.writeUnit,
    Lambda: seconds * gigabyteSeconds(functionSizes.export.memory),
    S3: gigabytes * (7 / days) * prices.objectGigabyte + (prices.objectWrite + prices.objectRead) / recordsOfPart,
    CloudTrail: (2 * prices.trailEvent) / recordsOfPart,
    transfer: gigabytes * prices.transferredGigabyte,
  });
}

/** A stage without calls and businesses. */
export function idle(): Parts {
  const scheduled = fixedUsage.scheduledAMinute * minutes;
  const polls = fixedUsage.workedOff * 5 * 3 * minutes;
  return {
    WAF: fixedUsage.webAcls * prices.webAcl + fixedUsage.wafRules * prices.wafRule,
    "keys and secrets": fixedUsage.keys * prices.key + fixedUsage.secrets * prices.secret,
    CloudWatch:
      fixedUsage.alarmMetrics * prices.alarmMetric +
      fixedUsage.dashboards * prices.dashboard +
      (fixedUsage.customMetrics + fixedUsage.copyMetrics) * prices.customMetric +
      scheduled * logged(),
    Lambda: scheduled * run(functionSizes.chore.memory, 0.25),
    Scheduler: scheduled * prices.scheduled,
    SQS: polls * prices.queueRequest,
  };
}

/** A reason for costs. */
export interface Driver {
  name: string;
  /** How the costs of one business are calculated, in the units of docs/costs.md. */
  formula: string;
  parts: Parts;
  /** Write units, for the copies of the changes that they make. */
  writeUnits?: number;
}

/** GB of the table and its indexes under a load. */
export const computeTableGigabytes = ({ tableGigabytes }: Load, { tableShare }: Usage): number =>
  tableGigabytes * tableShare;

/** The costs of prod in a month under a load, by their reasons. */
export function drivers(load: Load, usage: Usage = present): Driver[] {
  const { businesses } = load;
  const tableGigabytes = computeTableGigabytes(load, usage);
  const each = (count: number) => format(count / businesses);
  const runsOf = (kind: RecordKind) => (businesses * minutes * 60) / stages.prod.replicateEverySeconds[kind];
  const createdOf = (kind: RecordKind) => businesses * days * load.newADay[kind];
  const total = (countOf: (kind: RecordKind) => number) => recordKinds.reduce((all, kind) => all + countOf(kind), 0);
  const runs = total(runsOf);
  const unchanged = total((kind) => runsOf(kind) * (load.readWhole[kind] ?? 0));
  const created = total(createdOf);
  // This count is an upper bound: one event may report several new records of a replication.
  const announced = total((kind) => Math.min(runsOf(kind), createdOf(kind)));
  const runsOfSales = Math.min(runsOf("sale"), createdOf("sale"));
  const createdUnits = total((kind) => createdOf(kind) * usage.newRecord[kind].writeUnits);
  const documentGigabytes = load.documents * 1e-3;
  const { objectWrite, objectRead, objectGigabyte, trailEvent, transferredGigabyte, partitionedObject } = prices;
  const { turn, worker } = usage;
  const changing: Driver[] = [
    {
      name: "runs that find nothing",
      formula: `${each(runs)} runs × (${units(turn)}; ${worker.seconds} s ÷ ${worker.messages} of ${worker.memory} MB; ${format(usage.queueRequests)} queue requests; ${measured.turn.keyRequests} key request; a log line)`,
      parts: turns(runs, usage),
      writeUnits: runs * turn.writeUnits,
    },
    {
      name: "new records",
      formula: `${each(created)} records × ${format(createdUnits / created)} write units on average, with their read units and worker time`,
      parts: sum(recordKinds.map((kind) => newRecords(kind, createdOf(kind), usage))),
      writeUnits: createdUnits,
    },
    {
      name: "events about new records",
      formula: `${each(announced)} events × (${units(usage.announcement)})`,
      parts: times(announced, { DynamoDB: ofUnits(usage.announcement) }),
      writeUnits: announced * usage.announcement.writeUnits,
    },
    {
      name: "sales days",
      formula: `${each(runsOfSales)} runs × (${units(measured.salesTotals)}) + ${days} days × (${units(measured.completedSalesDay)})`,
      parts: sum([
        times(runsOfSales, { DynamoDB: ofUnits(measured.salesTotals) }),
        times(businesses * days, { DynamoDB: ofUnits(measured.completedSalesDay) }),
      ]),
      writeUnits:
        runsOfSales * measured.salesTotals.writeUnits + businesses * days * measured.completedSalesDay.writeUnits,
    },
  ];
  const changedGigabytes = changedGigabytesOf(changing);
  return [
    { name: "idle stage", formula: "its fixed resources ÷ businesses", parts: idle() },
    ...changing,
    {
      name: "unchanged records",
      formula: `${each(unchanged)} records read again × ${usage.unchanged.readUnits} read units`,
      parts: { DynamoDB: unchanged * usage.unchanged.readUnits * prices.readUnit },
    },
    {
      name: "pages and records",
      formula: `${each(load.pages)} pages and ${each(load.records)} records at their unit costs`,
      parts: sum([
        calls("page", load.pages, usage.page),
        calls("record", load.records),
        { "access log": days * measured.accessObjectsADay * (objectWrite + trailEvent + partitionedObject) },
      ]),
    },
    {
      name: "storage of the table",
      formula: `${each(tableGigabytes)} GB × (${prices.tableGigabyte} + ${measured.backedUpShare} × ${prices.recoveryGigabyte})`,
      parts: { DynamoDB: tableGigabytes * storedGigabyte },
    },
    {
      name: "copies of the table",
      ...tableCopies(usage.copies, tableGigabytes, changedGigabytes, businesses),
    },
    {
      name: "documents",
      formula: `${each(load.documents)} MB in base64: stored, copied to two vaults, read once`,
      parts: {
        S3: load.documents * (objectWrite + objectRead) + documentGigabytes * base64 * objectGigabyte,
        Backup: documentGigabytes * base64 * (2 * prices.objectCopyGigabyte + prices.copiedGigabyte),
        CloudTrail: 2 * load.documents * trailEvent,
        transfer: documentGigabytes * base64 * transferredGigabyte,
      },
    },
    {
      name: "mail",
      formula: `${each(load.mails)} mails × ${prices.mail}`,
      parts: { SES: load.mails * prices.mail },
    },
  ];
}

/** The costs of prod in a month under a load. */
export const month = (load: Load, usage: Usage = present): Parts => sum(drivers(load, usage).map(({ parts }) => parts));

/**
 * The GB of changes that exports copy: half a KB for each write unit. Most writes are in transactions, which take two
 * units for each KB, and index entries are not exported.
 */
export const changedGigabytesOf = (changing: readonly Driver[]): number =>
  changing.reduce((all, { writeUnits = 0 }) => all + writeUnits * 0.5 * gigabytesInKilobyte, 0);

/** A GB of the table and its indexes in a month, with point-in-time recovery. */
export const storedGigabyte = prices.tableGigabyte + measured.backedUpShare * prices.recoveryGigabyte;

/** The costs of the table's copies in the other region. An export costs at least as much as one of 10 MB. */
export function tableCopies(
  { fullCopies, daysKept, changes }: CopyPlan,
  tableGigabytes: number,
  changedGigabytes: number,
  businesses: number,
): Pick<Driver, "formula" | "parts"> {
  const kept = (fullCopies / days) * (daysKept.here + daysKept.there);
  const full = kept * prices.tableCopyGigabyte + fullCopies * prices.copiedGigabyte;
  const exported = changes ? Math.max(changedGigabytes, changes.exports * minExportGigabytes) : 0;
  const stored = exported * measured.compressedExport * ((changes?.daysKept ?? 0) / days);
  return {
    formula: `${format(tableGigabytes / businesses)} GB × ${measured.backedUpShare} × (${format(kept)} copies kept × ${prices.tableCopyGigabyte} + ${format(fullCopies)} copied × ${prices.copiedGigabyte})${
      changes
        ? ` + ${format(exported / businesses)} GB of changes × (${prices.exportedGigabyte} + ${prices.copiedGigabyte}), stored for ${changes.daysKept} days`
        : ""
    }`,
    parts: {
      Backup:
        tableGigabytes * measured.backedUpShare * full + exported * (prices.exportedGigabyte + prices.copiedGigabyte),
      ...(changes && { S3: stored * prices.objectGigabyte }),
    },
  };
}

const minExportGigabytes = 0.01;

const units = ({ readUnits, writeUnits }: { readUnits: number; writeUnits: number }) =>
  `${readUnits} read and ${writeUnits} write units`;

const format = (value: number): string => value.toLocaleString("en-US", { maximumSignificantDigits: 3 });

const ofUnits = ({ readUnits, writeUnits }: { readUnits: number; writeUnits: number }): number =>
  readUnits * prices.readUnit + writeUnits * prices.writeUnit;

const gigabyteSeconds = (memory: number): number => (memory / 1024) * prices.lambdaGigabyteSecond;

const run = (memory: number, seconds: number): number => prices.lambdaRequest + seconds * gigabyteSeconds(memory);

/** The log lines of a call, and their storage for the retention of prod. */
function logged(): number {
  const kept = (stages.prod.aws.logDays / days) * measured.compressed * prices.logStorageGigabyte;
  return measured.loggedKilobytes * gigabytesInKilobyte * (prices.loggedGigabyte + kept);
}

/**
 * The delivery of an access log entry, counted as one delivery per entry, and its storage for the retention of prod. At a
 * steady load the bucket holds one retention period of entries.
 */
function accessLogged(): number {
  const { accessKilobytes, compressed } = measured;
  const delivered = Math.max(5, accessKilobytes) * prices.deliveredGigabyte;
  const decompressed = accessKilobytes * (prices.decompressedGigabyte + prices.partitionedGigabyte);
  const kept = (stages.prod.aws.accessLogDays / days) * accessKilobytes * compressed * prices.objectGigabyte;
  return gigabytesInKilobyte * (delivered + decompressed + kept);
}

const times = (count: number, parts: Parts): Parts =>
  Object.fromEntries(Object.entries(parts).map(([name, dollars]) => [name, count * dollars]));

export function sum(all: readonly Parts[]): Parts {
  const total: Parts = {};
  for (const parts of all)
    for (const [name, dollars] of Object.entries(parts)) total[name] = (total[name] ?? 0) + dollars;
  return total;
}

export const totalOf = (parts: Parts): number => Object.values(parts).reduce((all, dollars) => all + dollars, 0);
