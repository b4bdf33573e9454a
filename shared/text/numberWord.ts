const words =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );

/** A whole number from 0 to 20 as a capitalized word, such as `Eleven`; returns any other number in digits. */
export function numberWord(count: number): string {
  return words[count]?.replace(/^./, (letter) => letter.toUpperCase()) ?? String(count);
}
