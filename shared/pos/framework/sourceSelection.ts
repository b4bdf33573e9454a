import { PosError } from "../connector.ts";
import { AsyncCache } from "./asyncCache.ts";
import { readFirstPermitted } from "./readFirstPermitted.ts";

/** Reads the best source that the credentials may read, and remembers the choice for a day. */
export class SourceSelection {
  readonly #best = new AsyncCache<number>(500, 24 * 60 * 60_000);

  /**
   * Reads the first source that the credentials may read, starting with the remembered one.
   *
   * @param key cache key of the credentials; not secret
   * @param isClosed whether a failure concerns this source only; must include `notPermitted`
   * @throws PosError as `readFirstPermitted` if all sources are closed; the next call then starts with the first source
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
