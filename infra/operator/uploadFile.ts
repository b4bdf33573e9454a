import type { RecordKind } from "../../shared/kinds.ts";
import type { Connection } from "../../shared/pos/connector.ts";
import { type Refusal, UploadConnector } from "../../shared/pos/upload/uploadConnector.ts";
import { uploadedRecords } from "../../shared/pos/upload/uploadedRecords.ts";
import { followLeft } from "../../shared/replication/followLeft.ts";
import { replicate } from "../../shared/replication/replicate.ts";
import type { Counts } from "../../shared/replication/replicationState.ts";
import type { Table } from "../../shared/table/client.ts";
import { type Clock, systemClock } from "../../shared/time/clock.ts";
import { StageError } from "../local/stageError.ts";
import { openUpload } from "./uploadRows.ts";

export interface UploadFileOptions {
  /** whether the file names everything there is */
  complete?: boolean;
  /** called once the file has shown to be one, before anything of it is written */
  before?: () => Promise<void> | undefined;
  /** whether the records may still be taken, asked under the lease; always without it */
  isCurrent?: () => Promise<boolean>;
  /** told of the rows of each page that are refused */
  refused?: (refusals: readonly Refusal[]) => void;
  /** told how far it has come: bytes of the file, rows that are dealt with */
  progress?: { bytes(read: number): void; rows(count: number): void };
  clock?: Clock;
}

/** The counts, and whether what the file leaves out was taken for vanished. */
export type UploadResult = Counts & { isComplete: boolean };

/**
 * Takes a file's records into the table, as a replication of them: under the same lease, and hashed in this process. It
 * may be cut off at any point and done again; what is in the table already is not written again.
 *
 * @throws StageError when the file cannot be read, or another upload of this kind is under way; ServiceError
 * "unavailable" when the table cannot be reached
 */
export async function uploadFile(
  table: Table,
  connection: Connection,
  kind: RecordKind,
  file: string,
  { complete = false, before, isCurrent, refused, progress, clock = systemClock }: UploadFileOptions = {},
): Promise<UploadResult> {
  const pull = async (upload: UploadConnector<RecordKind>) => {
    await upload.begun();
    await before?.();
    return replicate(table, connection, upload, kind, {
      anew: true,
      clock,
      ...(isCurrent && { isCurrent }),
      onPage: ({ read }, rejected) => {
        progress?.rows(read);
        if (rejected.length > 0) refused?.(upload.refusalsOf(rejected));
      },
    });
  };
  const schemas = uploadedRecords(connection);
  const { rows, firstEntry } = openUpload(file, kind, schemas, (bytes) => progress?.bytes(bytes));
  const upload = new UploadConnector(kind, schemas[kind], rows, { firstEntry, complete });
  const result = await pull(upload).finally(() => upload.close());
  if (upload.fault) throw upload.fault;
  if (result.outcome === "finished") return { ...result, isComplete: upload.isComplete };
  if (result.outcome === "lost" && kind === "inventory") await followLeft(table, connection, clock, undefined);
  if (result.outcome !== "held")
    throw new StageError(
      `Another upload of ${kind} records has taken over, consent was withdrawn, the association has ended, or the time zone was changed.`,
    );
  const until = result.until.toLocaleTimeString("en-GB");
  throw new StageError(`Another upload of ${kind} records is under way. If it was cut off, try again after ${until}.`);
}
