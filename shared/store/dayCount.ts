import type { TransactWriteItem } from "@aws-sdk/lib-dynamodb";
import { utcDay } from "../time/clock.ts";
import type { Table } from "./client.ts";
import { dayCountKey } from "./keys/key.ts";

const dayMs = 24 * 60 * 60_000;

const nextDay = (now: Date): number => Date.parse(utcDay(now)) + dayMs;

/** A write that counts a creation in a partition on this UTC day. It fails at `max`. The count expires a day later. */
export const countOnDay = (table: Table, pk: string, max: number, now: Date): TransactWriteItem =>
  table.updateWrite(
    dayCountKey(pk, utcDay(now)),
    {
      expression: "ADD made :one SET expires = :expires",
      values: { ":one": 1, ":max": max, ":expires": (nextDay(now) + dayMs) / 1_000 },
    },
    "attribute_not_exists(made) OR made < :max",
  );

/** Seconds until the next UTC day, rounded up. */
export const secondsToNextDay = (now: Date): number => Math.ceil((nextDay(now) - now.getTime()) / 1_000);
