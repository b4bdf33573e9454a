import { statSync } from "node:fs";
import type * as z from "zod";
import type { RecordKind } from "../../../shared/api/kinds.ts";
import { replicate } from "../../../shared/domain/replication/replicate.ts";
import type { Counts, Unconfirmed } from "../../../shared/domain/replication/replicationState.ts";
import { updateDerivedLists } from "../../../shared/domain/replication/updateDerivedLists.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import type { AmountUnit } from "../../../shared/pos/upload/amounts.ts";
import { moneyPaths } from "../../../shared/pos/upload/columns.ts";
import { findDollars } from "../../../shared/pos/upload/findDollars.ts";
import { type RowRejection, UploadConnector } from "../../../shared/pos/upload/uploadConnector.ts";
import { uploadedRecords } from "../../../shared/pos/upload/uploadedRecords.ts";
import type { Table } from "../../../shared/store/client.ts";
import { type Clock, systemClock } from "../../../shared/time/clock.ts";
import { StageError } from "../../cli/stageError.ts";
import { openUpload, type UploadedFile } from "./uploadRows.ts";

export interface UploadFileOptions {
  /** whether the file is the complete list */
  complete?: boolean;
  /** unit of the file's amounts; without it, the file is first checked for amounts that look like dollars */
  amounts?: AmountUnit;
  /** called after the first rows are read, before any write */
  before?: () => Promise<void> | undefined;
  /** whether the upload is still allowed, checked under the lease; always allowed if absent */
  isCurrent?: () => Promise<boolean>;
  /** called with the rejected rows of each page */
  refused?: (rejections: readonly RowRejection[]) => void;
  /** called with the texts of the lines above the names of a CSV file's columns */
  above?: (texts: string[]) => void;
  /** called with the numbers of bytes checked, bytes read, and rows processed */
  progress?: { checked?(bytes: number): void; bytes(read: number): void; rows(count: number): void };
  clock?: Clock;
}

/**
 * The counts. `isComplete`: whether the file named the whole inventory, so that other records go to quantity 0.
 * `unconfirmed`: the records that go to quantity 0 only if another upload confirms the result. `idsRepeated`: how many
 * rows replaced the record of an earlier row.
 */
export type UploadResult = Counts & { isComplete: boolean; unconfirmed?: Unconfirmed; idsRepeated: number };

/**
 * Stores a file's records as a replication does: under the same lease, hashed in this process. An interrupted upload
 * can be repeated; the repeated upload does not write stored records again.
 *
 * @throws StageError if the file cannot be read, its amounts look like dollars and `amounts` is absent, or another upload of
 *   this kind is in progress; ServiceError "unavailable" if the table cannot be reached
 */
export async function uploadFile(
  table: Table,
  connection: Connection,
  kind: RecordKind,
  file: string,
  {
    complete = false,
    amounts,
    before,
    isCurrent,
    refused,
    above,
    progress,
    clock = systemClock,
  }: UploadFileOptions = {},
): Promise<UploadResult> {
  const pull = async (upload: UploadConnector<RecordKind>) => {
    if (!(await upload.hasRows())) throw new StageError(`${file} contains no records. Nothing was changed.`);
    await before?.();
    return replicate(table, connection, upload, kind, {
      isFullRead: true,
      clock,
      ...(isCurrent && { isCurrent }),
      onPage: ({ read }, rejected) => {
        progress?.rows(read);
        if (rejected.length > 0) refused?.(upload.rejectionsOf(rejected));
      },
    });
  };
  const schemas = uploadedRecords(connection, amounts);
  if (amounts === undefined) {
    const open = () => openUpload(file, kind, schemas, (bytes) => progress?.checked?.(bytes));
    await checkAmounts(file, schemas[kind], open);
  }
  const { rows, firstEntry } = openUpload(file, kind, schemas, (bytes) => progress?.bytes(bytes), above);
  const upload = new UploadConnector(kind, schemas[kind], rows, {
    ...{ firstEntry, complete, timezone: connection.timezone },
  });
  const result = await pull(upload).finally(() => upload.close());
  if (upload.fault) throw upload.fault;
  if (result.outcome === "finished") {
    return { ...result, isComplete: upload.isComplete, idsRepeated: upload.idsRepeated };
  }
  if (result.outcome === "lost" && kind === "inventory") await updateDerivedLists(table, connection, clock, undefined);
  if (result.outcome !== "held")
    throw new StageError(
      `Another upload of ${kind} records has taken over, consent was withdrawn, the association has ended, or the time zone was changed. Check the CRB, then upload the file again.`,
    );
  const until = result.until.toLocaleTimeString("en-GB");
  throw new StageError(
    `Another upload of ${kind} records is running. If it was interrupted, try again after ${until}.`,
  );
}

const choice = "--amounts dollars or --amounts cents";

/**
 * Checks a file for which the operator stated no unit of amounts: no amount may look like dollars. The check reads the
 * whole file, since whole dollars look like cents: perhaps only an amount in the last row looks like dollars.
 *
 * @param open opens the rows of the file; called only if the schema has fields that hold money
 * @throws StageError if an amount looks like dollars, or a row that may have such an amount cannot be read
 */
async function checkAmounts(file: string, schema: z.ZodType, open: () => UploadedFile): Promise<void> {
  if (moneyPaths(schema).length === 0) return;
  const { rows, firstEntry } = open();
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFIFO() || stats?.isCharacterDevice()) {
    throw new StageError(
      `${file} can be read only once, so its amounts cannot be checked before the upload. Add ${choice}.`,
    );
  }
  const found = await findDollars(rows, schema, { firstEntry });
  if (!found) return;
  const reason =
    "sign" in found
      ? `Line ${found.line} of ${file} has ${found.sign} in ${found.field}, so its amounts look like dollars, but would be read as cents`
      : `Line ${found.line} of ${file} cannot be read (${found.unreadable}), so its amounts may be dollars, but would be read as cents`;
  throw new StageError(`${reason}: 35 would be 35 cents. Nothing was stored. Run the command again with ${choice}.`);
}
