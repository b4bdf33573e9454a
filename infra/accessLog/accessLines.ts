import * as z from "zod";
import { accessMessage } from "../../shared/http/accessEntry.ts";

/** The store of log lines of granted requests: files on a local stage, objects of a bucket on AWS. */
export interface AccessLogStore {
  /**
   * The lines of the given UTC days, possibly with lines of other days, in no order. A line may come twice.
   *
   * @param days in the form 2026-11-25, oldest first
   * @param wanted whether a text can contain a wanted line; the store may skip a text that cannot
   */
  read(days: readonly string[], wanted: (text: string) => boolean): AsyncGenerator<StoredLines>;
}

/** A part of the access log. */
interface StoredLines {
  day: string;
  lines: string[];
  /** Objects and lines of this part that could not be read. */
  unreadable: number;
}

const id = z.string();
/** The logger omits a field that is null. Parsing sets the missing field to null again. */
const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null);
const logged = z.object({
  message: z.literal(accessMessage),
  timestamp: z.iso.datetime({ offset: true }),
  request_id: id,
  extended_request_id: orNull(id),
  operation_id: id,
  client_id: id,
  owner: z.object({ kind: z.string(), id }),
  sp_id: id,
  crb_id: orNull(id),
  record_id: orNull(id),
  kind: orNull(z.string()),
  records: orNull(z.int()),
  status: z.int(),
  source: orNull(z.string()),
});

/** An entry of the access log, under the names that `access-log --json` prints. */
export type LoggedAccess = Omit<z.output<typeof logged>, "message" | "timestamp"> & { time: string };

/** Parses a log line; undefined if it is not an entry of the access log. */
export function parseAccessLine(line: string): LoggedAccess | undefined {
  try {
    const { timestamp: time, message: _, ...entry } = logged.parse(JSON.parse(line));
    return { time, ...entry };
  } catch {
    return undefined;
  }
}
