import { tzOffset } from "@date-fns/tz";
import type { RecordKind } from "../../../api/kinds.ts";
import { PosError } from "../../connector.ts";
import type { FetchPage, PageTraversal } from "../../framework/pageTraversal.ts";
import { continueTraversal, readFromStart } from "../../framework/pageTraversal.ts";
import type { PosCall } from "../../framework/posClient.ts";
import { below, type PosPath, posPath } from "../../framework/posPath.ts";
import type { StorePull } from "../../framework/storeConnector.ts";
import type { Envelope } from "./responses.ts";
import type { TreezApi } from "./treezApi.ts";

export type TreezPull<Kind extends RecordKind> = StorePull<TreezApi, Kind>;

/** A paged list of tickets or customers. */
export interface ListPages {
  /** path without the page number */
  path: PosPath;
  query?: NonNullable<PosCall["query"]>;
  /** extracts the rows of a response */
  rowsIn(envelope: Envelope): unknown;
  /** the field with the row's id */
  idField: string;
}

/** Treez's maximum number of rows per page. */
export const pageSize = 50;

/**
 * Reads the next page of a list of tickets or customers. If Treez rejects a page as too large, the list is read again from
 * its start in smaller pages.
 *
 * @returns the page, and the time on Treez's clock
 */
export async function readTreezPage(
  api: TreezApi,
  { path, query = {}, rowsIn, idField }: ListPages,
  walk: PageTraversal,
): Promise<{ rows: unknown[]; next: PageTraversal | null; date: Date | null }> {
  let date: Date | null = null;
  const fetchPage: FetchPage = async (index, size) => {
    const answer = await api.list(below(path, posPath`/page/${index + 1}/pagesize/${size}`), query, (body) => {
      const rows = rowsIn(body);
      return Array.isArray(rows) ? { rows } : undefined;
    });
    date ??= answer.date;
    const rows = answer.list?.rows ?? [];
    // Treez rejects a page that is too large and does not shorten it. So a page with fewer rows than requested is the
    // last page.
    return { rows, isLast: rows.length < size };
  };
  const idOf = (row: unknown) => String((row as Readonly<Record<string, unknown>> | null)?.[idField]);
  try {
    return { ...(await continueTraversal(walk, fetchPage, idOf)), date };
  } catch (error) {
    const isTooBig = error instanceof PosError && error.code === "RESPONSE_LIMIT_EXCEEDS";
    if (!isTooBig || walk.size === 1) throw error;
    return { rows: [], next: readFromStart(Math.floor(walk.size / 2)), date };
  }
}

/** Formats an instant as Treez needs it: with milliseconds and the time zone's offset, `2026-01-11T13:56:05.000-08:00`. */
export function offsetInstant(instant: Date, timezone: string): string {
  const minutes = tzOffset(timezone, instant);
  const wall = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, -1);
  const size = Math.abs(minutes);
  const offset = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return `${wall}${minutes < 0 ? "-" : "+"}${offset}`;
}
