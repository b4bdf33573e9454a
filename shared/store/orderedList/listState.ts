import type { ListOrder } from "../keys/orderedLists.ts";
import type { DayIndex } from "./dayIndex.ts";

/**
 * The state of the lists from which a response is made. It is read first, so that a response is never older than its state.
 */
export interface ListState {
  /** Identifies the state. If this text is the same when a request is repeated, the response is the same, too. */
  text: string;
  /** Time of the last change of any of the lists, epoch ms; 0 if no read for the response can lag behind the state. */
  changedAt: number;
}

/** The state of an order, or of some of its years. Versions alone can repeat in an emptied or restored table. */
export function createListState(order: ListOrder, dayIndexes: readonly DayIndex[]): ListState {
  const years = dayIndexes.map(({ year, version, changedAt }) => [year, version, changedAt]);
  return {
    text: JSON.stringify([order.dayIndexPartition, years]),
    changedAt: Math.max(0, ...dayIndexes.map(({ changedAt }) => changedAt)),
  };
}

/** Joins the states of the lists from which one response is made. */
export function joinStates(...states: readonly ListState[]): ListState {
  return {
    text: states.map(({ text }) => text).join("\n"),
    changedAt: Math.max(...states.map(({ changedAt }) => changedAt)),
  };
}
