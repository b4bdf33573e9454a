import { type PosIdOf, posIdIn } from "./readRow.ts";

/** Selects the rows of a store: all ids that rows use for the store, and where a row has the id of its store. */
export interface StoreFilter {
  ids: readonly string[];
  idOf: PosIdOf;
}

/**
 * Separates rows of the connection's store from rows of other stores, for a POS with an organization-wide API. The
 * lists of such an API may contain rows of every store that the credentials reach, even if a request parameter names
 * one store.
 */
export class StoreRows {
  readonly #filter: StoreFilter | undefined;
  #foreign = 0;

  /** @param filter undefined if all rows belong to the store */
  constructor(filter: StoreFilter | undefined) {
    this.#filter = filter;
  }

  /** The number of rows of other stores. */
  get foreign(): number {
    return this.#foreign;
  }

  /** Whether a row belongs to the store, also by lack of an id. Counts other rows, which the caller must drop. */
  has(row: unknown): boolean {
    const storeId = this.#filter ? posIdIn(row, this.#filter.idOf) : null;
    if (storeId === null || this.#filter?.ids.includes(storeId)) return true;
    this.#foreign++;
    return false;
  }
}
