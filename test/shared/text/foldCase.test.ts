import { expect, test } from "vitest";
import { foldCase } from "../../../shared/text/foldCase.ts";

/** All characters with letter case or an effect on it. */
const mayDiffer = /[\p{Cased}\p{Case_Ignorable}\p{M}\p{Changes_When_NFKC_Casefolded}]/u;

test("every character is the same in any letter case and form, alone and inside a word", () => {
  const different: string[] = [];
  for (let code = 0; code < 0x110000; code++) {
    const character = String.fromCodePoint(code);
    if (!mayDiffer.test(character)) continue;
    const forms = [character.toUpperCase(), character.toLowerCase(), character.normalize("NFD"), foldCase(character)];
    for (const form of forms) {
      if (foldCase(form) !== foldCase(character)) different.push(character);
      if (foldCase(`x${form}y`) !== foldCase(`x${character}y`)) different.push(`x${character}y`);
    }
  }
  expect(different).toEqual([]);
});

test.each([
  ["Straße", "STRASSE"],
  ["ΝΊΚΟΣ", "νίκος"],
  ["ZOE\u0308", "zoë"],
])("%s is equal to %s", (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other));
});

test.each([
  ["Zoë", "Zoe"],
  ["Ana", "Аna"],
  ["Ⅷ", "VIII"],
])("%s is not equal to %s", (one, other) => {
  expect(foldCase(one)).not.toBe(foldCase(other));
});
