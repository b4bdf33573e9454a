import type { Connection } from "../../pos/connector.ts";
import type { Table } from "../../store/client.ts";
import type { Fence } from "../../store/orderedList/fence.ts";
import type { Clock } from "../../time/clock.ts";

/**
 * How long after the deadline (milliseconds) what was begun may go on, so that no page is cut in two but where the table
 * hardly takes anything. Whoever sets a deadline leaves more time than that.
 */
const grace = 20_000;

/** When what was begun before a deadline is cut off. */
export function cutOffOf(deadline: Date | undefined): Date | undefined {
  return deadline && new Date(deadline.getTime() + grace);
}

/** What a run works on, under which fence, and until when. */
export interface RunContext {
  table: Table;
  connection: Connection;
  fence: Fence;
  clock: Clock;
  /** after this nothing more is begun */
  deadline: Date | undefined;
  /** after this what was begun is cut off, too */
  cutOff: Date | undefined;
}

/** Lists that follow from the records of a kind. */
export interface DerivedLists {
  /** called before records are written */
  beforeChange(): Promise<void>;
  /** brings the lists up to date: called at the beginning of a run, for what an earlier one left, and after a page */
  follow(): Promise<void>;
}
