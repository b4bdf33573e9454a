import type { RecordKind } from "../../shared/api/kinds.ts";

/**
 * Measured DynamoDB units and bytes (docs/bench/notes.md). `test/infra/tools/costs/costs.long.test.ts` measures
 * replication, `test/shared/domain/webhooks/deliveryCosts.test.ts` deliveries. Times are for a warm function, rounded
 * up.
 */
export const measured = {
  page: { readUnits: 81.5, seconds: 0.15, kilobytes: 450 },
  record: { readUnits: 2.5, seconds: 0.02, kilobytes: 1.5 },
  salesYear: { readUnits: 15.5, seconds: 0.05, kilobytes: 64 },
  /** A new record, with its positions in lists and the search values of its kind. */
  newRecord: {
    // A run stores few locations, so the fixed cost of the run is a large share of the cost of each location.
    location: { readUnits: 4.8, writeUnits: 11.5 },
    product: { readUnits: 0.5, writeUnits: 3.1 },
    customer: { readUnits: 0.5, writeUnits: 11.5 },
    inventory: { readUnits: 2.6, writeUnits: 12.1 },
    sale: { readUnits: 0.6, writeUnits: 7.1 },
  },
  newRecordSeconds: 0.002,
  /** The totals of sales days in a run that stores sales, apart from the small share that `newRecord` has. */
  salesTotals: { readUnits: 1, writeUnits: 2 },
  completedSalesDay: { readUnits: 4, writeUnits: 16 },
  /** A row of an overview in a sweep: of a CRB with sales and deposits, whose row has changed. */
  overviewRow: { readUnits: 18, writeUnits: 2, seconds: 0.02 },
  /** A record that a replication has read again without a change. */
  unchanged: { readUnits: 0.03 },
  /** An event about records that a run stored. The next run takes three of the read units, because it looks for pending work. */
  announcement: { readUnits: 4, writeUnits: 10 },
  /**
   * A message of replications that find no change, with the due kinds of one business: 1.9 of them, on average of all messages
   * in prod. Includes planner, queue, leases, states, and the POS's responses.
   */
  turn: { readUnits: 11.8, writeUnits: 8.9, queueRequests: 0.6, keyRequests: 1 },
  /** One event in a delivery to a webhook endpoint: message, position, log, secret, and the receiver's response. */
  delivery: { readUnits: 6, writeUnits: 7, seconds: 0.3, queueRequests: 3, keyRequests: 1 },
  /** One sale in an `ndjson` export, whose files hold about 77,000 sales each. */
  exportedRecord: { readUnits: 0.09, writeUnitsOfPart: 10, recordsOfPart: 77_000, seconds: 0.0001, kilobytes: 0.21 },
  /**
   * One statement of two months as a page, without its flagged sales, which take a read unit each. Kilobytes of both files.
   */
  statement: { readUnits: 40, writeUnits: 20, seconds: 3, kilobytes: 150 },
  /** Bytes of the table and its indexes, as a share of those with plain records. Measured with the records of a usual day. */
  tableShare: 0.35,
  /** GB that the new records of a year of one business take in the table and its indexes, with the load of docs/costs.md. */
  gigabytesOfYear: 0.37,
  /** The share of these bytes in the table alone: AWS backs up no index, neither by point-in-time recovery nor by AWS Backup. */
  backedUpShare: 0.32,
  /** Log bytes of a call or a run: the gateway's line and the function's lines. */
  loggedKilobytes: 1.5,
  /** An entry of the access log, with its share of the CloudWatch Logs record that contains it. */
  accessKilobytes: 0.9,
  /** Access log objects a day: at most one object in five minutes for each of three service providers. */
  accessObjectsADay: 3 * 288,
  /** The compressed size of a log, as a share of its uncompressed size. */
  compressed: 0.15,
  /** The compressed size of exported changes, as a share of the changed items. Compressed records and keyed hashes hardly shrink. */
  compressedExport: 0.9,
} as const satisfies { newRecord: Record<RecordKind, object> } & Record<string, unknown>;

/** Resources and usage of prod without any calls. */
export const fixedUsage = {
  webAcls: 1,
  wafRules: 7,
  /** KMS keys, counted in both regions. */
  keys: 4,
  secrets: 6,
  alarmMetrics: 110,
  dashboards: 1,
  /**
   * The metrics of replication, of webhooks, of the exports of changes, of damaged records, of foreign revocations, of failed
   * exports, of late invitations, of rejected keys of states, of granted requests, and of errors of the access log.
   */
  customMetrics: 26,
  /** S3's metrics for a replication rule, which have the price of custom metrics. */
  copyMetrics: 4,
  /** Queues that functions consume. Lambda polls each queue with five pollers, and each poll waits 20 s. */
  workedOff: 8,
  /** Scheduled invocations a minute: two functions every minute, two every 5, six every 15 and one every 60. */
  scheduledAMinute: 2 + 2 / 5 + 6 / 15 + 1 / 60,
} as const;
