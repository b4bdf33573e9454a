import { type FetchPage, type PageTraversal, traverseBackward } from "./pageTraversal.ts";

/** After so many the walk goes on all the same: something else is the matter than a list that shifts. */
const maxDoubts = 5;
/** Rows of which each page but the first repeats those that were read last. */
const overlap = 3;
/** A first page of fewer is short because the list is, which may grow meanwhile. */
const leastRows = overlap + 2;

/**
 * Reads the next page of a list that is asked for by how many rows lie before a page. Each page but the first begins with
 * the last rows of the one before: where it doesn't, rows have left their place, and the walk goes back to a page that
 * holds them. Unlike pages by number (`continueTraversal`), one request shows both, at one instant.
 *
 * @param fetchPage is given the number of rows before the page
 * @returns the rows, which may repeat earlier ones; the next position, null at the end
 */
export async function traverseRows(
  walk: PageTraversal,
  fetchPage: FetchPage,
  idOf: (row: unknown) => string,
): Promise<{ rows: unknown[]; next: PageTraversal | null }> {
  const { offset, size, tail, isBack, doubts, moves, pagesBack } = walk;
  const start = isBack ? offset : Math.max(0, offset - tail.length);
  const { rows } = await fetchPage(start, size);
  const ids = rows.map(idOf);
  const begins = !isBack && tail.every((id, at) => ids[at] === id);
  if (start > 0 && !begins && !holdsEnd(ids, tail) && (isBack || doubts < maxDoubts)) {
    return { rows, next: traverseBackward({ ...walk, doubts: isBack ? doubts : doubts + 1 }, start - size) };
  }
  const fresh = begins ? rows.slice(tail.length) : rows;
  const end = start + rows.length;
  // Where a POS knows no pages it gives the same one again and again.
  const isSame = start > 0 && !begins && !isBack && ids.slice(-overlap).join("\n") === tail.join("\n");
  if (rows.length === 0 || (!isBack && end <= offset) || (isSame && doubts > 1)) return { rows: fresh, next: null };
  return {
    rows: fresh,
    next: {
      offset: end,
      read: end,
      // A POS may give shorter pages than it was asked for; so many are gone back at once.
      size: offset === 0 && !isBack ? Math.max(rows.length, leastRows) : size,
      tail: ids.slice(-overlap),
      isBack: false,
      doubts: isSame ? doubts + 1 : isBack ? doubts : 0,
      moves,
      pagesBack,
    },
  };
}

/**
 * Whether rows hold the end of what was read: then those behind it follow here. One of its rows may stand here because it
 * has moved; two would have had to move together.
 */
function holdsEnd(ids: readonly string[], tail: readonly string[]): boolean {
  return tail.filter((id) => ids.includes(id)).length >= Math.min(2, tail.length);
}
