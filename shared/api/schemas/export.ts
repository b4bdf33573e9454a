import * as z from "zod";
import { exportErrors, exportFormats, exportStatuses } from "../enumerations.ts";
import { kindName } from "./changes.ts";
import { digest } from "./digest.ts";
import { person } from "./person.ts";
import { count, dateTime, uuid } from "./scalars.ts";

/** Number of kinds of records. */
const kinds = kindName.options.length;

const exportFormat = z
  .enum(exportFormats)
  .meta({ id: "ExportFormat", description: "Format of an export's files: `ndjson` (gzip) or `parquet` (Snappy)" });

/** The content of an export to create. */
export const exportCreation = z
  .strictObject({
    kinds: z
      .array(kindName)
      .min(1)
      .max(kinds)
      .refine((names) => new Set(names).size === names.length, { error: "must name each kind once" })
      .describe("The kinds of records to export, each once"),
    format: exportFormat.describe("The format of the files"),
  })
  .meta({ id: "ExportCreation", description: "An export to create" });

export type ExportCreation = z.output<typeof exportCreation>;

const exportFile = z
  .strictObject({
    kind: kindName.describe("The kind of the records"),
    part: z.int32().min(1).meta({ format: "int32" }).describe("Number of the file among the files of its kind, from 1"),
    records: count.describe("Number of records in the file, at most 100,000"),
    bytes: count.describe("Size of the file"),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe("SHA-256 of the file, 64 hex digits"),
    download_link: z
      .url()
      .nullable()
      .describe("Presigned link to the file, valid for 600 seconds; null in lists. Every `getExport` signs new links"),
    expires_date: dateTime.nullable().describe("When the link expires; null in lists"),
  })
  .meta({ id: "ExportFile", description: "A file of an export" });

const exportedKind = z
  .strictObject({
    kind: kindName.describe("The kind of the records"),
    records: count.describe("Number of records in all files of the kind"),
    digest: digest.describe("Digest of these records"),
    cursor: z
      .string()
      .describe(
        "Send it to `listCrbChanges` of this kind to receive everything that has changed since. It never expires",
      ),
    data_as_of: dateTime
      .nullable()
      .describe(
        "The files and the changes after `cursor` hold all records that the POS had at this time, except rejected ones; null as in `listCrbReplications`",
      ),
  })
  .meta({ id: "ExportedKind", description: "What an export holds of one kind of records" });

/** An export of a CRB's records (docs/spec.md#exports). */
export const exportRecord = z
  .strictObject({
    id: uuid.describe("The `export_id`"),
    crb_id: uuid.describe("The CRB"),
    kinds: z.array(kindName).describe("The exported kinds"),
    format: exportFormat.describe("The format of the files"),
    status: z
      .enum(exportStatuses)
      .meta({ id: "ExportStatus", description: "The state of an export" })
      .describe("`queued`, `running`, `ready`; then `expired` or `deleted`. `failed` if `error` ended it"),
    error: z
      .enum(exportErrors)
      .nullable()
      .describe(
        "Why the export failed: the operator rebuilt a list meanwhile, it was not ready a day after it began or did not begin within seven days, or an unexpected error. Null otherwise",
      ),
    progress: z
      .strictObject({
        read: count.describe("Records that are in files"),
        total: count.describe("Records of the lists when the export began; those that change meanwhile are not read"),
      })
      .meta({ id: "ExportProgress", description: "Progress of an export" })
      .nullable()
      .describe("Null before the export runs"),
    created_date: dateTime.describe("When the export was created"),
    created_by: uuid.nullable().describe("Client id of the credential that created it; null if the operator did"),
    created_by_person: person.nullable().describe("The person who created it; null for programs"),
    expires_date: dateTime.describe("When a ready export expires: seven days after its creation"),
    files: z.array(exportFile).describe("The files of a ready export; empty in every other state"),
    manifest: z.array(exportedKind).describe("What the files hold, by kind; empty until the export is ready"),
  })
  .meta({ id: "Export", description: "An export of a CRB's records" });

export type Export = z.output<typeof exportRecord>;
