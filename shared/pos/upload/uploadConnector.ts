import type * as z from "zod";
import type { RecordKind } from "../../api/kinds.ts";
import { toLocalTime } from "../../time/localTime.ts";
import {
  type Connection,
  type Connector,
  PosError,
  type PosStore,
  type PullPage,
  type PullRequest,
  type RejectedPosRecord,
} from "../connector.ts";
import { type PosRecords, type PosSale, posIdOf } from "../posRecords.ts";
import { zonedTimeOfDay } from "./fields.ts";
import { IdSet } from "./idSet.ts";
import type { UploadedRecords } from "./uploadedRecords.ts";

/** A row of an uploaded file: its line number, from 1, and its value, or a code if it cannot be read. */
export type UploadedRow = { line: number } & ({ value: unknown } | { unreadable: string });

/** Why a row was rejected: a field, empty for the whole row, and a code. Never contains the value. */
export interface RowRejection {
  line: number;
  field: string;
  reason: string;
}

export interface UploadOptions {
  /** number of the first entry of a list in the file's paths */
  firstEntry: 0 | 1;
  /** whether the file holds all records, so that stored records that are not in the file count as removed */
  complete: boolean;
  /** IANA name of the business's time zone */
  timezone: string;
}

const midnight = "00:00:00.000";

/** Number of rows that are written together. While one page is written, the next page of this size is read. */
const rowsPerPage = 250;

interface Page {
  records: unknown[];
  rejected: RejectedPosRecord[];
  /** Line numbers by record key. The key of a rejected row is its line, because its id may be missing. */
  lines: Map<string, number>;
  rejections: Map<string, RowRejection[]>;
  isLast: boolean;
}

/** Reads a file once, on the operator's machine. Like every connector, it returns personal data unhashed. */
export class UploadConnector<Uploaded extends RecordKind> implements Connector {
  readonly #kind: Uploaded;
  readonly #schema: UploadedRecords[Uploaded];
  readonly #rows: AsyncIterator<UploadedRow>;
  readonly #options: UploadOptions;
  #ahead: Promise<Page>;
  #page: Page = noRows();
  readonly #ids = new IdSet();
  #rowsTaken = 0;
  #idsRepeated = 0;
  #rowsRejected = 0;
  /** Whether a sale of the file had a time of day with a zone. Without one, midnights of a zone are days. */
  #hasTimesOfDay = false;
  #fault: unknown;

  constructor(
    kind: Uploaded,
    schema: UploadedRecords[Uploaded],
    rows: AsyncIterable<UploadedRow>,
    options: UploadOptions,
  ) {
    this.#kind = kind;
    this.#schema = schema;
    this.#rows = rows[Symbol.asyncIterator]();
    this.#options = options;
    this.#ahead = this.#readPage();
  }

  /** Whether the file has a row. Throws a fault at the file's beginning before any record is written. */
  async hasRows(): Promise<boolean> {
    const { lines, isLast } = await this.#ahead;
    return lines.size > 0 || !isLast;
  }

  /** Closes the file, even if the connector has not read all of it. */
  async close(): Promise<void> {
    await this.#rows.return?.();
  }

  /** The error that ended the pull, if reading the file failed. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Whether the operator declared the file complete and every row was accepted, so that others count as removed. */
  get isComplete(): boolean {
    return this.#options.complete && this.#rowsRejected === 0 && this.#rowsTaken > 0;
  }

  /** Number of rows that replace an earlier row with the same id; too low above a million ids. */
  get idsRepeated(): number {
    return this.#idsRepeated;
  }

  async verify(): Promise<PosStore[]> {
    return [];
  }

  async pull<Kind extends RecordKind>(_: Connection, { kind, now }: PullRequest<Kind>): Promise<PullPage<Kind>> {
    if ((kind as RecordKind) !== this.#kind) throw new Error(`The file holds ${this.#kind} records.`);
    try {
      this.#page = await this.#ahead;
    } catch (error) {
      this.#fault = error;
      throw new PosError("notUnderstood", { code: "unreadable_file" });
    }
    const { records, rejected, lines, isLast } = this.#page;
    if (!isLast) this.#ahead = this.#readPage();
    this.#rowsTaken += records.length;
    this.#rowsRejected += rejected.length;
    return {
      records: records as PosRecords[Kind][],
      rejected,
      total: null,
      // An uploaded file replaces the previous file and the list of its rejected rows, so `readAll` is true.
      next: isLast
        ? { watermark: now.toISOString(), readAll: true }
        : { position: `line ${[...lines.values()].at(-1)}` },
      complete: this.isComplete,
    };
  }

  /** The rejected rows of the last page, by line, including those that the caller rejected. */
  rejectionsOf(rejected: readonly RejectedPosRecord[]): RowRejection[] {
    return rejected.flatMap(({ posId, field, reason }) => {
      const line = this.#page.lines.get(posId) ?? 0;
      return this.#page.rejections.get(posId) ?? [{ line, field, reason }];
    });
  }

  #readPage(): Promise<Page> {
    const page = this.#read();
    // The error is thrown when the page is pulled.
    page.catch(() => undefined);
    return page;
  }

  async #read(): Promise<Page> {
    const page = noRows();
    const rows: UploadedRow[] = [];
    while (rows.length < rowsPerPage && !page.isLast) {
      const { value: row, done } = await this.#rows.next();
      if (done) page.isLast = true;
      else rows.push(row);
    }
    this.#hasTimesOfDay ||= this.#kind === "sale" && rows.some(hasTimeOfDay);
    for (const row of rows) this.#take(row, page);
    return page;
  }

  #take(row: UploadedRow, page: Page): void {
    const { line } = row;
    if ("unreadable" in row) {
      refuse(page, [{ line, field: "", reason: row.unreadable }]);
      return;
    }
    const { success, data, error } = this.#schema.safeParse(row.value);
    if (success && this.#kind === "sale" && this.#isDay(row.value, data as PosSale)) {
      refuse(page, [{ line, field: "date", reason: "day_only" }]);
    } else if (success) {
      const posId = posIdOf(this.#kind, data as PosRecords[Uploaded]);
      page.records.push(data);
      page.lines.set(posId, line);
      if (!this.#ids.add(posId)) this.#idsRepeated++;
    } else {
      refuse(
        page,
        error.issues.map((issue) => this.#rejectionOf(line, issue)),
      );
    }
  }

  /** Whether the date of a sale is a day that a program wrote as midnight of another clock than the business's. */
  #isDay(sent: unknown, { date }: PosSale): boolean {
    if (this.#hasTimesOfDay || zonedTimeOfDay((sent as { date?: unknown }).date) !== midnight) return false;
    return toLocalTime(date, this.#options.timezone)?.slice(11) !== midnight;
  }

  #rejectionOf(line: number, { path, message }: z.core.$ZodIssue): RowRejection {
    const { firstEntry } = this.#options;
    const field = path.map((name) => (typeof name === "number" ? name + firstEntry : name)).join(".");
    return { line, field, reason: message };
  }
}

/** Whether the date of a row has a zone and another time than midnight. */
function hasTimeOfDay(row: UploadedRow): boolean {
  const time = "value" in row ? zonedTimeOfDay((row.value as { date?: unknown } | null)?.date) : undefined;
  return time !== undefined && time !== midnight;
}

function noRows(): Page {
  return { records: [], rejected: [], lines: new Map(), rejections: new Map(), isLast: false };
}

function refuse(page: Page, rejections: RowRejection[]): void {
  const [{ line, field, reason }] = rejections as [RowRejection];
  const posId = `line ${line}`;
  page.rejected.push({ posId, field, reason });
  page.lines.set(posId, line);
  page.rejections.set(posId, rejections);
}
