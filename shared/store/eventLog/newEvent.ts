import type { EventType } from "../../api/enumerations.ts";
import type { EventData } from "../../api/schemas/eventData.ts";

/**
 * An event to store together with its change (docs/spec.md#events): ids, statuses and totals of sales days alone. The
 * id of the CRB is null if the event is about no CRB.
 */
export type NewEvent = {
  [Type in EventType]: { type: Type; spId: string; crbId: string | null; data: Readonly<EventData[Type]> };
}[EventType];

/**
 * Maximum number of events of a type about the days or insights of a CRB, from one request or run: the newest. Another shop
 * or time zone changes the days of many years at once, and their events would delay those of other businesses.
 */
export const maxEventsOfType = 31;
