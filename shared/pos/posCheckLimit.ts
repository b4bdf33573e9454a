import { ServiceError } from "../api/errors.ts";
import type { Condition, Item, Table } from "../store/client.ts";
import { posChecksKey, posChecksOfInvitedKey } from "../store/keys/credentials.ts";
import type { Key } from "../store/keys/key.ts";
import { type Clock, systemClock, utcDay } from "../time/clock.ts";
import { PosError } from "./connector.ts";

/** Runs a test call with POS credentials, or throws before the POS is called. */
export type PosCheckLimit = <Result>(check: () => Promise<Result>) => Promise<Result>;

/** The limit for test calls of the operator: none. */
export const noPosCheckLimit: PosCheckLimit = (check) => check();

const windowMs = 600_000;
const dayMs = 86_400_000;

/** Maximum of rejected credentials in ten minutes and on a UTC day. Running checks count as rejected. */
interface Max {
  inWindow: number;
  inDay: number;
}

/** The limit of one credential, or of all invited users of one CRB together. */
const maxOfCaller: Max = { inWindow: 20, inDay: 50 };

/** The limit of the invited users of all CRBs of one credential, which could create any number of CRBs. */
const maxOfInvited: Max = { inWindow: 60, inDay: 200 };

/** `Retry-After` in seconds if running checks use up the limit. It is short, because a check takes a few seconds. */
const runningRetryAfter = 5;

/** The checks of a caller on a UTC day, as stored. */
interface Checks {
  /** The window whose checks `in_window` and `refused_in_window` count: the number of ten-minute periods since 1970. */
  window: number;
  /** Number of rejected and running checks. */
  in_window: number;
  in_day: number;
  refused_in_window: number;
  refused_in_day: number;
}

/** The item and the window in which a running check is counted. */
interface Place {
  key: Key;
  window: number;
}

/**
 * Limits how many wrong POS credentials of a caller reach a POS, so that a leaked credential cannot be used to guess
 * passwords there. The limit also holds for concurrent checks: each check is counted before the POS is called. The
 * check is subtracted from the count if the POS accepts the credentials or cannot be reached. A check that a crash
 * interrupts counts as rejected.
 *
 * @param callerId client id of the credential, whose tokens share the limit; for invited users the CRB id
 * @returns the limit, which throws ServiceError "throttled" with the seconds to wait
 */
export const limitPosChecks = (table: Table, callerId: string, clock: Clock = systemClock): PosCheckLimit =>
  limitByKey(table, (day) => posChecksKey(callerId, day), maxOfCaller, clock);

/** @param keyOf returns the key of the item that counts the checks of a UTC day */
const limitByKey =
  (table: Table, keyOf: (day: string) => Key, max: Max, clock: Clock): PosCheckLimit =>
  async (check) => {
    const now = clock.now();
    const place = await takePlace(table, keyOf(utcDay(now)), now, max);
    let isRefused = false;
    try {
      return await check();
    } catch (error) {
      isRefused = error instanceof PosError && error.failure === "credentialsRefused";
      throw error;
    } finally {
      // A rejection is counted. Otherwise, the place is given back.
      if (isRefused) await add(table, place, "refused_in_window", "refused_in_day", 1);
      else await add(table, place, "in_window", "in_day", -1);
    }
  };

/**
 * Limits the checks of an invited user like `limitPosChecks`. Two limits apply: the limit of the CRB, and the limit of
 * the credential that created the CRB.
 *
 * @param createdBy client id of the credential that created the CRB; undefined if the operator created the CRB
 */
export function limitPosChecksOfUser(
  table: Table,
  crbId: string,
  createdBy: string | undefined,
  clock: Clock = systemClock,
): PosCheckLimit {
  const ofCrb = limitPosChecks(table, crbId, clock);
  if (createdBy === undefined) return ofCrb;
  const ofCreator = limitByKey(table, (day) => posChecksOfInvitedKey(createdBy, day), maxOfInvited, clock);
  return (check) => ofCrb(() => ofCreator(check));
}

async function takePlace(table: Table, key: Key, now: Date, max: Max): Promise<Place> {
  const present = Math.floor(now.getTime() / windowMs);
  let stored: Checks | undefined;
  for (;;) {
    // Clocks differ: another process may have begun a window that is in the future by this process's clock.
    const window = Math.max(present, stored?.window ?? 0);
    const isNew = stored === undefined || stored.window < window;
    const { done, item } = await table.change(key, ...(isNew ? firstIn(window, now, max) : nextIn(window, max)));
    if (done) return { key, window };
    stored = checksOf(item);
    if (stored.in_day >= max.inDay || (stored.window >= window && stored.in_window >= max.inWindow)) {
      throw noPlace(stored, now, max);
    }
  }
}

/** An update of the counts, and the condition under which the update is allowed. */
type CountedUpdate = [update: Condition, condition: string];

/** The update that counts the first check of a window. */
const firstIn = (window: number, now: Date, max: Max): CountedUpdate => [
  {
    expression:
      "SET #window = :window, in_window = :one, refused_in_window = :zero, expires = :expires ADD in_day :one, refused_in_day :zero",
    names: { "#window": "window" },
    values: {
      ":window": window,
      ":one": 1,
      ":zero": 0,
      ":maxInDay": max.inDay,
      ":expires": (Math.floor(now.getTime() / dayMs) + 2) * (dayMs / 1_000),
    },
  },
  "attribute_not_exists(#window) OR (#window < :window AND in_day < :maxInDay)",
];

/** The update that counts a check in a window that already has checks. */
const nextIn = (window: number, max: Max): CountedUpdate => [
  {
    expression: "ADD in_window :one, in_day :one",
    names: { "#window": "window" },
    values: { ":one": 1, ":window": window, ":maxInWindow": max.inWindow, ":maxInDay": max.inDay },
  },
  "#window = :window AND in_window < :maxInWindow AND in_day < :maxInDay",
];

/** Adds an amount to the counts of a window and of its day; only of the day if another window has begun. */
async function add(table: Table, { key, window }: Place, inWindow: string, inDay: string, amount: number) {
  const update = {
    expression: `ADD ${inWindow} :amount, ${inDay} :amount`,
    names: { "#window": "window" },
    values: { ":amount": amount, ":window": window },
  };
  const { done } = await table.change(key, update, "#window = :window");
  if (done) return;
  const ofDay = { expression: `ADD ${inDay} :amount`, values: { ":amount": amount } };
  await table.change(key, ofDay, "attribute_exists(pk)");
}

const checksOf = (item: Item | undefined): Checks => ({
  ...{ window: 0, in_window: 0, in_day: 0, refused_in_window: 0, refused_in_day: 0 },
  ...(item as Partial<Checks> | undefined),
});

function noPlace(checks: Checks, now: Date, max: Max): ServiceError {
  const ms = now.getTime();
  const dayEnd = (Math.floor(ms / dayMs) + 1) * dayMs;
  const limits = `${max.inWindow} in ten minutes and ${max.inDay} a UTC day`;
  const tooManyRefused = (until: number) =>
    new ServiceError("throttled", {
      code: "pos_check_limit",
      message: `POS systems have rejected too many credentials of this caller: at most ${limits} may be rejected. Try again after Retry-After.`,
      retryAfter: Math.ceil((until - ms) / 1_000),
    });
  if (checks.refused_in_day >= max.inDay) return tooManyRefused(dayEnd);
  if (checks.refused_in_window >= max.inWindow) return tooManyRefused(Math.min((checks.window + 1) * windowMs, dayEnd));
  return new ServiceError("throttled", {
    code: "pos_check_limit",
    message: `Too many POS credentials of this caller are being checked: running checks and rejected credentials together may be at most ${limits}. Try again after Retry-After.`,
    retryAfter: runningRetryAfter,
  });
}
