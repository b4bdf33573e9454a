import * as z from "zod";
import { recordKinds } from "../../api/kinds.ts";

/** What asks for a run: the body of a message in the replication queue, as JSON. */
export const replicationMessage = z.strictObject({
  crb_id: z.guid().toLowerCase(),
  kind: z.enum(recordKinds),
  /**
   * Set by the schedule, at this instant: such a run waits out the pause after a failure, and is not needed when one
   * that began later has succeeded. Without it the run begins whenever the message comes.
   */
  planned_at: z.iso.datetime().optional(),
  /** everything is to be read again, not only what has changed */
  full: z.literal(true).optional(),
});

export type ReplicationMessage = z.infer<typeof replicationMessage>;
