import * as z from "zod";
import { SHORT_DATE, UUID, WEBSITE } from "../patterns.ts";
import { count } from "./scalars.ts";

/** What a request may send, where that is more or less than the records hold (contract 5). */

/** Whether a text can be stored: as UTF-8, which has no halves of characters. */
export const sound = (text: string): boolean => text.isWellFormed();
export const soundness = { error: "must hold no halves of characters" };

/** A text that may be empty, at most 255 characters after trimming. */
export const anyText = z.string().trim().max(255).refine(sound, soundness);

/** A text, 1 to 255 characters after trimming. */
export const text = z.string().trim().min(1).max(255).refine(sound, soundness);

/** A text that fits a pattern. @param form what to tell whom it doesn't fit */
export const patterned = (pattern: RegExp, form: string) =>
  z
    .string()
    .regex(pattern, { error: `must be ${form}` })
    .trim()
    .min(1)
    .max(255);

export const uuidSent = z.string().regex(UUID, { error: "must be a uuid" }).toLowerCase();

export const email = z.email({ error: "must be an e-mail address" }).max(254);

/** The pattern has no end: what follows its match may be anything but white space and control characters. */
export const website = z
  .string()
  .max(2048)
  .regex(WEBSITE, { error: "must be a web address" })
  .refine((address) => !/[\s\p{Cc}]/u.test(address) && address.isWellFormed(), { error: "must be a web address" });

const time = /^T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?$/;

/** A real calendar day, with or without a time behind it; the day alone is kept. */
export const day = z
  .string()
  .regex(SHORT_DATE, { error: "must be a date, yyyy-MM-dd" })
  .refine((sent) => sent.length === 10 || time.test(sent.slice(10)), { error: "must be a date, yyyy-MM-dd" })
  .transform((sent) => sent.slice(0, 10))
  .pipe(z.iso.date({ error: "must be a real calendar date" }));

/** A whole number that the record holds as text. */
export const countAsText = count.transform(String);
