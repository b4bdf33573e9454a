import * as z from "zod";

/** Where a walk over the pages of a list stands. */
export const pageWalk = z.object({
  /** rows that lie before the next page */
  offset: z.number(),
  /** rows up to the last one that was read: fewer where its page was short, which may be that of the list's end */
  read: z.number(),
  /** rows of a page, by which the POS counts */
  size: z.number(),
  /** ids of the last rows up to which everything was read, the very last at the end; empty where that is not known */
  tail: z.array(z.string()),
  /** whether the walk goes back, in search of them */
  isBack: z.boolean(),
  /** how often in a row it had to */
  doubts: z.number(),
});
export type PageWalk = z.output<typeof pageWalk>;

/**
 * Reads the rows of page `index`, counted from 0, of pages of `size` rows, and tells whether the list ends with them.
 * Where a POS counts rows, `index` is how many lie before the page.
 */
export type FetchPage = (index: number, size: number) => Promise<{ rows: unknown[]; isLast: boolean }>;

/** After so many the walk goes on all the same: something else is the matter than a list that shifts. */
const mostDoubts = 5;
/** A first page of fewer is short because the list is, which may grow meanwhile. */
const leastRows = 5;
/** Several, since one of them may be what has moved. */
const tailLength = 3;

export function walkFromStart(size: number): PageWalk {
  return { offset: 0, read: 0, size, tail: [], isBack: false, doubts: 0 };
}

/**
 * Reads the next page of a list that has numbered pages. When records that were read leave their place (they changed
 * and moved to the end, or were removed), all behind them move up, and the first ones of the next page would be missed.
 * So behind each page but the first the row before it is asked for again. Where it is another one, the walk goes back to
 * a page that holds what was read last, and on from there. A list that shifts down only repeats rows, which does no
 * harm.
 *
 * @param countsRows whether pages are asked for by the rows that lie before them, instead of by their number
 * @returns the rows, which may repeat earlier ones; the next position, null at the end
 */
export async function walkOn(
  walk: PageWalk,
  fetchPage: FetchPage,
  idOf: (row: unknown) => string,
  countsRows = false,
): Promise<{ rows: unknown[]; next: PageWalk | null }> {
  const { offset, read, size, tail, isBack, doubts } = walk;
  const { rows, isLast } = await fetchPage(countsRows ? offset : offset / size, size);
  const back = { ...walk, offset: Math.max(0, offset - size), isBack: true };
  const ids = rows.map(idOf);
  if (isBack) {
    if (offset > 0 && !holdsEnd(ids, tail)) return { rows, next: back };
  } else if (offset > 0 && tail.length > 0 && doubts < mostDoubts && !repeatsEnd(ids, tail)) {
    const at = rows.length === 0 ? read : offset;
    const [row] = (await fetchPage(at - 1, 1)).rows;
    const before = row === undefined ? undefined : idOf(row);
    // Or one row came before all of them.
    const joins = before === tail.at(-1) || (before === tail.at(-2) && ids[0] === tail.at(-1));
    if (before === undefined || !joins) return { rows, next: { ...back, doubts: doubts + 1 } };
  }
  // Where a POS knows no pages, or no more of them, it may give the same one again and again.
  const isSame = offset > 0 && !isBack && tail.length > 0 && ids.slice(-tailLength).join("\n") === tail.join("\n");
  if (isLast || rows.length === 0 || isSame) return { rows, next: null };
  // A POS may give shorter pages than it was asked for, and count by those.
  const given = offset > 0 ? size : countsRows ? Math.max(rows.length, leastRows) : rows.length;
  return {
    rows,
    next: {
      offset: offset + (countsRows ? rows.length : given),
      read: offset + rows.length,
      size: given,
      tail: ids.slice(-tailLength),
      isBack: false,
      doubts: isBack ? doubts : 0,
    },
  };
}

/**
 * Whether rows hold the end of what was read: then those behind it follow here. One of its rows may stand here because it
 * has moved; two would have had to move together.
 */
function holdsEnd(ids: readonly string[], tail: readonly string[]): boolean {
  const found = tail.filter((id) => ids.includes(id)).length;
  return found >= Math.min(2, tail.length);
}

/** Whether rows begin with the last ones that were read, in their order: others came before all of them. */
function repeatsEnd(ids: readonly string[], tail: readonly string[]): boolean {
  const end = ids.indexOf(tail.at(-1) ?? "");
  const same = tail.slice(-end - 1);
  return end > 0 && ids.slice(end + 1 - same.length, end + 1).join("\n") === same.join("\n");
}
