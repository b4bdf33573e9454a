import type { EventType } from "../../api/enumerations.ts";

/** An event that is to be stored with what it tells (docs/spec.md#events): ids alone, no values of records. */
export interface NewEvent {
  type: EventType;
  spId: string;
  /** null for what is about no CRB */
  crbId: string | null;
  data: Readonly<Record<string, unknown>>;
}
