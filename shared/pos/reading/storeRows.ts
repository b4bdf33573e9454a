/**
 * Keeps rows of the connection's store apart from rows of other stores, for a POS whose API is organization-wide: its lists
 * may hold rows of every store that the credentials reach, even where a parameter names one store.
 */
export class StoreRows {
  readonly #ids: ReadonlySet<string>;
  #foreign = 0;

  /** @param ids by which rows name the connection's store */
  constructor(...ids: readonly string[]) {
    this.#ids = new Set(ids);
  }

  /** How many rows of other stores were met. */
  get foreign(): number {
    return this.#foreign;
  }

  /**
   * Whether a row belongs to the connection's store. One that names no store does, since the request named the store. Every
   * other row is counted: drop it.
   *
   * @param storeId of the row, as the POS has it
   */
  has(storeId: string | null | undefined): boolean {
    if (storeId === null || storeId === undefined || this.#ids.has(storeId)) return true;
    this.#foreign++;
    return false;
  }
}
