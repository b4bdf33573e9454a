import * as z from "zod";
import { eventTypes } from "../enumerations.ts";
import { dateTime, openEnum, uuid } from "./scalars.ts";

export const eventType = openEnum(eventTypes, { id: "EventType", description: "The kind of event" });

/** The fields of events of all types. */
export const eventFields = {
  id: uuid.describe("Identifies the event; the same if the event is delivered again"),
  type: eventType,
  date: dateTime.describe("When the event was stored"),
  sp_id: uuid.describe("The service provider"),
  crb_id: uuid.nullable().describe("The CRB that the event is about; null if it is about none"),
};

/** An event about a service provider's CRBs or other resources (docs/spec.md#events). */
const event = z
  .strictObject({
    ...eventFields,
    data: z
      .record(z.string(), z.unknown())
      .describe(
        "Details that depend on the type: ids with which to read the resources, statuses, and totals of a sales day; never a value of a single record",
      ),
  })
  .meta({ id: "Event", description: "Something that happened, with the ids of the resources" });

/** A page of events. */
export const events = z
  .strictObject({
    data: z.array(event).describe("The events of each CRB in the order in which they were stored"),
    cursor: z
      .string()
      .describe("Send it with the next request to continue, even if `data` is empty. It is valid for 30 days"),
    has_more: z.boolean().describe("`true` if more events are stored; `false` if this page was the last"),
  })
  .meta({ id: "Events", description: "Events after a cursor" });
