import type { Connection } from "../../pos/connector.ts";
import type { Table } from "../../store/client.ts";
import type { Fence } from "../../store/orderedList/fence.ts";
import type { Clock } from "../../time/clock.ts";

/**
 * Milliseconds after the deadline in which work in progress may finish. Within this time a page is usually written whole,
 * unless the table is very slow. A caller's deadline is earlier than the end of its invocation by more than this time.
 */
const grace = 20_000;

/** When work in progress is interrupted; undefined without a deadline. */
export function computeCutOff(deadline: Date | undefined): Date | undefined {
  return deadline && new Date(deadline.getTime() + grace);
}

/** The CRB, fence and time limits of a run. */
export interface RunContext {
  table: Table;
  connection: Connection;
  fence: Fence;
  clock: Clock;
  /** no new work begins after this */
  deadline: Date | undefined;
  /** at this time work in progress is interrupted */
  cutOff: Date | undefined;
}

/** Lists that are derived from the records of a kind, such as the inventory of each location. */
export interface DerivedLists {
  /** called before records are written */
  beforeChange(): Promise<void>;
  /** updates the lists: at the start of a run, for the pending changes of earlier runs, and after each page */
  updateLists(): Promise<void>;
}
