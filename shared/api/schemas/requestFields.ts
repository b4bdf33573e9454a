import * as z from "zod";
import { hasInvisible, withoutInvisible } from "../../text/invisible.ts";
import { SHORT_DATE, UUID, WEBSITE } from "../patterns.ts";
import { count } from "./scalars.ts";

/**
 * Types of request fields that accept more or less than the fields of records
 * (docs/spec.md#patterns-and-value-lists).
 */

/** Whether a text can be stored as UTF-8, which has no halves of surrogate pairs. */
export const sound = (text: string): boolean => text.isWellFormed();
export const wellFormedError = { error: "must be well-formed Unicode, without half of a surrogate pair" };

// Checks stop at the length limit. Normalizing a megabyte of accents, or looking for a colon after each of a million
// dots, takes minutes.

/** A text that may be empty, at most 255 characters after trimming. */
export const anyText = z.string().trim().max(255, { abort: true }).refine(sound, wellFormedError);

/** A text, 1 to 255 characters after trimming. */
export const text = z.string().trim().min(1).max(255, { abort: true }).refine(sound, wellFormedError);

/**
 * The characters that names of organizations and people must not contain, for descriptions
 * (docs/spec.md#patterns-and-value-lists).
 */
export const nameRule =
  "no control or invisible characters, such as line breaks, zero-width joiners and direction marks, and no `://`";

/** Whether a text has no control or invisible characters. */
export const visible = (text: string): boolean => !hasInvisible(text);
export const visibleError = {
  error: "must not contain control or invisible characters, such as line breaks, zero-width joiners or direction marks",
};

/**
 * Characters that break a line or reverse the direction of a displayed text, and halves of surrogate pairs
 * (docs/spec.md#patterns-and-value-lists).
 */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/**
 * A text for people, of 1 character to the maximum. Invisible characters that are permitted may join emojis.
 *
 * @param max maximum number of characters, after trimming
 * @param hasLines whether it may have line breaks and tabs
 */
export const printable = (max: number, { hasLines = false } = {}) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max, { abort: true })
    .refine((value) => !unprintable.test(hasLines ? value.replace(/[\r\n\t]/g, " ") : value), {
      error: "must not contain control or bidirectional formatting characters",
    })
    .refine((value) => withoutInvisible(value).trim() !== "", { error: "must have a visible character" });

/** Names are printed, mailed and compared. Invisible characters and web addresses in a name can only deceive. */
const asName = (schema: z.ZodString) =>
  schema
    .refine(visible, visibleError)
    // NFKC turns full-width characters into ASCII. Other programs may also normalize a name, and would then see a web
    // address.
    .refine((name) => !name.normalize("NFKC").includes("://"), { error: "must not contain ://" });

/** The name of an organization or a person, 1 to 255 characters after trimming (docs/spec.md#patterns-and-value-lists). */
export const name = asName(text);

/** The name of an organization or a person that may be empty, at most 255 characters after trimming. */
export const anyName = asName(anyText);

/**
 * A text that matches a pattern.
 *
 * @param form the error for other texts
 */
export const patterned = (pattern: RegExp, form: string) =>
  z
    .string()
    .regex(pattern, { error: `must be ${form}` })
    .trim()
    .min(1)
    .max(255);

export const uuidSent = z.string().regex(UUID, { error: "must be a uuid" }).toLowerCase();

export const email = z.email({ error: "must be an e-mail address" }).max(254);

/**
 * The permitted beginnings of a web address: `http:`, `https:` or no scheme. Without a scheme, a colon may only stand
 * before a port, after a host name with a dot. WEBSITE allows a colon anywhere, as in `javascript:a.b` and `ftp:a.b`.
 */
const webBeginning = /^(https?:|[^:/?#]*([/?#]|$)|(?=[^:/?#.]*\.)[^:/?#]*:\d{0,5}([/?#]|$))/i;

export const withoutOtherScheme = (address: string): boolean => webBeginning.test(address);
export const onlyWeb = { error: "must have no scheme other than http or https" };

/** The pattern has no end anchor: any characters may follow its match, except white space and invisible ones. */
export const website = z
  .string()
  .max(2048, { abort: true })
  .regex(WEBSITE, { error: "must be a web address" })
  .refine((address) => !/\s/.test(address) && !hasInvisible(address), { error: "must be a web address" })
  .refine(withoutOtherScheme, onlyWeb);

const time = /^T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?$/;

/** A real calendar day. A time may follow the day, and is dropped. */
export const day = z
  .string()
  .regex(SHORT_DATE, { error: "must be a date, yyyy-MM-dd" })
  .refine((sent) => sent.length === 10 || time.test(sent.slice(10)), { error: "must be a date, yyyy-MM-dd" })
  .transform((sent) => sent.slice(0, 10))
  .pipe(z.iso.date({ error: "must be a real calendar date" }));

/** A whole number that the record holds as text. */
export const countAsText = count.transform(String);
