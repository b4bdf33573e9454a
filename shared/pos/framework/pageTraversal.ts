import * as z from "zod";
import { PosError } from "../connector.ts";

/** Where a walk over the pages of a list stands. */
export const pageTraversal = z.object({
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
  /** how often of these, in a row, the page that it went back to was another one than before */
  moves: z.number(),
  /** pages that it went back in all */
  pagesBack: z.number(),
});
export type PageTraversal = z.output<typeof pageTraversal>;

/** Reads the rows of page `index`, counted from 0, of pages of `size` rows, and tells whether the list ends with them. */
export type FetchPage = (index: number, size: number) => Promise<{ rows: unknown[]; isLast: boolean }>;

/**
 * After so many the walk goes on all the same, if the page that it went back to stayed as it was: the POS then does not give
 * the row before a page.
 */
const maxDoubts = 5;
/** Pages that a walk may go back, besides two for each page that it has read. */
const maxPagesBack = 50;
/** Several, since one of them may be what has moved. */
const tailLength = 3;

export function readFromStart(size: number): PageTraversal {
  return { offset: 0, read: 0, size, tail: [], isBack: false, doubts: 0, moves: 0, pagesBack: 0 };
}

/**
 * The position one page further back.
 *
 * @throws PosError "notUnderstood" where the walk went back more often than a list that changes meanwhile explains: rows in
 * random order would keep it going back forever
 */
export function traverseBackward(walk: PageTraversal, offset: number): PageTraversal {
  const pagesBack = walk.pagesBack + 1;
  const pages = walk.read / Math.max(1, walk.size);
  if (pagesBack > maxPagesBack + 2 * pages) throw new PosError("notUnderstood", { code: "unordered" });
  return { ...walk, offset: Math.max(0, offset), isBack: true, pagesBack };
}

/**
 * Reads the next page of a list that has numbered pages. When records that were read leave their place (they changed
 * and moved to the end, or were removed), all behind them move up, and the first ones of the next page would be missed.
 * So behind each page but the first the row before it is asked for again. Where it is another one, the walk goes back to
 * a page that holds what was read last, and on from there. A list that shifts down only repeats rows, which does no
 * harm. It ends with a page without rows, or with the page before once more, which some systems give for any number
 * beyond their last one.
 *
 * @returns the rows, which may repeat earlier ones; the next position, null at the end
 * @throws PosError "notUnderstood" where the POS gives the same page again and again, whatever number is asked for; and where
 * the list was in another order each time the walk went back
 */
export async function continueTraversal(
  walk: PageTraversal,
  fetchPage: FetchPage,
  idOf: (row: unknown) => string,
): Promise<{ rows: unknown[]; next: PageTraversal | null }> {
  const { offset, read, size, tail, isBack, doubts, moves, pagesBack } = walk;
  const { rows, isLast } = await fetchPage(offset / size, size);
  const back = (doubts: number) => traverseBackward({ ...walk, doubts }, offset - size);
  const ids = rows.map(idOf);
  // Rows that are told apart by nothing are not known to be the same.
  const isSame = tail.length > 0 && new Set(tail).size === tail.length && endOf(ids).join("\n") === tail.join("\n");
  if (isBack) {
    // One of them may stand here because it has moved; two would have had to move together.
    const joins = offset === 0 || tail.filter((id) => ids.includes(id)).length >= Math.min(2, tail.length);
    if (!joins) return { rows, next: back(doubts) };
  } else if (offset > 0 && tail.length > 0 && (doubts < maxDoubts || moves >= maxDoubts)) {
    const last = rows.length === 0 ? read : offset;
    const readBefore = async () => (await fetchPage(last - 1, 1)).rows.map(idOf)[0];
    if ((await readBefore()) !== tail.at(-1)) {
      if (doubts < maxDoubts) return { rows, next: back(doubts + 1) };
      // Another attempt at this position succeeds once the list stands still.
      const pageBefore = (await fetchPage((offset - size) / size, size)).rows.map(idOf);
      if (pageBefore.at(-1) !== (await readBefore())) throw new PosError("notUnderstood", { code: "unordered" });
      return { rows, next: back(doubts) };
    }
    if (isSame) return { rows, next: null };
  } else if (offset > 0 && isSame) {
    // It is the last page again where the first one is another; otherwise numbers mean nothing to the POS.
    const first = (await fetchPage(0, size)).rows.map(idOf);
    if (first.some((id) => ids.includes(id))) throw new PosError("notUnderstood", { code: "page" });
    return { rows, next: null };
  }
  if (isLast || rows.length === 0) return { rows, next: null };
  // A POS may give shorter pages than it was asked for, and count by those.
  const given = offset === 0 ? rows.length : size;
  return {
    rows,
    next: {
      offset: offset + given,
      read: offset + rows.length,
      size: given,
      tail: endOf(ids),
      isBack: false,
      doubts: isBack ? doubts : 0,
      moves: isBack && !isSame ? moves + 1 : 0,
      pagesBack,
    },
  };
}

const endOf = (ids: readonly string[]) => ids.slice(-tailLength);
