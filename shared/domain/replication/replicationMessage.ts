import * as z from "zod";
import { recordKinds } from "../../api/kinds.ts";

/** The body of a message in the replication queue, as JSON. A message requests a run of each of its kinds. */
export const replicationMessage = z.strictObject({
  crb_id: z.guid().toLowerCase(),
  /** kinds that the schedule has planned together; one kind in other messages, whose runs may take long */
  kinds: z.array(z.enum(recordKinds)).min(1),
  /**
   * When the schedule planned the runs. A planned run does not begin during the pause after a failure, or if another run has
   * begun and succeeded since this time. If absent, the run begins even in these cases.
   */
  planned_at: z.iso.datetime().optional(),
  /** read all records of the POS again, not only the changes */
  full: z.literal(true).optional(),
});

export type ReplicationMessage = z.infer<typeof replicationMessage>;
