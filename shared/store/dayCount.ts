import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { addDays } from "../time/addDays.ts";
import { utcDay } from "../time/clock.ts";
import type { Table } from "./client.ts";
import { dayCountKey } from "./keys/key.ts";

/** The start of the UTC day that is a number of days after that of `now`, epoch milliseconds. */
const startOf = (now: Date, days: number): number => Date.parse(addDays(utcDay(now), days));

/** A write that counts a creation in a partition on this UTC day. It fails at `max`. The count expires a day later. */
export const countOnDay = (table: Table, pk: string, max: number, now: Date): TransactWriteItem =>
  table.updateWrite(
    dayCountKey(pk, utcDay(now)),
    {
      expression: "ADD made :one SET expires = :expires",
      values: { ":one": 1, ":max": max, ":expires": startOf(now, 2) / 1_000 },
    },
    "attribute_not_exists(made) OR made < :max",
  );

/** Seconds until the next UTC day, rounded up. */
export const secondsToNextDay = (now: Date): number => Math.ceil((startOf(now, 1) - now.getTime()) / 1_000);
