/** Longest that an answer can make one wait: a header may be wrong. */
const maxSeconds = 120;
/** Above this a number is a time of day, seconds since 1970, and below a span. */
const firstEpoch = 1_000_000_000;

const names = ["retry-after-ms", "retry-after", "x-ratelimit-reset-after", "x-ratelimit-reset", "ratelimit-reset"];

/**
 * How many seconds a POS asks to be left alone, at most two minutes; undefined when it does not say. Times of day are
 * held against the POS's own clock, which may differ from ours.
 *
 * @param now used where the answer has no `Date`
 */
export function parseRetryAfter(headers: Headers, now: Date): number | undefined {
  const posNow = Date.parse(headers.get("date") ?? "") || now.getTime();
  for (const name of names) {
    const seconds = secondsOf(name, headers.get(name)?.trim() ?? "", posNow);
    if (seconds !== undefined) return Math.min(maxSeconds, Math.max(0, seconds));
  }
  return undefined;
}

function secondsOf(name: string, value: string, posNow: number): number | undefined {
  if (/^\d+(\.\d+)?$/.test(value)) {
    const number = Number(value);
    if (name === "retry-after-ms") return Math.ceil(number / 1000);
    return Math.ceil(number >= firstEpoch ? number - posNow / 1000 : number);
  }
  const date = name === "retry-after" && /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.ceil((date - posNow) / 1000);
}
