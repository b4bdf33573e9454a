import { ServiceError } from "../api/errors.ts";
import type { RateLimit } from "../api/operation.ts";
import { type Item, itemId, type Table } from "../store/client.ts";
import { rateLimitKey } from "../store/keys/credentials.ts";
import { type Clock, systemClock, utcDay } from "../time/clock.ts";

const minuteLength = 60_000;
const dayLength = 86_400_000;
/** A limit of the day that the limit of a minute makes unreachable. */
const unlimited = ({ perMinute }: RateLimit): number => perMinute * (dayLength / minuteLength) + perMinute;

/** The requests of a credential on a UTC day, as stored. */
interface Use {
  /** The epoch minute that `in_minute` counts. */
  minute: number;
  in_minute: number;
  in_day: number;
}

/**
 * The state of a rate limit as this process last saw it: the minute whose requests are counted, and the time (epoch ms)
 * until which the limit is used up.
 */
interface Known {
  minute: number;
  usedUpUntil: number;
}

const known = new Map<string, Known>();

/**
 * Counts a request against the rate limit of a credential. All access tokens of the credential share this limit. The
 * count is exact under concurrency: each request makes one conditional update of a small item, and a second update if
 * another process has already begun the minute. The process remembers that a limit is used up, so further requests cost
 * no update. If a response of DynamoDB is lost, a request may count twice.
 *
 * @param operationId the operation with the rate limit
 * @throws ServiceError "throttled" when the limit is used up, with the seconds until the minute or the UTC day ends
 */
export async function consumeRateLimit(
  table: Table,
  clientId: string,
  operationId: string,
  given: RateLimit,
  clock: Clock = systemClock,
): Promise<void> {
  const rateLimit = { ...given, perDay: given.perDay ?? unlimited(given) };
  const now = clock.now();
  const present = Math.floor(now.getTime() / minuteLength);
  const dayEnd = (Math.floor(now.getTime() / dayLength) + 1) * dayLength;
  const key = rateLimitKey(clientId, operationId, utcDay(now));
  const id = itemId(key);
  for (;;) {
    const { minute, usedUpUntil } = known.get(id) ?? { minute: 0, usedUpUntil: 0 };
    if (usedUpUntil > now.getTime()) throw usedUp(given, usedUpUntil - now.getTime());
    // Clocks differ: the stored minute can be in the future by this process's clock. The request is then counted in the
    // stored minute.
    const { done, item } =
      minute >= present
        ? await table.change(key, ...nextIn(minute, rateLimit))
        : await table.change(key, ...firstIn(present, rateLimit, dayEnd));
    forget(present, now);
    known.set(id, done ? { minute: Math.max(minute, present), usedUpUntil } : knownOf(item, rateLimit, dayEnd));
    if (done) return;
  }
}

/** The update that counts a request in a minute that already has requests. */
const nextIn = (minute: number, { perMinute, perDay }: Required<RateLimit>) =>
  [
    {
      expression: "ADD in_minute :one, in_day :one",
      names: { "#minute": "minute" },
      values: { ":one": 1, ":minute": minute, ":perMinute": perMinute, ":perDay": perDay },
    },
    "#minute = :minute AND in_minute < :perMinute AND in_day < :perDay",
  ] as const;

/** The update that counts the first request of a minute. */
const firstIn = (minute: number, { perDay }: Required<RateLimit>, dayEnd: number) =>
  [
    {
      expression: "SET #minute = :minute, in_minute = :one, expires = :expires ADD in_day :one",
      names: { "#minute": "minute" },
      values: { ":one": 1, ":minute": minute, ":perDay": perDay, ":expires": dayEnd / 1000 },
    },
    "attribute_not_exists(#minute) OR (#minute < :minute AND in_day < :perDay)",
  ] as const;

function knownOf(item: Item | undefined, { perMinute, perDay }: Required<RateLimit>, dayEnd: number): Known {
  const { minute, in_minute, in_day } = (item as Use | undefined) ?? { minute: 0, in_minute: 0, in_day: 0 };
  if (in_day >= perDay) return { minute, usedUpUntil: dayEnd };
  return { minute, usedUpUntil: in_minute >= perMinute ? (minute + 1) * minuteLength : 0 };
}

/** Removes each remembered state whose minute has passed and which no longer limits a credential. */
function forget(present: number, now: Date): void {
  for (const [id, { minute, usedUpUntil }] of known) {
    if (minute < present && usedUpUntil <= now.getTime()) known.delete(id);
  }
}

const usedUp = ({ perMinute, perDay }: RateLimit, left: number) =>
  new ServiceError("throttled", {
    message: `A credential may call this operation ${perMinute} times a minute${perDay === undefined ? "" : ` and ${perDay} times a UTC day`}. Try again after Retry-After.`,
    retryAfter: Math.ceil(left / 1000),
  });
