import * as z from "zod";
import { depositTypes, excludedReasons } from "../enumerations.ts";
import { DEPOSIT_ID } from "../patterns.ts";
import { createBoundedList } from "./checks.ts";
import { cents, count, date } from "./scalars.ts";

/** Maximum number of deposits in one body (docs/spec.md#limits). */
const maxDepositsInBody = 1_000;

/** Largest amount in cents. Sums of 100,000 such amounts are still exact. */
const maxCents = 10_000_000_000;

/** The first day of deposits and cash counts. */
const firstBankDay = "2000-01-01";

const tomorrow = (): string => new Date(Date.now() + 24 * 60 * 60_000).toISOString().slice(0, 10);

/** A day from 2000-01-01 to tomorrow in UTC. */
export const bankDay = z.iso
  .date({ error: "must be a date, yyyy-MM-dd" })
  .refine((day) => day >= firstBankDay && day <= tomorrow(), {
    error: `must be from ${firstBankDay} to tomorrow in UTC`,
  });

/** An id that its sender chooses and that stands in a path. HTTP clients take the segments `.` and `..` out of a path. */
export const depositId = z
  .string()
  .regex(DEPOSIT_ID, { error: "must be 1 to 64 visible ASCII characters" })
  .refine((id) => id !== "." && id !== "..", { error: "must not be . or .., which no path can hold" });

const depositType = z
  .enum(depositTypes)
  .meta({ id: "DepositType", description: "How money reached or left the account" });

const excludedReason = z
  .enum(excludedReasons)
  .meta({ id: "ExcludedReason", description: "Why a posting is no deposit of takings" });

const amount = "Cents, not 0; negative for money that left the account, such as change orders and returned items";

const depositRequest = z
  .strictObject({
    id: depositId.describe("Your id of the posting, neither `.` nor `..`, and never an account number"),
    posted_date: bankDay.describe("Day of the posting, from 2000-01-01 to tomorrow in UTC"),
    amount: z
      .int()
      .min(-maxCents)
      .max(maxCents)
      .refine((cents) => cents !== 0, { error: "must not be 0" })
      .meta({ format: "int64" })
      .describe(amount),
    type: depositType,
    business_date: bankDay
      .exactOptional()
      .describe("Business day whose takings it holds, if it is known; otherwise it counts on `posted_date`"),
    excluded_reason: excludedReason.exactOptional(),
  })
  .meta({ id: "DepositRequest", description: "A posting of the bank: a deposit, or money that left the account" });

export type DepositRequest = z.output<typeof depositRequest>;

/** All deposits of a body are checked before any of them is stored. */
export const depositsRequest = z
  .strictObject({
    deposits: createBoundedList(maxDepositsInBody, depositRequest)
      .check(({ value, issues }) => {
        const first = new Map<string, number>();
        for (const [index, { id }] of value.entries()) {
          const earlier = first.get(id);
          if (earlier === undefined) first.set(id, index);
          else
            issues.push({
              code: "custom",
              input: id,
              path: [index, "id"],
              message: `must not be the id of deposits.${earlier} too`,
            });
        }
      })
      .refine((deposits) => deposits.length > 0, { error: "must have at least 1 entry" })
      .describe("1 to 1,000 deposits, each id once"),
  })
  .meta({ id: "DepositsRequest", description: "Deposits to store" });

export const deposit = z
  .strictObject({
    id: z.string().describe("Your id of the posting"),
    posted_date: date.describe("Day of the posting"),
    amount: cents.describe(amount),
    type: depositType,
    business_date: date.nullable().describe("Business day on which it counts; null if it counts on `posted_date`"),
    excluded_reason: excludedReason.nullable().describe("Why it does not count; null if it counts"),
  })
  .meta({ id: "Deposit", description: "A posting of the bank" });

export type Deposit = z.output<typeof deposit>;

export const storedDeposits = z
  .strictObject({
    accepted: count.describe("Number of deposits that are new"),
    unchanged: count.describe("Number of deposits that were stored already"),
    replaced: count.describe("Number of deposits that replaced another one of the same id"),
  })
  .meta({ id: "StoredDeposits", description: "What the service did with the deposits of a body" });

export const cashCountRequest = z
  .strictObject({
    amount: z
      .int()
      .min(0)
      .max(maxCents)
      .meta({ format: "int64" })
      .describe("Cents of cash at the business at the end of the day, after its deposits"),
  })
  .meta({ id: "CashCountRequest", description: "A count of the cash at a business" });

export const cashCount = z
  .strictObject({
    date: date.describe("Business day at whose end the cash was counted"),
    amount: cents.describe("Cents of cash at the business at the end of the day, after its deposits"),
  })
  .meta({ id: "CashCount", description: "A count of the cash at a business" });

export type CashCount = z.output<typeof cashCount>;
