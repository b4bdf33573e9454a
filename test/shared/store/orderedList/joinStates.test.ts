import { expect, test } from "vitest";
import { joinStates } from "../../../../shared/store/orderedList/readPage.ts";

test("the joint state of several lists is as recent as the latest change, and no other lists have the same", () => {
  const state = (text: string, changedAt: number) => ({ text, changedAt });
  expect(joinStates(state("a", 5), state("b", 9), state("c", 7)).changedAt).toBe(9);
  const texts = [joinStates(state("a", 1), state("bc", 1)), joinStates(state("ab", 1), state("c", 1))];
  expect(texts[0]?.text).not.toBe(texts[1]?.text);
});
