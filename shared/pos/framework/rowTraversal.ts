import { containsRun, type FetchPage, type PageTraversal, traverseBackward } from "./pageTraversal.ts";

/** After this many doubts (see `pageTraversal`), it no longer goes back: a shift does not explain more. */
const maxDoubts = 5;
/** Number of rows by which consecutive pages overlap. */
const overlap = 3;
/** Minimum page size. A shorter first page only means a short list, which may grow meanwhile. */
const leastRows = overlap + 2;

/**
 * Reads the next page of a list whose pages are requested by the number of preceding rows. Each page except the first
 * must begin with the last rows of the page before. If it does not, rows have moved, and the traversal goes back to a
 * page that holds those rows. Unlike `continueTraversal`, this function needs no second request to compare the rows:
 * the overlap is part of each page.
 *
 * @param fetchPage takes the number of preceding rows
 * @returns the rows, which may repeat earlier ones; the next position, null at the end
 */
export async function traverseRows(
  walk: PageTraversal,
  fetchPage: FetchPage,
  idOf: (row: unknown) => string,
): Promise<{ rows: unknown[]; next: PageTraversal | null }> {
  const { offset, furthest, size, tail, isBack, doubts, moves, pagesBack } = walk;
  const start = isBack ? offset : Math.max(0, offset - tail.length);
  const { rows } = await fetchPage(start, size);
  const ids = rows.map(idOf);
  const begins = !isBack && tail.every((id, at) => ids[at] === id);
  // Two rows that have moved to the end of the list join nothing. If the list has shifted up by a row, the page begins with the
  // next one, and if it has shifted down, all of them come later.
  const isNear = tail.includes(ids[0] ?? "") || containsRun(ids, tail);
  const joins = holdsEnd(ids, tail) && (isBack || isNear);
  if (start > 0 && !begins && !joins && (isBack || doubts < maxDoubts)) {
    return { rows, next: traverseBackward({ ...walk, doubts: isBack ? doubts : doubts + 1 }, start - size) };
  }
  const fresh = begins ? rows.slice(tail.length) : rows;
  const end = start + rows.length;
  // A POS without paging returns the same page for every request.
  const isSame = start > 0 && !begins && !isBack && ids.slice(-overlap).join("\n") === tail.join("\n");
  if (rows.length === 0 || (!isBack && end <= offset) || (isSame && doubts > 1)) return { rows: fresh, next: null };
  return {
    rows: fresh,
    next: {
      offset: end,
      read: end,
      furthest: Math.max(furthest, end),
      // A POS may return pages shorter than `size`. Later steps back use the length of the first page.
      size: offset === 0 && !isBack ? Math.max(rows.length, leastRows) : size,
      tail: ids.slice(-overlap),
      isBack: false,
      doubts: isSame ? doubts + 1 : isBack ? doubts : 0,
      moves,
      pagesBack,
    },
  };
}

/** Whether the page holds the end of the rows read. A single row does not prove this, because it may have moved. */
function holdsEnd(ids: readonly string[], tail: readonly string[]): boolean {
  return tail.filter((id) => ids.includes(id)).length >= Math.min(2, tail.length);
}
