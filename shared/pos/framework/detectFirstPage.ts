import { PosError } from "../connector.ts";

/**
 * Detects whether a POS counts pages from 0 or from 1, if its documents disagree or do not say. With 1 as the first page, page
 * 0 is rejected, empty although page 1 is not, or equal to page 1. The check reads page 0 twice, since the list may shift in
 * between.
 *
 * @param rejections failure codes by which the POS may reject page 0
 * @param ofEmpty the result if both pages are empty
 */
export async function detectFirstPage(
  pageOf: (number: number) => Promise<unknown[]>,
  idOf: (row: unknown) => string,
  rejections: readonly string[],
  ofEmpty: 0 | 1 = 0,
): Promise<0 | 1> {
  const ids = async (number: number) => (await pageOf(number)).map(idOf).join(" ");
  const zeroth = () =>
    ids(0).catch((error) => {
      if (error instanceof PosError && rejections.includes(error.code ?? "")) return null;
      throw error;
    });
  const zero = await zeroth();
  const one = await ids(1);
  if (zero === "" && one === "") return ofEmpty;
  const isOther = zero === null || zero === "" || zero === one;
  return isOther && zero === (await zeroth()) ? 1 : 0;
}
