import type { FunctionSize } from "../constructs/functionSizes.ts";
import type { PermissionSet } from "../permissions/permissionSets.ts";

interface BackgroundFunction {
  handler: string;
  size: FunctionSize;
  permissionSets: readonly PermissionSet[];
}

/**
 * Messages of the webhook queue that one instance handles at once. An instance mostly waits for receivers, and
 * each may take seconds.
 */
export const messagesAtOnce = 10;

/** The functions that queues and schedules invoke. */
export const background = {
  ReplicationWorker: {
    handler: "replication/worker",
    size: "replication",
    permissionSets: ["replication:run", "serviceKey:read"],
  },
  ReplicationPlanner: { handler: "replication/planner", size: "chore", permissionSets: ["replication:plan"] },
  /** Works only after a restore of the table. */
  RestorationWorker: { handler: "restorations/worker", size: "restoration", permissionSets: ["restorations:run"] },
  InvitationSender: {
    handler: "invitations/sender",
    size: "chore",
    permissionSets: ["invitations:send", "addressKey:read"],
  },
  InvitationFeedback: { handler: "invitations/feedback", size: "chore", permissionSets: ["invitations:end"] },
  InvitationSweeper: { handler: "invitations/sweeper", size: "chore", permissionSets: ["invitations:sweep"] },
  WebhookDeliverer: { handler: "webhooks/deliverer", size: "chore", permissionSets: ["webhooks:deliver"] },
  WebhookSweeper: { handler: "webhooks/sweeper", size: "chore", permissionSets: ["webhooks:sweep"] },
  ExportWorker: { handler: "exports/worker", size: "export", permissionSets: ["exports:run"] },
  ExportSweeper: {
    handler: "exports/sweeper",
    size: "chore",
    permissionSets: ["exports:sweep", "statements:sweep", "credentials:expire"],
  },
  StatementWorker: {
    handler: "statements/worker",
    size: "export",
    permissionSets: ["statements:run", "accessReports:run"],
  },
  /** Only in stages with a recovery region. */
  ChangeExporter: { handler: "copies/exporter", size: "chore", permissionSets: ["changes:export"] },
  LicenseComparer: {
    handler: "linkedLicenses/comparer",
    size: "comparison",
    permissionSets: ["licenses:search", "linkedLicenses:compare"],
  },
  DepositSweeper: {
    handler: "deposits/sweeper",
    size: "chore",
    permissionSets: ["reconciliation:read", "reconciliation:report"],
  },
  InsightSweeper: { handler: "insights/sweeper", size: "restoration", permissionSets: ["insights:compute"] },
  OverviewSweeper: { handler: "overview/sweeper", size: "restoration", permissionSets: ["overview:compute"] },
  StateSweeper: {
    handler: "stateSystems/sweeper",
    size: "replication",
    permissionSets: ["stateDays:read", "salesDays:list"],
  },
  DocumentSweeper: { handler: "documents/sweeper", size: "chore", permissionSets: ["documents:sweep"] },
} as const satisfies Record<string, BackgroundFunction>;
