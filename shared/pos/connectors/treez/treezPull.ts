import { tzOffset } from "@date-fns/tz";
import type { RecordKind } from "../../../api/kinds.ts";
import type { Clock } from "../../../time/clock.ts";
import { type Connection, PosError, type PullRequest } from "../../connector.ts";
import type { FetchPage, PageTraversal } from "../../framework/pageTraversal.ts";
import { continueTraversal, readFromStart } from "../../framework/pageTraversal.ts";
import type { PosCall } from "../../framework/posClient.ts";
import { below, type PosPath, posPath } from "../../framework/posPath.ts";
import type { Envelope } from "./responses.ts";
import type { TreezApi } from "./treezApi.ts";

/** What the pages of one pull have in common. */
export interface TreezPull<Kind extends RecordKind> {
  api: TreezApi;
  connection: Connection;
  request: PullRequest<Kind>;
  /** by which the deadline of the request counts */
  clock: Clock;
}

/** A list of tickets or customers, as Treez gives it page by page. */
export interface ListPages {
  /** up to where the number of the page comes */
  path: PosPath;
  query?: NonNullable<PosCall["query"]>;
  /** takes the rows out of an answer */
  rowsIn(envelope: Envelope): unknown;
  /** what tells rows apart */
  idField: string;
}

/** The most that Treez gives at once. */
export const pageSize = 50;

/**
 * Reads the next page of a list of tickets or customers. Where a page is too much for Treez, the list is read again in
 * smaller ones.
 *
 * @returns also what Treez's clock shows
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
    // Treez says so where a page is too big for it, so one that is shorter is the last.
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

/** An instant as Treez wants it: with milliseconds and the offset of the zone, `2026-01-11T13:56:05.000-08:00`. */
export function offsetInstant(instant: Date, timezone: string): string {
  const minutes = tzOffset(timezone, instant);
  const wall = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, -1);
  const size = Math.abs(minutes);
  const offset = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return `${wall}${minutes < 0 ? "-" : "+"}${offset}`;
}
