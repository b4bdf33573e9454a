import * as z from "zod";
import { replicationErrors, replicationStates } from "../enumerations.ts";
import { kindName } from "./changes.ts";
import { count, dateTime } from "./scalars.ts";

const lastRun = z
  .strictObject({
    read: count.describe("Records that the POS gave, repetitions too"),
    created: count.describe("Of these, the ones that were new"),
    changed: count.describe("Those that had changed, or vanished from the POS"),
    unchanged: count.describe("Those that were stored already"),
    rejected: count.describe("Those of which no record could be made"),
  })
  .meta({ id: "ReplicationRun", description: "What the last finished run did" });

const progress = z
  .strictObject({
    read: count.describe("Records that the POS has given so far, repetitions too"),
    total: count.nullable().describe("How many there are; null where the POS does not tell"),
  })
  .meta({ id: "ReplicationProgress", description: "How far a run has come" });

const awaitingConfirmation = z
  .strictObject({
    since_date: dateTime.describe("Start of the first run that got this answer"),
    records: count.describe(
      "Inventory records that would go to quantity 0; 0 where a first full reading brought nothing",
    ),
  })
  .meta({
    id: "ReplicationConfirmation",
    description: "An answer of the POS that is not applied until a later run gets the same",
  });

/** How fresh one kind of a CRB's records is (docs/spec.md#replication-status). */
export const replication = z
  .strictObject({
    kind: kindName.describe("The kind of records"),
    state: z
      .enum(replicationStates)
      .describe("The first of these that holds, in this order; the guide says what each means"),
    data_as_of: dateTime.nullable().describe("Everything the POS held at this time is stored, except rejected records"),
    initial_sync_completed_date: dateTime.nullable().describe("End of the first full reading of this connection"),
    last_started_date: dateTime.nullable().describe("Start of the run under way, or of the last one"),
    last_succeeded_date: dateTime.nullable().describe("End of the last run that came to its end"),
    next_due_date: dateTime.nullable().describe("When the next run begins; null where none is planned"),
    progress: progress.nullable().describe("While a run is under way"),
    awaiting_confirmation: awaitingConfirmation
      .nullable()
      .describe(
        "While the POS no longer names most of the inventory, or the first full reading brought nothing, and no later run has confirmed that; the stock stays as it was. Null otherwise",
      ),
    records: count.describe("How many records the list holds"),
    rejected_records: count.describe(
      "How many records of the POS are rejected at present, because no record could be made of them",
    ),
    last_run: lastRun.nullable().describe("What the last finished run did; null before the first"),
    error: z.enum(replicationErrors).nullable().describe("Why the last run failed, if it did"),
  })
  .meta({ id: "Replication", description: "How fresh the records of one kind are" });

export type Replication = z.output<typeof replication>;
