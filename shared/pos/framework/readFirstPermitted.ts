import { PosError } from "../connector.ts";

/**
 * The answer of the first source that the credentials may read: the better ones come first.
 *
 * @param isClosed whether a failure means this source only; by default that the credentials are not let in
 * @throws PosError when all are closed: of the source that refused the credentials, else of the last one
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
      // What another source says then is not that they are good.
      if (closed.failure !== "credentialsRefused") closed = error;
    }
  }
  throw closed;
}
