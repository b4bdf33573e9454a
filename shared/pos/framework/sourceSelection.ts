import { PosError } from "../connector.ts";
import { AsyncCache } from "./asyncCache.ts";
import { readFirstPermitted } from "./readFirstPermitted.ts";

/** Which of several sources credentials may read: tried out, the better ones first, and remembered for a day. */
export class SourceSelection {
  readonly #best = new AsyncCache<number>(500, 24 * 60 * 60_000);

  /**
   * The answer of the first source that the credentials may read, from the remembered one on.
   *
   * @param key of whom it is remembered; nothing secret
   * @param isClosed whether a failure means this source only, `notPermitted` among them
   * @throws PosError as of firstPermitted when all are closed; then the first one is tried again next time
   */
  async read<Result>(
    key: string,
    sources: readonly (() => Promise<Result>)[],
    isClosed: (error: PosError) => boolean,
  ): Promise<Result> {
    const first = await this.#best.get(key, async () => 0);
    const attempts = sources.map((source, at) => async () => {
      if (at < first) throw new PosError("notPermitted");
      const found = await source();
      if (at !== first) {
        this.#best.forget(key);
        await this.#best.get(key, async () => at);
      }
      return found;
    });
    try {
      return await readFirstPermitted(attempts, isClosed);
    } catch (error) {
      this.#best.forget(key);
      throw error;
    }
  }
}
