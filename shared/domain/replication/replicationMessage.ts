import * as z from "zod";
import { recordKinds } from "../../api/kinds.ts";

/** The body of a message in the replication queue, as JSON. A message requests one run. */
export const replicationMessage = z.strictObject({
  crb_id: z.guid().toLowerCase(),
  kind: z.enum(recordKinds),
  /**
   * When the schedule planned the run. A planned run does not begin during the pause after a failure, or if another run has
   * begun and succeeded since this time. If absent, the run begins even in these cases.
   */
  planned_at: z.iso.datetime().optional(),
  /** read all records of the POS again, not only the changes */
  full: z.literal(true).optional(),
});

export type ReplicationMessage = z.infer<typeof replicationMessage>;
