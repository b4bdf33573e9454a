import * as z from "zod";
import type { PullPage } from "../connector.ts";
import { utcInstant } from "../conversions/instants.ts";
import { posPath } from "../reading/posPath.ts";
import { prefixed } from "../reading/readRow.ts";
import { parseState, reachOf, readFrom, watermark } from "../reading/readSpan.ts";
import { recordsOf } from "../reading/recordsOf.ts";
import { stockPackage } from "./answers.ts";
import { isStock, packageRecord, type RoomsById } from "./inventory.ts";
import type { MeadowPull } from "./meadowPull.ts";

/** A package behind which others come: its date of change as the very text that Meadow wrote, and its id. */
const cursor = z.object({ updatedAt: z.string(), id: z.string() });
type Cursor = z.output<typeof cursor>;

/** What a pull of packages leaves to the next one. */
const packageMark = watermark.extend({ packages: cursor.nullable() });

const position = z.object({
  upTo: z.iso.datetime(),
  mark: watermark.nullable(),
  after: cursor.nullable(),
  /** the last package that lies so far back that nothing can come before it any more */
  settled: cursor.nullable(),
  /** whether each package so far had an id: one without may be any of those that the table has */
  isNamed: z.boolean(),
});

/** Whether a pull of stock is one of packages, by what it has come from. */
export function isOfPackages({ position: at, since }: MeadowPull<"inventory">["request"]): boolean {
  return at === null ? parseState(packageMark, since) !== null : parseState(position, at) !== null;
}

/**
 * Packages, page by page, by their date of change, which every movement of stock moves: at first all of them, then those
 * behind the last one that was read. The list only grows at its end, so nothing is missed, and of what shows late the
 * overlap is read again.
 *
 * @returns null where a pull of all packages finds none
 */
export async function packagePage(
  { api, request, date }: MeadowPull<"inventory">,
  rooms: RoomsById,
): Promise<PullPage<"inventory"> | null> {
  const known = parseState(position, request.position);
  const { upTo, mark } = known ?? reachOf(request, date, null);
  const last = mark && (parseState(packageMark, request.since)?.packages ?? null);
  const state = known ?? { upTo, mark, after: last, settled: last, isNamed: true };
  const { after } = state;
  const rows = await api.rows(
    posPath`/api/v1/packages`,
    after ? { startingAfterUpdatedAt: after.updatedAt, startingAfterId: after.id } : {},
  );
  const cursors = rows.flatMap((row) => cursorOf(row) ?? []);
  const end = cursors.at(-1);
  if (!mark && !after && !end) return null;
  const settled = cursors.findLast(({ updatedAt }) => isBefore(updatedAt, readFrom(upTo))) ?? state.settled;
  const isEnd = !end || (end.id === after?.id && end.updatedAt === after.updatedAt);
  const packages = { ...watermarkOf(state), packages: settled };
  const found = await recordsOf(request, rows, {
    schema: stockPackage,
    posIdOf: prefixed("package", "id"),
    make: (row) => [packageRecord(row, rooms)],
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

function watermarkOf({ upTo, mark }: Pick<z.output<typeof position>, "upTo" | "mark">) {
  return { upTo, full: mark?.full ?? upTo };
}

function cursorOf(row: unknown): Cursor | undefined {
  return stockPackage.pick({ id: true, updatedAt: true }).pipe(cursor).safeParse(row).data;
}

function isBefore(text: string, instant: Date): boolean {
  const date = utcInstant(text);
  return date !== null && new Date(date) < instant;
}
