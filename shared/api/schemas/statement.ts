import * as z from "zod";
import { statementErrors, statementFormats, statementStatuses } from "../enumerations.ts";
import { UUID } from "../patterns.ts";
import { hasValidFields } from "./checks.ts";
import { person } from "./person.ts";
import { count, date, dateTime, uuid } from "./scalars.ts";

/** Maximum number of days of a statement (docs/spec.md#statements). */
const maxDays = 400;
const dayMs = 24 * 60 * 60_000;

const today = (): string => new Date().toISOString().slice(0, 10);
const daysFrom = (start: string, end: string): number => (Date.parse(end) - Date.parse(start)) / dayMs + 1;

const statementFormat = z
  .enum(statementFormats)
  .meta({ id: "StatementFormat", description: "Format of the files that a statement has next to `statement.json`" });

const statementDay = z.iso
  .date({ error: "must be a date, yyyy-MM-dd" })
  .refine((day) => day <= today(), { error: "must not be after today in UTC" });

const window = hasValidFields("start_date", "end_date");

export const statementCreation = z
  .strictObject({
    start_date: statementDay.describe("First day, in the CRB's time zone"),
    end_date: statementDay.describe("Last day; at most 400 days in all, and not after today in UTC"),
    format: statementFormat.describe("The format of the files"),
    compare_with: z
      .string()
      .regex(UUID, { error: "must be a uuid" })
      .toLowerCase()
      .exactOptional()
      .meta({ format: "uuid" })
      .describe("A ready statement of the same days: the new one lists the differences from it"),
  })
  .refine(({ start_date, end_date }) => start_date <= end_date, {
    path: ["end_date"],
    error: "must not be before start_date",
    when: window,
  })
  .refine(({ start_date, end_date }) => daysFrom(start_date, end_date) <= maxDays, {
    path: ["end_date"],
    error: `must be at most ${maxDays} days, the first and the last included, after start_date`,
    when: window,
  })
  .meta({ id: "StatementCreation", description: "A statement to make" });

export type StatementCreation = z.output<typeof statementCreation>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const statementFile = z
  .strictObject({
    name: z.string().describe("Name of the file, such as `statement.json` or `days.csv`"),
    bytes: count.describe("Size of the file"),
    sha256: sha256.describe("SHA-256 of the file, 64 hex digits"),
    download_link: z
      .url()
      .nullable()
      .describe(
        "Presigned link to the file, valid for 3600 seconds; null in lists. Every `getStatement` signs new links",
      ),
    expires_date: dateTime.nullable().describe("When the link expires; null in lists"),
  })
  .meta({ id: "StatementFile", description: "A file of a statement" });

export const statement = z
  .strictObject({
    id: uuid.describe("The `statement_id`"),
    crb_id: uuid.describe("The CRB"),
    start_date: date.describe("First day"),
    end_date: date.describe("Last day"),
    format: statementFormat.describe("The format of the files"),
    compare_with: uuid.nullable().describe("The statement that it is compared with"),
    status: z
      .enum(statementStatuses)
      .meta({ id: "StatementStatus", description: "The state of a statement" })
      .describe("`queued`, `running`, then `ready` until a purge; `failed` if `error` ended it"),
    error: z
      .enum(statementErrors)
      .nullable()
      .describe("Why the statement failed: it was not ready a day after its creation, or an unexpected error"),
    created_date: dateTime.describe("When the statement was requested"),
    created_by: uuid.nullable().describe("Client id of the credential that requested it; null if the operator did"),
    created_by_person: person.nullable().describe("The person who requested it; null for programs"),
    as_of: dateTime.nullable().describe("The instant whose state of the data it shows; null until it is ready"),
    sha256: sha256
      .nullable()
      .describe("SHA-256 of `statement.json`, which outlasts the statement in a locked store; null until it is ready"),
    files: z.array(statementFile).describe("The files of a ready statement, `statement.json` first"),
  })
  .meta({ id: "Statement", description: "The stored facts about a CRB's days, in files that never change" });

export type Statement = z.output<typeof statement>;
