/** Splits a text at white space into a list of words. */
export function words(text: string): [string, ...string[]] {
  return text.trim().split(/\s+/) as [string, ...string[]];
}
