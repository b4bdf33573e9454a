import { PosError } from "../connector.ts";

/**
 * Detects whether a POS counts pages from 0 or from 1, if the vendor's documents leave this open or disagree. If the
 * POS counts from 1, it rejects page 0, returns an empty page 0 although page 1 has rows, or returns the rows of page
 * 1. The check reads page 0 twice, because the list may shift between two requests.
 *
 * @param rejections failure codes by which the POS may reject page 0
 * @param ofEmpty the number to return if pages 0 and 1 are both empty
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
