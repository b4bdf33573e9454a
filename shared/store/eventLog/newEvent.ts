import type { EventType } from "../../api/enumerations.ts";
import type { EventData } from "../../api/schemas/eventData.ts";

interface EventOf<Type extends EventType> {
  type: Type;
  spId: string;
  /** null if the event is about no CRB */
  crbId: string | null;
  data: Readonly<EventData[Type]>;
}

/**
 * An event to store together with its change (docs/spec.md#events). It contains only ids, statuses, and totals of sales
 * days, and no other values of records.
 */
export type NewEvent = { [Type in EventType]: EventOf<Type> }[EventType];

/**
 * Maximum number of events of a type about the days of a CRB, or about its insights, from one request or run: the newest. Another
 * shop, another time zone or a correction of old sales changes the days of many years at once, and their events would delay
 * the events of other businesses.
 */
export const maxEventsOfType = 31;
