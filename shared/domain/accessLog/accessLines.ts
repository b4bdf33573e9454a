import * as z from "zod";
import { accessMessage } from "../../platform/aws/accessMessage.ts";

/** The `sp_id` of the lines that the operator's commands write. It names their folder, like the id of a service provider. */
export const operatorFolder = "operator";

/**
 * Key prefixes of a bucket's objects with lines, and of the objects with records that Firehose could not process. After the first
 * prefix, a key has the folder and the UTC day of its lines; after the second, the UTC day of arrival.
 */
export const deliveredFolder = "access/";
export const failedFolder = "failed/";

/** Key prefix of the digests of statements in the same bucket. */
export const digestsFolder = "statements/";

/** What outlasts a purge of a statement: it proves which file a statement was. */
export interface StatementDigest {
  /** Id of the statement. */
  id: string;
  /** SHA-256 of its content, in hexadecimal digits. */
  sha256: string;
  /** ISO 8601 UTC */
  date: string;
}

/**
 * The store of the access log: files on a local stage, objects of a bucket on AWS. It has a folder for each service
 * provider, and in it a folder or file for each UTC day.
 */
export interface AccessLogStore {
  /** The folders with lines: ids of service providers, and `operatorFolder`. */
  folders(): Promise<string[]>;
  /**
   * The lines of a folder of a UTC day, in no order. A line may come twice.
   *
   * @param day in the form 2026-11-25
   * @param wanted whether a text can contain a wanted line; the store may skip a text that cannot
   */
  read(folder: string, day: string, wanted: (text: string) => boolean): AsyncGenerator<StoredLines>;
  /** The number of parts that were not delivered to a folder and arrived on the given UTC days. They may hold any lines. */
  countFailed(days: readonly string[]): Promise<number>;
  /** Stores an entry of an operator's command. @throws if the entry is not stored */
  append(entry: LoggedAccess): Promise<void>;
  /** Keeps the digest of a statement where it can neither be changed nor deleted. A repeated call stores nothing more. */
  keepDigest(digest: StatementDigest): Promise<void>;
}

/** A part of the access log. */
interface StoredLines {
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
  ends_with: z.array(id).exactOptional(),
  sub: orNull(id),
  owner: z.object({ kind: z.string(), id }),
  sp_id: id,
  crb_id: orNull(id),
  crb_ids: orNull(z.array(id)),
  record_id: orNull(id),
  kinds: orNull(z.array(z.string())),
  records: orNull(z.int()),
  status: z.int(),
  source: orNull(z.string()),
});

/** An entry of the access log, under the names that `access-log --json` prints. */
export type LoggedAccess = Omit<z.output<typeof logged>, "message" | "timestamp"> & { time: string };

/** The log line of an entry. */
export const formatAccessLine = ({ time: timestamp, ...entry }: LoggedAccess): string =>
  JSON.stringify({ message: accessMessage, timestamp, ...entry });

/** Parses a log line; undefined if it is not an entry of the access log. */
export function parseAccessLine(line: string): LoggedAccess | undefined {
  try {
    const { timestamp: time, message: _, ...entry } = logged.parse(JSON.parse(line));
    return { time, ...entry };
  } catch {
    return undefined;
  }
}
