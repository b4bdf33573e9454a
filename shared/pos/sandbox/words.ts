/** A list of words as it is easiest to write and read: one text, separated by white space. */
export function words(text: string): [string, ...string[]] {
  return text.trim().split(/\s+/) as [string, ...string[]];
}
