import type { EventType } from "../../api/enumerations.ts";

/**
 * An event to store together with its change (docs/spec.md#events). It contains only ids, statuses, and totals of sales
 * days, and no other values of records.
 */
export interface NewEvent {
  type: EventType;
  spId: string;
  /** null if the event is about no CRB */
  crbId: string | null;
  data: Readonly<Record<string, unknown>>;
}
