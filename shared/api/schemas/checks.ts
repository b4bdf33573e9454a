import type * as z from "zod";

/**
 * Condition of a rule that compares fields of one object: run it although other fields fail, so that all failures are
 * reported together, but only when the fields it compares are sound themselves.
 */
export const whenSound =
  (...names: string[]) =>
  ({ issues }: z.core.ParsePayload): boolean =>
    !issues.some(({ code, path = [] }) =>
      path.length === 0 ? code !== "unrecognized_keys" : names.includes(String(path[0])),
    );
