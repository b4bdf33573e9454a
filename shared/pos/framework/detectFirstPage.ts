import { PosError } from "../connector.ts";

/**
 * Whether the pages of a list are counted from 0 or from 1, where the POS's documents do not agree or do not tell. Where
 * it is 1, page 0 is refused, empty although page 1 is not, or the same as page 1: also when it is asked for once more,
 * since the list may have moved in between.
 *
 * @param rejections codes of failures by which page 0 may be refused
 * @param ofEmpty by which number it is known as long as both are empty
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
