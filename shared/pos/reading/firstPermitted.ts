import { PosError } from "../connector.ts";

/**
 * The answer of the first source that the credentials may read: the better ones come first.
 *
 * @param isClosed whether a failure means this source only; by default that the credentials are not let in
 * @throws PosError of the last source when all are closed
 */
export async function firstPermitted<Result>(
  sources: readonly (() => Promise<Result>)[],
  isClosed = ({ failure }: PosError) => failure === "notPermitted",
): Promise<Result> {
  let closed: unknown = new PosError("notPermitted");
  for (const source of sources) {
    try {
      return await source();
    } catch (error) {
      if (!(error instanceof PosError && isClosed(error))) throw error;
      closed = error;
    }
  }
  throw closed;
}
