import { changeExports, recoveryPointDays, tableCopyDays } from "../../backup/backupDays.ts";
import { functionSizes } from "../../constructs/functionSizes.ts";
import { measured } from "../../constructs/measuredUsage.ts";
import { replicationBatch } from "../../constructs/replicationBatch.ts";

/** Read and write units of DynamoDB. */
interface Units {
  readUnits: number;
  writeUnits: number;
}

/** The copies of the table in the other region. */
export interface CopyPlan {
  /** Copies of the whole table a month, by AWS Backup. */
  fullCopies: number;
  /** Days for which AWS Backup keeps a backup in the stage's region, and its copy in the other region. */
  daysKept: { here: number; there: number };
  /** The exports of changes; none when absent. */
  changes?: { exports: number; daysKept: number };
}

/** The part of a stage's usage that differs between releases. Everything else is in `measured`. */
export interface Usage {
  /** A list page of 1,000 records. */
  page: Pick<Units, "readUnits">;
  /** A new record of each kind. */
  newRecord: Readonly<Record<keyof typeof measured.newRecord, Units>>;
  /** A record that a replication has read again without a change. */
  unchanged: Pick<Units, "readUnits">;
  /** An event about records that a run stored. */
  announcement: Units;
  /** A replication that finds no change. */
  turn: Units;
  /** Requests to SQS for a replication. */
  queueRequests: number;
  /** An invocation of the replication worker: MB of memory, messages, and the seconds that all of them take together. */
  worker: { memory: number; messages: number; seconds: number };
  /** Bytes of the table and its indexes, as a share of those with plain records. */
  tableShare: number;
  copies: CopyPlan;
}

const days = 30;

/** The usage before the price of a business was halved, for comparison. */
export const before: Usage = {
  page: { readUnits: 179.5 },
  newRecord: {
    location: { readUnits: 4.1, writeUnits: 11.5 },
    product: { readUnits: 0.5, writeUnits: 5 },
    customer: { readUnits: 0.5, writeUnits: 16.2 },
    inventory: { readUnits: 2.6, writeUnits: 12.1 },
    sale: { readUnits: 0.6, writeUnits: 20.9 },
  },
  unchanged: { readUnits: 0.5 },
  announcement: { readUnits: 1, writeUnits: 10 },
  turn: { readUnits: 10.8, writeUnits: 8 },
  queueRequests: 3,
  worker: { memory: 1024, messages: 1, seconds: 1 },
  tableShare: 1,
  copies: { fullCopies: days, daysKept: { here: 2, there: 7 } },
};

/** The usage of this release. */
export const present: Usage = {
  page: measured.page,
  newRecord: measured.newRecord,
  unchanged: measured.unchanged,
  announcement: measured.announcement,
  turn: measured.turn,
  queueRequests: measured.turn.queueRequests,
  worker: { memory: functionSizes.replication.memory, ...replicationBatch },
  tableShare: measured.tableShare,
  copies: {
    fullCopies: tableCopyDays.length,
    daysKept: { here: recoveryPointDays.table, there: recoveryPointDays.tableCopies },
    changes: { exports: (days * 24 * 60) / changeExports.minutes, daysKept: changeExports.daysKept },
  },
};
