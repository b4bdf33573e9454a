import type { ListOrder } from "../keys/orderedLists.ts";
import type { DayIndex } from "./dayIndex.ts";

/**
 * How the lists stood that an answer is made of. It is looked at before anything else is read, so that an answer is
 * never older than its state says; and every change of a list makes another state.
 */
export interface ListState {
  /** Equal states have equal texts, and to one request they give the same answer. */
  text: string;
  /** When the last of the lists changed, epoch milliseconds; 0 where nothing that is read lags behind the state. */
  changedAt: number;
}

/**
 * The state of an order of a list, or of those of its years that a page is counted on. Times count along with versions,
 * since a table that was emptied or brought back from a backup comes to the same versions once more.
 */
export function createListState(order: ListOrder, dayIndexes: readonly DayIndex[]): ListState {
  const years = dayIndexes.map(({ year, version, changedAt }) => [year, version, changedAt]);
  return {
    text: JSON.stringify([order.dayIndexPartition, years]),
    changedAt: Math.max(0, ...dayIndexes.map(({ changedAt }) => changedAt)),
  };
}

/** The state of an answer that is made of several lists. */
export function joinStates(...states: readonly ListState[]): ListState {
  return {
    text: states.map(({ text }) => text).join("\n"),
    changedAt: Math.max(...states.map(({ changedAt }) => changedAt)),
  };
}
