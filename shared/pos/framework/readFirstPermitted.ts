import { PosError } from "../connector.ts";

/**
 * Reads the first source that the credentials may read. The caller lists the best source first.
 *
 * @param isClosed whether a failure concerns this source only; by default `notPermitted`
 * @throws PosError if all sources are closed: the first failure `credentialsRefused` if there is one, otherwise the
 * last failure
 */
export async function readFirstPermitted<Result>(
  sources: readonly (() => Promise<Result>)[],
  isClosed = ({ failure }: PosError) => failure === "notPermitted",
): Promise<Result> {
  let closed = new PosError("notPermitted");
  for (const source of sources) {
    try {
      return await source();
    } catch (error) {
      if (!(error instanceof PosError && isClosed(error))) throw error;
      // A different failure of a later source does not prove that the credentials are valid.
      if (closed.failure !== "credentialsRefused") closed = error;
    }
  }
  throw closed;
}
