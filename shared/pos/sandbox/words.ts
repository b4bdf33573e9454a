/** Splits a text at white space into a list of words. */
export function words(text: string): [string, ...string[]] {
  return text.trim().split(/\s+/) as [string, ...string[]];
}

/** Splits a text at vertical bars into a list of names. */
export function names(text: string): [string, ...string[]] {
  return text.trim().split(/\s*\|\s*/) as [string, ...string[]];
}
