import * as z from "zod";
import { recordKinds } from "../../api/kinds.ts";

/** The body of a message in the replication queue, as JSON. It requests runs. */
export const replicationMessage = z.strictObject({
  crb_id: z.guid().toLowerCase(),
  kind: z.enum(recordKinds),
  /**
   * When the schedule planned the run. A planned run waits for the end of a pause, and is dropped if a later run has
   * succeeded. If absent, the run begins at once.
   */
  planned_at: z.iso.datetime().optional(),
  /** read everything again, not only the changes */
  full: z.literal(true).optional(),
});

export type ReplicationMessage = z.infer<typeof replicationMessage>;
