import type { RecordKind } from "../../shared/api/kinds.ts";

/**
 * Units of DynamoDB and bytes as they were measured (docs/bench/notes.md; those of replication by
 * `test/infra/tools/costs/costs.long.test.ts`, of deliveries by `test/shared/domain/webhooks/deliveryCosts.test.ts`); times are those of a warm function, taken high.
 */
export const measured = {
  page: { readUnits: 179.5, seconds: 0.15, kilobytes: 450 },
  record: { readUnits: 1.5, seconds: 0.02, kilobytes: 1.5 },
  /** A record that is new, with its places in lists, and its search values where its kind has some. */
  newRecord: {
    // So few that what the run itself does counts.
    location: { readUnits: 4.1, writeUnits: 11.5 },
    product: { readUnits: 0.5, writeUnits: 5 },
    customer: { readUnits: 0.5, writeUnits: 16.2 },
    inventory: { readUnits: 2.6, writeUnits: 12.1 },
    sale: { readUnits: 0.6, writeUnits: 20.7 },
  },
  newRecordSeconds: 0.002,
  /** A record that was read and is as it was. */
  unchanged: { readUnits: 0.5 },
  /** An event that tells that a run has stored something. */
  announcement: { readUnits: 1, writeUnits: 10 },
  /** A turn of a kind of records of a business in which nothing is new: planner, queue, lease, state, and the POS's answer. */
  turn: { readUnits: 10.8, writeUnits: 8, seconds: 1, queueRequests: 3, keyRequests: 1 },
  /** An event that is delivered to a webhook endpoint by itself: message, position, log, secret, and the receiver's answer. */
  delivery: { readUnits: 6, writeUnits: 7, seconds: 0.3, queueRequests: 3, keyRequests: 1 },
  /** What a call or a run leaves in the logs: the line of the gateway, and those of the function. */
  loggedKilobytes: 1.5,
  /** An entry of the access log, with its share of the record that CloudWatch Logs puts it into. */
  accessKilobytes: 0.9,
  /** Objects of the access log, one in five minutes at most. */
  accessObjectsADay: 288,
  /** What is left of a log when it is compressed. */
  compressed: 0.15,
} as const satisfies { newRecord: Record<RecordKind, object> } & Record<string, unknown>;

/** What prod has whether or not anybody calls it. */
export const fixedUsage = {
  webAcls: 1,
  wafRules: 7,
  /** Here, and their replicas. */
  keys: 4,
  secrets: 6,
  alarmMetrics: 68,
  compositeAlarms: 1,
  dashboards: 1,
  /** Those of replication and of webhooks. */
  customMetrics: 13,
  /** Those that S3 tells of a rule of replication, at the same price. */
  copyMetrics: 4,
  /** Each is asked for messages by five pollers, which wait 20 s. */
  workedOff: 4,
  /** How often functions are started by the clock: twice every minute, every 5 and every 15. */
  scheduledAMinute: 1 + 1 / 5 + 1 / 15 + 1,
} as const;
