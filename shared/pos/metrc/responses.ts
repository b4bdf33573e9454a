import * as z from "zod";
import { statesZone, utcInstant, wallClock } from "../framework/conversions/instants.ts";
import { id, instant, money, statusDay, text } from "../framework/wireFields.ts";

// The fields of Metrc's responses that this service reads. Some states write `SalesDateTime`, others `salesDateTime`. The
// schemas name no patient, caregiver or user, so that no such name leaves the response.

/** Reads an object whose keys begin with a capital or a small letter. */
const anyCase = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, of]) => [key.charAt(0).toLowerCase() + key.slice(1), of]),
    );
  }, z.object(shape));

const count = z.int().nonnegative().nullish();

/** One page of a list. Some lists come as a bare array, without a total. */
export const page = z.union([
  z.array(z.unknown()).transform((rows) => ({ rows, total: null })),
  anyCase({ data: z.array(z.unknown()), totalRecords: count, total: count }).transform(
    ({ data, totalRecords, total }) => ({ rows: data, total: totalRecords ?? total ?? null }),
  ),
]);

/** A license of the user key. */
export const facility = anyCase({ license: anyCase({ number: text }) });

/** The names of an employee's permissions. */
export const permissions = z.array(z.string());

/** The local time of a sale. Null for a time in UTC, because its local day may be another. */
function localTime(value: string | null): string | null {
  const wall = wallClock(value);
  const isUtc = statesZone(value) && utcInstant(value) === `${wall?.replace(" ", "T")}Z`;
  return isUtc ? null : wall;
}

/** A receipt without its lines. Lists do not contain them. */
export const receipt = anyCase({
  id: id.transform(Number).pipe(z.int()),
  salesDateTime: text.transform(localTime).pipe(z.string({ error: "no_instant" })),
  salesCustomerType: text,
  totalPrice: money.pipe(z.string({ error: "no_total" })),
  /** present for a voided receipt */
  archivedDate: statusDay,
  lastModified: instant,
});
export type Receipt = z.output<typeof receipt>;

/** The day of a receipt whose other fields cannot be read; null if the day cannot be read either. */
export const receiptDay = anyCase({ salesDateTime: text })
  .transform(({ salesDateTime }) => localTime(salesDateTime)?.slice(0, 10) ?? null)
  .catch(null);
