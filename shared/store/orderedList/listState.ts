import type { ListOrder } from "../keys/orderedLists.ts";
import type { DayIndex } from "./dayIndex.ts";

/**
 * The state of the lists that a response is made from. It is read before everything else, so that a response is never
 * older than its state. Every change of a list changes the state.
 */
export interface ListState {
  /** Equal texts mean equal states, and the same request then gets the same response. */
  text: string;
  /** When any of the lists last changed, epoch milliseconds; 0 if nothing that is read can lag behind the state. */
  changedAt: number;
}

/**
 * The state of an order of a list, or of the years that a page is counted on. It includes times, because an emptied or
 * restored table reaches the same versions again.
 */
export function createListState(order: ListOrder, dayIndexes: readonly DayIndex[]): ListState {
  const years = dayIndexes.map(({ year, version, changedAt }) => [year, version, changedAt]);
  return {
    text: JSON.stringify([order.dayIndexPartition, years]),
    changedAt: Math.max(0, ...dayIndexes.map(({ changedAt }) => changedAt)),
  };
}

/** The state of a response that is made from several lists. */
export function joinStates(...states: readonly ListState[]): ListState {
  return {
    text: states.map(({ text }) => text).join("\n"),
    changedAt: Math.max(...states.map(({ changedAt }) => changedAt)),
  };
}
