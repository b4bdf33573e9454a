import { type RecordKind, recordKinds } from "../../../shared/api/kinds.ts";
import { recoveryPointDays } from "../../backup/backupDays.ts";
import { functionSizes } from "../../constructs/functionSizes.ts";
import { fixedUsage, measured } from "../../constructs/measuredUsage.ts";
import { stages } from "../../stages/stages.ts";
import { prices } from "./prices.ts";

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
  tableGigabytes: number;
}

const days = 30;
const minutes = days * 24 * 60;
const gigabytesInKilobyte = 1e-6;
const base64 = 4 / 3;

/** Requests for pages, single records, or the sales days of a year. */
export function calls(what: "page" | "record" | "salesYear", count = 1): Parts {
  const { readUnits, seconds, kilobytes } = measured[what];
  const size = what === "record" ? "record" : "page";
  return times(count, {
    DynamoDB: readUnits * prices.readUnit,
    "API Gateway": prices.gatewayRequest,
    WAF: prices.wafRequest,
    Lambda: run(functionSizes[size].memory, seconds),
    "X-Ray": prices.trace,
    CloudWatch: logged(),
    "access log": accessLogged(),
    transfer: kilobytes * gigabytesInKilobyte * prices.transferredGigabyte,
  });
}

/** New records of a kind. */
export function newRecords(kind: RecordKind, count = 1): Parts {
  return times(count, {
    DynamoDB: ofUnits(measured.newRecord[kind]),
    Lambda: run(functionSizes.replication.memory, measured.newRecordSeconds) - prices.lambdaRequest,
  });
}

/** Replications that find no change. */
export const turns = (count = 1): Parts => times(count, messageWorkedOff("replication", measured.turn));

/** Events that are delivered to a webhook endpoint one at a time. */
export const deliveries = (count = 1): Parts => times(count, messageWorkedOff("chore", measured.delivery));

/** A queue message and the work for it. */
function messageWorkedOff(size: "replication" | "chore", done: typeof measured.turn | typeof measured.delivery): Parts {
  return {
    DynamoDB: ofUnits(done),
    Lambda: run(functionSizes[size].memory, done.seconds),
    CloudWatch: logged(),
    SQS: done.queueRequests * prices.queueRequest,
    "keys and secrets": done.keyRequests * prices.keyRequest,
  };
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
      fixedUsage.compositeAlarms * prices.compositeAlarm +
      fixedUsage.dashboards * prices.dashboard +
      (fixedUsage.customMetrics + fixedUsage.copyMetrics) * prices.customMetric +
      scheduled * logged(),
    Lambda: scheduled * run(functionSizes.chore.memory, 0.25),
    Scheduler: scheduled * prices.scheduled,
    SQS: polls * prices.queueRequest,
  };
}

/** The costs of prod in a month under a load. */
export function month(load: Load): Parts {
  const every = stages.prod.replicateEverySeconds;
  const ofKinds = recordKinds.flatMap((kind) => {
    const count = (load.businesses * minutes * 60) / every[kind];
    const same = count * (load.readWhole[kind] ?? 0);
    const created = load.businesses * days * load.newADay[kind];
    return [
      turns(count),
      // This count is an upper bound: one event may report several new records of a replication.
      times(Math.min(count, created), { DynamoDB: ofUnits(measured.announcement) }),
      { DynamoDB: same * measured.unchanged.readUnits * prices.readUnit },
      newRecords(kind, created),
    ];
  });
  const runsOfSales = (load.businesses * minutes * 60) / every.sale;
  const ofSalesDays = [
    times(Math.min(runsOfSales, load.businesses * days * load.newADay.sale), {
      DynamoDB: ofUnits(measured.salesTotals),
    }),
    times(load.businesses * days, { DynamoDB: ofUnits(measured.completedSalesDay) }),
  ];
  const documentGigabytes = load.documents * 1e-3;
  const { objectWrite, objectRead, objectGigabyte, trailEvent, transferredGigabyte } = prices;
  return sum([
    idle(),
    ...ofKinds,
    ...ofSalesDays,
    calls("page", load.pages),
    calls("record", load.records),
    {
      DynamoDB: load.tableGigabytes * prices.tableGigabyte,
      // Each day's backup copies the whole table, but only those objects that are new.
      Backup:
        load.tableGigabytes *
          ((recoveryPointDays.table + recoveryPointDays.copies) * prices.tableCopyGigabyte +
            days * prices.copiedGigabyte) +
        documentGigabytes * base64 * (2 * prices.objectCopyGigabyte + prices.copiedGigabyte),
      S3: load.documents * (objectWrite + objectRead) + documentGigabytes * base64 * objectGigabyte,
      CloudTrail: 2 * load.documents * trailEvent,
      "access log": days * measured.accessObjectsADay * (objectWrite + trailEvent),
      transfer: documentGigabytes * base64 * transferredGigabyte,
      SES: load.mails * prices.mail,
    },
  ]);
}

const ofUnits = ({ readUnits, writeUnits }: { readUnits: number; writeUnits: number }): number =>
  readUnits * prices.readUnit + writeUnits * prices.writeUnit;

const run = (memory: number, seconds: number): number =>
  prices.lambdaRequest + seconds * (memory / 1024) * prices.lambdaGigabyteSecond;

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
  const decompressed = accessKilobytes * prices.decompressedGigabyte;
  const kept = (stages.prod.aws.accessLogDays / days) * accessKilobytes * compressed * prices.objectGigabyte;
  return gigabytesInKilobyte * (delivered + decompressed + kept);
}

const times = (count: number, parts: Parts): Parts =>
  Object.fromEntries(Object.entries(parts).map(([name, dollars]) => [name, count * dollars]));

function sum(all: readonly Parts[]): Parts {
  const total: Parts = {};
  for (const parts of all)
    for (const [name, dollars] of Object.entries(parts)) total[name] = (total[name] ?? 0) + dollars;
  return total;
}

export const totalOf = (parts: Parts): number => Object.values(parts).reduce((all, dollars) => all + dollars, 0);
