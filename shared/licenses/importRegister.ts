import { randomUUID } from "node:crypto";
import { ConditionalCheckFailedException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { Table } from "../table/client.ts";
import { registerImportKey } from "../table/keys.ts";
import { finishIntents, type RegisterLicense, type StoreResult, storeLicenses } from "../table/licenseRegister.ts";
import { renewLicenseSets } from "../table/licenseSetWriter.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { type Register, readRow } from "./registerRow.ts";

/** A row of a register's file: its line, counted from 1, and its values by `columnName`; or why it cannot be read. */
export type FileRow = { line: number } & ({ values: Record<string, string> } | { unreadable: string });

export interface ImportResult extends StoreResult {
  refused: { line: number; reason: string }[];
}

/** Another import is under way, on this machine or elsewhere. */
export class ImportHeldError extends Error {
  override readonly name = "ImportHeldError";
}

/** So many licences are compared and stored together; they share lists, whose chunks are rewritten once for all. */
const rowsAtOnce = 2_000;
/** How long an import that was cut off keeps others waiting. */
const holdMilliseconds = 120_000;

/**
 * Takes a state's register into the table. What is not in the file stays as it is; the same file again changes nothing.
 * Rows that are refused keep no other from being taken.
 *
 * @param progress told how many rows are done
 * @throws ImportHeldError when another import is under way
 */
export async function importRegister(
  table: Table,
  register: Register,
  rows: AsyncIterable<FileRow> | Iterable<FileRow>,
  options: { clock?: Clock; progress?: (rows: number) => void } = {},
): Promise<ImportResult> {
  const { clock = systemClock, progress } = options;
  const holder = randomUUID();
  await hold(table, holder, clock.now());
  try {
    await finishIntents(table);
    const result = await takeRows(table, register, rows, { clock, progress, holder });
    await hold(table, holder, clock.now());
    await renewLicenseSets(table);
    return result;
  } finally {
    await table.transact([table.deleteWrite(registerImportKey, own(holder))]).catch(ignoreRefusal);
  }
}

async function takeRows(
  table: Table,
  register: Register,
  rows: AsyncIterable<FileRow> | Iterable<FileRow>,
  { clock, progress, holder }: { clock: Clock; progress: ((rows: number) => void) | undefined; holder: string },
): Promise<ImportResult> {
  const result: ImportResult = { created: 0, changed: 0, unchanged: 0, refused: [] };
  const lines = new Map<string, number>();
  let waiting: RegisterLicense[] = [];
  const store = async () => {
    await hold(table, holder, clock.now());
    const stored = await storeLicenses(table, register.state, waiting, clock.now());
    result.created += stored.created;
    result.changed += stored.changed;
    result.unchanged += stored.unchanged;
    waiting = [];
    progress?.(result.created + result.changed + result.unchanged + result.refused.length);
  };
  for await (const row of rows) {
    const license = "values" in row ? readRow(register, row.values) : row.unreadable;
    const earlier = typeof license === "string" ? undefined : lines.get(license.id);
    if (typeof license === "string") result.refused.push({ line: row.line, reason: license });
    else if (earlier) result.refused.push({ line: row.line, reason: `is the same licence as line ${earlier}` });
    else {
      lines.set(license.id, row.line);
      waiting.push(license);
      if (waiting.length === rowsAtOnce) await store();
    }
  }
  await store();
  result.refused.sort((a, b) => a.line - b.line);
  return result;
}

/** Ends the hold of an import that was killed. Only for a stage that has the data for itself. */
export async function freeImport(table: Table): Promise<void> {
  await table.delete(registerImportKey);
}

function own(holder: string) {
  return { expression: "holder = :holder", values: { ":holder": holder } };
}

/** The hold has expired and is somebody else's now. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof TransactionCanceledException)) throw error;
}

/** Takes the hold on imports, or keeps it. */
async function hold(table: Table, holder: string, now: Date): Promise<void> {
  const item = { ...registerImportKey, holder, until: now.getTime() + holdMilliseconds };
  try {
    await table.put(item, {
      expression: "attribute_not_exists(pk) OR holder = :holder OR #until < :now",
      names: { "#until": "until" },
      values: { ":holder": holder, ":now": now.getTime() },
    });
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      throw new ImportHeldError("Another import is under way; if it was cut off, try again in two minutes.");
    }
    throw error;
  }
}
