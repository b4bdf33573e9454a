import * as z from "zod";
import { accessReportErrors, accessReportStatuses } from "../enumerations.ts";
import { hasValidFields } from "./checks.ts";
import { person } from "./person.ts";
import { uuidSent } from "./requestFields.ts";
import { count, dateTime, uuid } from "./scalars.ts";

/** Maximum number of days of an access report (docs/spec.md#access-reports). */
const maxDays = 400;
const dayMs = 24 * 60 * 60_000;

const instant = z.iso
  .datetime({ offset: true, error: "must be a time, such as 2026-03-01T00:00:00Z" })
  .refine((sent) => Date.parse(sent) <= Date.now(), { error: "must not be in the future" })
  .transform((sent) => new Date(sent).toISOString());

const window = hasValidFields("from", "to");

export const accessReportCreation = z
  .strictObject({
    crb_id: uuidSent.exactOptional().describe("Only requests for this CRB, and for lists that name it"),
    record_id: uuidSent.exactOptional().describe("Only requests whose path ends with this record, document or export"),
    from: instant.describe("The first time"),
    to: instant.describe("The time before which the report ends; at most 400 days after `from`"),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
    path: ["to"],
    error: "must be after from",
    when: window,
  })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= maxDays * dayMs, {
    path: ["to"],
    error: `must be at most ${maxDays} days after from`,
    when: window,
  })
  .meta({ id: "AccessReportCreation", description: "The requests that an access report lists" });

export type AccessReportCreation = z.output<typeof accessReportCreation>;

const accessReportFile = z
  .strictObject({
    bytes: count.describe("Size of the file"),
    sha256: z.string().describe("SHA-256 of the file, in hexadecimal digits"),
    download_link: z.url().nullable().describe("Link to the file, for 600 seconds; null in lists"),
    expires_date: dateTime.nullable().describe("When the link expires; null without a link"),
  })
  .meta({ id: "AccessReportFile", description: "The file of an access report: JSON lines, compressed with gzip" });

export const accessReport = z
  .strictObject({
    id: uuid.describe("Id of the report"),
    crb_id: uuid.nullable().describe("Only requests for this CRB; null for all"),
    record_id: uuid.nullable().describe("Only requests for this record; null for all"),
    from: dateTime.describe("The first time"),
    to: dateTime.describe("The time before which the report ends"),
    status: z
      .enum(accessReportStatuses)
      .meta({ id: "AccessReportStatus", description: "The state of an access report" })
      .describe("`expired` from `expires_date` on, when its file is removed"),
    error: z
      .enum(accessReportErrors)
      .meta({ id: "AccessReportError", description: "Why an access report failed" })
      .nullable()
      .describe(
        "`too_long`: shorten the time; `too_slow`: it was not made within a day; null unless `status` is `failed`",
      ),
    created_date: dateTime.describe("When it was requested"),
    created_by: uuid.describe("Client id of the credential that requested it"),
    created_by_person: person.nullable().describe("The person who requested it; null for programs"),
    expires_date: dateTime.describe("When its file is removed"),
    requests: count.nullable().describe("Number of requests in the file; null until it is ready"),
    unreadable: count
      .nullable()
      .describe(
        "Parts of the log that could not be read or delivered: requests may be missing unless it is 0; null until it is ready",
      ),
    file: accessReportFile.nullable().describe("The file; null unless `status` is `ready`"),
  })
  .meta({ id: "AccessReport", description: "Who read what, from the locked access log of a service provider" });

export type AccessReport = z.output<typeof accessReport>;
