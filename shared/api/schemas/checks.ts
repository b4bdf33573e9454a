import * as z from "zod";

/**
 * Condition of a rule that compares fields of one object. The rule runs only if the compared fields are valid. It runs
 * even if other fields fail, so that all failures are reported together.
 */
export const hasValidFields =
  (...names: string[]) =>
  ({ issues }: z.core.ParsePayload): boolean =>
    !issues.some(({ code, path = [] }) =>
      path.length === 0 ? code !== "unrecognized_keys" : names.includes(String(path[0])),
    );

/** A list that fails as a whole if it has too many entries, before its entries are checked. */
export function createBoundedList<Entry extends z.ZodType>(most: number, entry: Entry) {
  const error = `must have at most ${most} entries`;
  return z.preprocess(
    (sent, { addIssue }) => {
      if (Array.isArray(sent) && sent.length > most) addIssue({ code: "custom", message: error, input: sent });
      return sent;
    },
    z.array(entry).max(most, { error }),
  );
}
