import type { FunctionSize } from "../constructs/functionSizes.ts";
import { batchWindowSeconds, replicationBatch } from "../constructs/replicationBatch.ts";
import type { PermissionSet } from "../permissions/permissionSets.ts";
import type { QueueName } from "../stages/workQueue.ts";

/** A function without a caller. A schedule invokes it, with an interval in `minutes`, or `queues` do with their messages. */
export interface BackgroundFunction {
  handler: string;
  size: FunctionSize;
  permissionSets: readonly PermissionSet[];
  minutes?: number;
  queues: readonly QueueName[];
  /** The messages that one invocation handles in parallel, and the seconds in which Lambda collects them; one message if absent. */
  batch?: { messages: number; seconds: number };
}

/**
 * Messages of the webhook queue that one instance handles at once. An instance mostly waits for receivers, and
 * each may take seconds.
 */
export const messagesAtOnce = 10;

const scheduled = (
  minutes: number,
  handler: string,
  size: FunctionSize,
  ...permissionSets: PermissionSet[]
): BackgroundFunction => ({ handler, size, permissionSets, minutes, queues: [] });

const consuming = (
  queues: readonly QueueName[],
  handler: string,
  size: FunctionSize,
  ...permissionSets: PermissionSet[]
): BackgroundFunction => ({ handler, size, permissionSets, queues });

/** The functions that queues and schedules invoke. */
export const background = {
  ReplicationWorker: {
    ...consuming(["replication", "retries"], "replication/worker", "replication", "replication:run", "serviceKey:read"),
    batch: { messages: replicationBatch.messages, seconds: batchWindowSeconds },
  },
  ReplicationPlanner: scheduled(1, "replication/planner", "chore", "replication:plan"),
  /** Works only after a restore of the table. */
  RestorationWorker: consuming(["restorations"], "restorations/worker", "restoration", "restorations:run"),
  InvitationSender: consuming(["invitations"], "invitations/sender", "chore", "invitations:send", "addressKey:read"),
  InvitationFeedback: consuming(["mail-events"], "invitations/feedback", "chore", "invitations:end"),
  InvitationSweeper: scheduled(5, "invitations/sweeper", "chore", "invitations:sweep"),
  WebhookDeliverer: {
    ...consuming(["webhooks"], "webhooks/deliverer", "chore", "webhooks:deliver"),
    batch: { messages: messagesAtOnce, seconds: 0 },
  },
  WebhookSweeper: scheduled(1, "webhooks/sweeper", "chore", "webhooks:sweep"),
  ExportWorker: consuming(["exports"], "exports/worker", "export", "exports:run"),
  ExportSweeper: scheduled(
    5,
    "exports/sweeper",
    "chore",
    "exports:sweep",
    "statements:sweep",
    "accessReports:sweep",
    "credentials:expire",
  ),
  StatementWorker: consuming(["statements"], "statements/worker", "export", "statements:run", "accessReports:run"),
  /** Only in stages with a recovery region. */
  ChangeExporter: scheduled(15, "copies/exporter", "chore", "changes:export"),
  LicenseComparer: scheduled(60, "linkedLicenses/comparer", "comparison", "licenses:search", "linkedLicenses:compare"),
  DepositSweeper: scheduled(15, "deposits/sweeper", "restoration", "reconciliation:read", "reconciliation:report"),
  InsightSweeper: scheduled(15, "insights/sweeper", "restoration", "insights:compute"),
  OverviewSweeper: scheduled(15, "overview/sweeper", "restoration", "overview:compute"),
  StateSweeper: scheduled(15, "stateSystems/sweeper", "replication", "stateDays:read", "salesDays:list"),
  DocumentSweeper: scheduled(15, "documents/sweeper", "chore", "documents:sweep"),
} satisfies Record<string, BackgroundFunction>;

export const backgroundNames = Object.keys(background) as (keyof typeof background)[];
