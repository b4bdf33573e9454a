import * as z from "zod";
import { eventTypes } from "../enumerations.ts";
import { dateTime, uuid } from "./scalars.ts";

export const eventType = z.enum(eventTypes).meta({ id: "EventType", description: "What has happened" });

/** An event about a service provider's CRBs or other resources (docs/spec.md#events). */
const event = z
  .strictObject({
    id: uuid.describe("The same whenever the event comes again"),
    type: eventType,
    date: dateTime.describe("When it was stored"),
    sp_id: uuid.describe("The service provider"),
    crb_id: uuid.nullable().describe("The CRB that it is about; null for what is about none"),
    data: z
      .record(z.string(), z.unknown())
      .describe("What is to be known besides, by its type: ids to ask for it, and statuses; never a value of a record"),
  })
  .meta({ id: "Event", description: "Something that happened, with the ids to ask for it" });

/** A page of events. */
export const events = z
  .strictObject({
    data: z.array(event).describe("The events of each CRB in the order in which they were stored"),
    cursor: z.string().describe("Where to go on; also when `data` is empty. It is good for 30 days"),
    has_more: z.boolean().describe("`true`: more is stored, ask again; `false`: this was the end"),
  })
  .meta({ id: "Events", description: "Events since a cursor" });
