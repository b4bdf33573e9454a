import * as z from "zod";
import { type EventType, eventTypes } from "../enumerations.ts";
import { eventFields } from "./event.ts";
import { eventData } from "./eventData.ts";

/** The events by type, each with its own form of `data`. */
const typedEvents = eventTypes.map((type) =>
  z
    .strictObject({
      ...eventFields,
      type: z.literal(type).describe("The kind of event"),
      data: eventData[type].describe("Ids of the resources, and what has changed"),
    })
    .meta({ id: nameOf(type), description: `An event of the type \`${type}\`` }),
);

/** An event as a webhook endpoint receives it (docs/spec.md#webhook-delivery). */
export const typedEvent = z
  .discriminatedUnion("type", typedEvents as [(typeof typedEvents)[number], ...typeof typedEvents])
  .meta({ id: "TypedEvent", description: "An event of a known type, with the form of its `data`" });

/** The name of a type's schema, such as `CrbStatusChangedEvent`. */
function nameOf(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word[0]?.toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}
