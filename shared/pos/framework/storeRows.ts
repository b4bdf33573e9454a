/**
 * Separates rows of the connection's store from rows of other stores, for a POS with an organization-wide API. The
 * lists of such an API may contain rows of every store that the credentials reach, even if a request parameter names
 * one store.
 */
export class StoreRows {
  readonly #ids: ReadonlySet<string>;
  #foreign = 0;

  /** @param ids all ids that rows use for the connection's store */
  constructor(...ids: readonly string[]) {
    this.#ids = new Set(ids);
  }

  /** The number of rows of other stores. */
  get foreign(): number {
    return this.#foreign;
  }

  /**
   * Whether a row belongs to the connection's store. A row without a store id belongs to it, because the request named
   * the store. Counts the rows of other stores; the caller must drop them.
   *
   * @param storeId the store's id in the row
   */
  has(storeId: string | null | undefined): boolean {
    if (storeId === null || storeId === undefined || this.#ids.has(storeId)) return true;
    this.#foreign++;
    return false;
  }
}
