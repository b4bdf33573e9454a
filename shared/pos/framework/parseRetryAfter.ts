/** Maximum wait that a response can impose. The limit is needed because a header may be wrong. */
const maxSeconds = 120;
/** A number from this value on is a time in seconds since 1970; a smaller number is a duration in seconds. */
const firstEpoch = 1_000_000_000;

const names = ["retry-after-ms", "retry-after", "x-ratelimit-reset-after", "x-ratelimit-reset", "ratelimit-reset"];

/**
 * The seconds that a POS asks clients to wait, at most two minutes; undefined if the POS states no time. An absolute
 * time is compared with the `Date` header, because the POS's clock may differ from the service's.
 *
 * @param now the current time by the service's clock, used if the response has no `Date` header
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
