import type * as z from "zod";
import type { RecordKind } from "../../api/kinds.ts";
import type { PullPage, PullRequest, Rejection } from "../connector.ts";
import { type PosRecords, posIdOf } from "../posRecords.ts";
import { type PosIdOf, posIdIn, readRows } from "./readRow.ts";
import { type StoreFilter, StoreRows } from "./storeRows.ts";

/** The records of a row, none if it is no record of this kind, or the reason for its rejection. */
export type RecordsOrRejection<Record> = readonly Record[] | Rejection;

/** How rows of a POS become records. */
export interface RowReader<Row, Kind extends RecordKind> {
  schema: z.ZodType<Row>;
  /** `id` by default */
  posIdOf?: PosIdOf;
  make(row: Row): RecordsOrRejection<PosRecords[Kind]>;
  /** whether a row undoes a record. Such a row is dropped if the record is not stored */
  undoes?(row: Row): boolean;
  /** for an organization-wide API: the connection's store; see StoreRows */
  store?: StoreFilter;
}

/** Converts rows to records. Drops rows of other stores, which it counts, and rows that undo no stored record. */
export async function makeRecords<Row, Kind extends RecordKind>(
  { kind, known }: Pick<PullRequest<Kind>, "kind" | "known">,
  rows: readonly unknown[],
  { schema, posIdOf: idOf = "id", make, undoes = () => false, store }: RowReader<Row, Kind>,
): Promise<Pick<PullPage<Kind>, "records" | "rejected" | "foreign">> {
  const own = new StoreRows(store);
  const ownRows = rows.filter((row) => own.has(row));
  const { rows: found, rejected } = readRows(schema, ownRows, idOf);
  const kept: { record: PosRecords[Kind]; isUndone: boolean }[] = [];
  for (const row of found) {
    const made = make(row);
    if ("reason" in made) rejected.push({ posId: posIdIn(row, idOf) ?? "", ...made });
    else kept.push(...made.map((record) => ({ record, isUndone: undoes(row) })));
  }
  const undone = kept.filter(({ isUndone }) => isUndone).map(({ record }) => posIdOf(kind, record));
  const stored = undone.length > 0 ? await known?.(undone) : undefined;
  const records = kept.filter(({ record, isUndone }) => !isUndone || stored?.has(posIdOf(kind, record)));
  return { records: records.map(({ record }) => record), rejected, ...(store && { foreign: own.foreign }) };
}
