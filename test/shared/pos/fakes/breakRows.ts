import type { RecordKind } from "../../../../shared/api/kinds.ts";
import { type PosName, traitsOf } from "./fakePos.ts";

/** A text in damaged fields. */
export const planted = "Plantedvalue";

/** The rows of all lists in a response, even if each row is in an object of its own. */
export function rowsIn(body: unknown): Record<string, unknown>[] {
  const wrappers = ["customer", "sales_history,items"];
  const rowIn = (row: object) => (wrappers.includes(Object.keys(row).join()) ? Object.values(row)[0] : row);
  if (Array.isArray(body)) return body.filter((row) => typeof row === "object" && row !== null).map(rowIn);
  if (body === null || typeof body !== "object") return [];
  return Object.values(body).flatMap(rowsIn);
}

/** Damages a field of every third row of the kind in a response: the first row may be of another store. */
export function breakRows(name: PosName, body: unknown, kind: RecordKind): unknown {
  const [mark = "", field = ""] = traitsOf(name).breaking[kind] ?? [];
  const rows = rowsIn(body).filter((row) => mark in row);
  for (const [at, row] of rows.entries()) if (at % 3 === 0) row[field] = { [planted]: planted };
  return body;
}
