import * as z from "zod";

/**
 * Condition of a rule that compares fields of one object: run it although other fields fail, so that all failures are
 * reported together, but only when the fields it compares are sound themselves.
 */
export const hasValidFields =
  (...names: string[]) =>
  ({ issues }: z.core.ParsePayload): boolean =>
    !issues.some(({ code, path = [] }) =>
      path.length === 0 ? code !== "unrecognized_keys" : names.includes(String(path[0])),
    );

/** A list that is refused as a whole when it has too many entries, before each of them can fail by itself. */
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
