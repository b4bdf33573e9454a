import type { FunctionSize } from "../constructs/functionSizes.ts";
import type { Capability } from "../permissions/permissionSets.ts";

interface BackgroundFunction {
  handler: string;
  size: FunctionSize;
  capabilities: readonly Capability[];
}

/**
 * So many messages of the webhook queue are one instance's at once: it waits for receivers most of the time, each of which may take
 * seconds.
 */
export const messagesAtOnce = 10;

/** The functions without a caller. */
export const background = {
  ReplicationWorker: {
    handler: "replication/worker",
    size: "replication",
    capabilities: ["replication:run", "serviceKey:read"],
  },
  ReplicationPlanner: { handler: "replication/planner", size: "chore", capabilities: ["replication:plan"] },
  InvitationSender: {
    handler: "invitations/sender",
    size: "chore",
    capabilities: ["invitations:send", "addressKey:read"],
  },
  InvitationFeedback: { handler: "invitations/feedback", size: "chore", capabilities: ["invitations:end"] },
  InvitationSweeper: { handler: "invitations/sweeper", size: "chore", capabilities: ["invitations:sweep"] },
  WebhookDeliverer: { handler: "webhooks/deliverer", size: "chore", capabilities: ["webhooks:deliver"] },
  WebhookSweeper: { handler: "webhooks/sweeper", size: "chore", capabilities: ["webhooks:sweep"] },
  DocumentSweeper: { handler: "documents/sweeper", size: "chore", capabilities: ["documents:sweep"] },
} as const satisfies Record<string, BackgroundFunction>;
