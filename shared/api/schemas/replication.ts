import * as z from "zod";
import { replicationErrors, replicationStates } from "../enumerations.ts";
import { kindName } from "./changes.ts";
import { digest } from "./digest.ts";
import { count, dateTime, openEnum } from "./scalars.ts";

const replicationError = openEnum(replicationErrors, { id: "ReplicationError", description: "Why a run failed" });

const lastRun = z
  .strictObject({
    read: count.describe("Records that the POS returned, including repeated ones"),
    created: count.describe("Of these, new records"),
    changed: count.describe("Records that had changed or vanished from the POS"),
    unchanged: count.describe("Records that were already stored without a change"),
    rejected: count.describe("Records that could not be converted"),
  })
  .meta({ id: "ReplicationRun", description: "Result of a finished run" });

const progress = z
  .strictObject({
    read: count.describe("Records that the POS has returned so far, including repeated ones"),
    total: count.nullable().describe("Number of records to read; null if the POS does not report it"),
  })
  .meta({ id: "ReplicationProgress", description: "Progress of a run" });

const awaitingConfirmation = z
  .strictObject({
    since_date: dateTime.describe("Start of the first run with this result"),
    records: count.describe(
      "Number of inventory records whose quantity would become 0; 0 if a first full reading returned no records",
    ),
  })
  .meta({
    id: "ReplicationConfirmation",
    description: "An implausible result that is not applied until a later run gets the same",
  });

/** How fresh one kind of a CRB's records is (docs/spec.md#replication-status). */
export const replication = z
  .strictObject({
    kind: kindName.describe("The kind of records"),
    state: z
      .enum(replicationStates)
      .describe("The first state in this order that applies; the guide on fresh data explains each"),
    data_as_of: dateTime
      .nullable()
      .describe("All records that the POS had at this time are stored, except rejected ones"),
    initial_sync_completed_date: dateTime.nullable().describe("End of the first full reading of this connection"),
    last_started_date: dateTime.nullable().describe("Start of the run under way, or of the last one"),
    last_succeeded_date: dateTime.nullable().describe("End of the last complete run"),
    next_due_date: dateTime.nullable().describe("When the next run begins; null if none is planned"),
    progress: progress.nullable().describe("Progress of the current run; null if no run is under way"),
    awaiting_confirmation: awaitingConfirmation
      .nullable()
      .describe(
        "Present if the POS no longer returns most of the inventory, or the first full reading returned no records, and no later run has confirmed that. The stored stock stays unchanged until then. Null otherwise",
      ),
    records: count.describe("Number of records in the list"),
    digest: digest
      .nullable()
      .describe(
        "Digest of all records in the list; null after a damaged record has changed, until the operator rebuilds the list",
      ),
    rejected_records: count.describe(
      "Number of POS records that are currently rejected because they cannot be converted",
    ),
    last_run: lastRun.nullable().describe("Result of the last finished run; null before the first"),
    error: replicationError.nullable().describe("Why the last run failed; null if it did not"),
  })
  .meta({ id: "Replication", description: "How fresh the records of one kind are" });

export type Replication = z.output<typeof replication>;
