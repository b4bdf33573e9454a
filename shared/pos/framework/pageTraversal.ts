import * as z from "zod";
import { PosError } from "../connector.ts";

/** The position of a traversal of numbered pages. */
export const pageTraversal = z.object({
  /** number of rows before the next page */
  offset: z.number(),
  /** number of rows up to the last row read. After a page with fewer rows than `size`, it is less than `offset` */
  read: z.number(),
  /** the largest `read` so far */
  furthest: z.number(),
  /** rows per page, from which the POS computes where each page starts */
  size: z.number(),
  /** ids of the last rows read, in list order, if no row before them was missed; empty if unknown */
  tail: z.array(z.string()),
  /** whether the traversal is going back to find the rows of `tail` */
  isBack: z.boolean(),
  /** number of consecutive doubts: the rows before a page were not the expected ones, so the traversal went back */
  doubts: z.number(),
  /** number of consecutive doubts, up to the last one, in which the previous page had changed */
  moves: z.number(),
  /** pages gone back in total */
  pagesBack: z.number(),
});
export type PageTraversal = z.output<typeof pageTraversal>;

/** Reads the page `index`, from 0, of `size` rows. */
export type FetchPage = (index: number, size: number) => Promise<{ rows: unknown[]; isLast?: boolean }>;

/** After this many doubts it continues if the previous page is unchanged: small pages are then probably wrong. */
const maxDoubts = 5;
/** Number of pages that a traversal may go back, in addition to two pages for each page that it has reached. */
const maxPagesBack = 50;
/** Number of ids in `tail`. Rows may move; that eight rows move in their order, and no other row, is improbable. */
const tailLength = 8;
/** Number of the last of them that must differ, so that an equal page is a repeated one. */
const comparedRows = 3;

export function readFromStart(size: number): PageTraversal {
  return { offset: 0, read: 0, furthest: 0, size, tail: [], isBack: false, doubts: 0, moves: 0, pagesBack: 0 };
}

/**
 * Moves the position back to the given offset.
 *
 * @throws PosError "notUnderstood" if the traversal went back more often than changes of the list explain. Without this
 * limit, it would go back forever in a list in random order.
 */
export function traverseBackward(walk: PageTraversal, offset: number): PageTraversal {
  const pagesBack = walk.pagesBack + 1;
  const pages = walk.furthest / Math.max(1, walk.size);
  if (pagesBack > maxPagesBack + 2 * pages) throw new PosError("notUnderstood", { code: "unordered" });
  return { ...walk, offset: Math.max(0, offset), isBack: true, pagesBack };
}

/**
 * Reads the next page of a list with numbered pages.
 *
 * If a record changes and moves to the end, or is removed, all later rows move up. The next page would then begin too
 * late and miss rows. So after each page except the first, the traversal reads the rows before that page again. If they
 * are not the rows of `tail`, the traversal goes back to a page that contains the rows of `tail` and continues from
 * there. The last row alone does not prove that the pages join: in a list of few more rows, it may have moved to the end
 * and up again. If the list has shifted down, the rows of `tail` come later, and the page before is read again.
 *
 * The list ends with an empty page or with a repetition of the last page: some POS systems return the last page for
 * every higher page number.
 *
 * @returns the rows, which may repeat earlier ones; the next position, null at the end
 * @throws PosError "notUnderstood" if the POS returns the same page for every page number, or if the order of the list
 * had changed each time the traversal went back
 */
export async function continueTraversal(
  walk: PageTraversal,
  fetchPage: FetchPage,
  idOf: (row: unknown) => string,
): Promise<{ rows: unknown[]; next: PageTraversal | null }> {
  const { offset, read, furthest, size, tail, isBack, doubts, moves, pagesBack } = walk;
  const { rows, isLast } = await fetchPage(offset / size, size);
  const back = (doubts: number) => traverseBackward({ ...walk, doubts }, offset - size);
  const ids = rows.map(idOf);
  // Rows without distinct ids cannot be compared.
  const last = tail.slice(-comparedRows);
  const isSame = last.length > 0 && new Set(last).size === last.length && endOf(ids).join("\n") === tail.join("\n");
  if (isBack) {
    // One row of `tail` on this page does not prove that the pages join: this row may have moved. Two rows rarely move
    // together.
    const joins = offset === 0 || tail.filter((id) => ids.includes(id)).length >= Math.min(2, tail.length);
    if (!joins) return { rows, next: back(doubts) };
  } else if (offset > 0 && tail.length > 0 && (doubts < maxDoubts || moves >= maxDoubts)) {
    // If the POS repeats its last page, only single rows of it have the same place on pages of any size.
    const before = pageBefore(rows.length === 0 ? read : offset, isSame ? 1 : tail.length, size);
    const readBefore = async () => {
      const page = (await fetchPage(before.index, before.size)).rows.map(idOf);
      return page.slice(before.first, before.first + before.count);
    };
    const [found, expected] = [await readBefore(), tail.slice(-before.count)];
    if (found.join("\n") !== expected.join("\n")) {
      // The page with the rows found is read again, because rows at its beginning were missed if the list had shifted up and down
      // again between two requests.
      if (!isSame && before.count > 1 && containsRun([...found, ...ids], expected))
        return { rows, next: { ...traverseBackward(walk, offset - size), tail: found } };
      if (doubts < maxDoubts) return { rows, next: back(doubts + 1) };
      // A retry at this position succeeds once the list stops changing.
      const previous = (await fetchPage((offset - size) / size, size)).rows.map(idOf);
      if (previous.slice(-before.count).join("\n") !== (await readBefore()).join("\n"))
        throw new PosError("notUnderstood", { code: "unordered" });
      return { rows, next: back(doubts) };
    }
    if (isSame) return { rows, next: null };
  } else if (offset > 0 && isSame) {
    // If the first page has other rows, this page repeats the last page. If not, the POS ignores page numbers.
    const first = (await fetchPage(0, size)).rows.map(idOf);
    if (first.some((id) => ids.includes(id))) throw new PosError("notUnderstood", { code: "page" });
    return { rows, next: null };
  }
  if (isLast || rows.length === 0) return { rows, next: null };
  // A POS may return pages shorter than `size` and count pages by their actual length.
  const given = offset === 0 ? rows.length : size;
  return {
    rows,
    next: {
      offset: offset + given,
      read: offset + rows.length,
      furthest: Math.max(furthest, offset + rows.length),
      size: given,
      tail: endOf(ids),
      isBack: false,
      doubts: isBack ? doubts : 0,
      moves: isBack && !isSame ? moves + 1 : 0,
      pagesBack,
    },
  };
}

/**
 * The smallest page with the rows before the row `end`: `count` of them, or fewer if a page of `size` rows cannot hold
 * that many. `first` is the place of the first of these rows on the page.
 */
function pageBefore(end: number, count: number, size: number) {
  const last = end - 1;
  for (let rows = count; rows > 1; rows--) {
    for (let length = rows; length <= size; length++) {
      const first = (last % length) - rows + 1;
      if (first >= 0) return { index: Math.floor(last / length), size: length, first, count: rows };
    }
  }
  return { index: last, size: 1, first: 0, count: 1 };
}

/** Whether the ids of a run of rows follow each other in a list. */
export const containsRun = (ids: readonly string[], run: readonly string[]): boolean =>
  `\n${ids.join("\n")}\n`.includes(`\n${run.join("\n")}\n`);

const endOf = (ids: readonly string[]) => ids.slice(-tailLength);
