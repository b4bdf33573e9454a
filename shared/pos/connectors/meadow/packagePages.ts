import * as z from "zod";
import { PosError, type PullPage } from "../../connector.ts";
import { utcInstant } from "../../framework/conversions/instants.ts";
import { makeRecords } from "../../framework/makeRecords.ts";
import { posPath } from "../../framework/posPath.ts";
import { computeReadStart, parseState, planReadRange, rangeFields, watermark } from "../../framework/readRange.ts";
import { prefixed } from "../../framework/readRow.ts";
import { isStock, packageRecords, type RoomsById } from "./inventory.ts";
import type { MeadowPull } from "./meadowApi.ts";
import { stockPackage } from "./responses.ts";

/** A position after a package: its date of change exactly as Meadow wrote it, and its id. */
const cursor = z.object({ updatedAt: z.string(), id: z.string() });
type Cursor = z.output<typeof cursor>;

/** Days after which a pull reads all packages again, because the cursor may have skipped some. */
const fullEveryDays = 1;

/** The watermark of a pull of packages. */
const packageMark = watermark.extend({ packages: cursor.nullable() });

const position = z.object({
  ...rangeFields,
  after: cursor.nullable(),
  /** the last package before which no package can enter the list anymore; the next pull starts after it */
  settled: cursor.nullable(),
  /** whether each package so far had an id; a package without an id may be any stored record */
  isNamed: z.boolean(),
});

/** Whether a pull of stock reads packages. The pull's position shows this, or the watermark on the first page. */
export function isOfPackages({ position: at, since }: MeadowPull<"inventory">["request"]): boolean {
  return at === null ? parseState(packageMark, since) !== null : parseState(position, at) !== null;
}

/**
 * Reads a page of packages by date of change, which every movement of stock updates. The first pull reads all packages.
 * Later pulls start after a package that an earlier pull read. New and changed packages are added at the end of the
 * list, so no package is missed. Later pulls also read the latest packages again, because packages may enter the list
 * late.
 *
 * @returns null on the first page if there are no packages
 * @throws PosError "notUnderstood" if a page has rows but no position for the next page, or if packages are not ordered
 * by date of change
 */
export async function packagePage(
  { api, request, date }: MeadowPull<"inventory">,
  rooms: RoomsById,
): Promise<PullPage<"inventory"> | null> {
  const state = parseState(position, request.position) ?? beginning(request, date);
  const { upTo, mark, after } = state;
  const fetch = (behind: Cursor | null) =>
    api.rows(
      posPath`/api/v1/packages`,
      behind ? { startingAfterUpdatedAt: behind.updatedAt, startingAfterId: behind.id } : {},
    );
  const rows = await fetch(after);
  const isFirst = request.position === null;
  if (isFirst && rows.length === 0 && (!after || (await fetch(null)).length === 0)) return null;
  const cursors = rows.flatMap((row) => cursorOf(row) ?? []);
  if (!isInOrder(after ? [after, ...cursors] : cursors)) throw new PosError("notUnderstood", { code: "unordered" });
  const end = cursors.at(-1);
  const isSame = end !== undefined && end.id === after?.id && end.updatedAt === after.updatedAt;
  // The list ends with an empty page, or with a page that has only the last package again. Any other page without a new
  // position is an error, because it would look like the end of the list.
  const isEnd = rows.length === 0 || (rows.length === 1 && isSame);
  if (!isEnd && (!end || isSame)) throw new PosError("notUnderstood", { code: "package" });
  const settled = cursors.findLast(({ updatedAt }) => isBefore(updatedAt, computeReadStart(upTo))) ?? state.settled;
  const packages = { ...watermarkOf(state), packages: settled };
  const found = await makeRecords(request, rows, {
    schema: stockPackage,
    posIdOf: prefixed("package-", "id"),
    make: (row) => packageRecords(row, rooms),
    undoes: (row) => !isStock(row),
  });
  const isNamed = state.isNamed && found.rejected.every(({ posId }) => posId !== "");
  return {
    ...found,
    total: null,
    next: isEnd
      ? { watermark: JSON.stringify(packages), asOf: upTo, readAll: mark === null }
      : { position: JSON.stringify({ ...state, after: end, settled, isNamed }) },
    complete: isEnd && mark === null && isNamed,
  };
}

/** The position of the first page. The watermark of a pull of the menu says nothing about packages. */
function beginning(request: MeadowPull<"inventory">["request"], date: Date | null): z.output<typeof position> {
  const found = parseState(packageMark, request.since);
  const { upTo, mark } = planReadRange({ ...request, since: found && request.since }, date, fullEveryDays);
  const last = mark && (found?.packages ?? null);
  return { upTo, mark, after: last, settled: last, isNamed: true };
}

function watermarkOf({ upTo, mark }: Pick<z.output<typeof position>, "upTo" | "mark">) {
  return { upTo, full: mark?.full ?? upTo };
}

function cursorOf(row: unknown): Cursor | undefined {
  return stockPackage.pick({ id: true, updatedAt: true }).pipe(cursor).safeParse(row).data;
}

/** Whether packages are ordered by date of change. After an unordered page, the cursor would skip packages. */
function isInOrder(cursors: readonly Cursor[]): boolean {
  const dates = cursors.map(({ updatedAt }) => utcInstant(updatedAt) ?? "");
  return dates.every((date, at) => at === 0 || date >= (dates[at - 1] ?? ""));
}

function isBefore(text: string, instant: Date): boolean {
  const date = utcInstant(text);
  return date !== null && new Date(date) < instant;
}
