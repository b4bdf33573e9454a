import * as z from "zod";
import { licenseSearchStates, linkedLicenseStatuses, states, uniformLicenseTypes } from "./enumerations.ts";
import { CURSOR, LICENSE_ID, QUERY_DATE, UUID } from "./patterns.ts";
import { hasValidFields } from "./schemas/checks.ts";

/**
 * The query parameter groups of docs/spec.md#filters. A group is a shape, so an operation's query is
 * `z.strictObject(PAGE).extend(UPDATED)`, which rejects unknown parameters. A spread such as `{ ...PAGE }` would stay in
 * all bundles, even if no handler uses it. Values arrive as text. A repeated parameter arrives as an array, which no
 * parameter in these groups accepts.
 */
const int32Max = 2 ** 31 - 1;

/**
 * A decimal integer between two bounds, as text. Rejects signs other than a minus, fractions and blanks. The
 * description shows it as a number.
 *
 * @param preset the value when the parameter is absent
 */
export function integer(min: number, max: number, preset: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d{1,10}$/, { error })
    .transform(Number)
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }))
    .default(preset)
    .meta({
      override: ({ jsonSchema }) => {
        Object.assign(jsonSchema, { type: "integer", format: "int32", minimum: min, maximum: max, default: preset });
        delete jsonSchema.pattern;
      },
    });
}

const pad = (part: string) => part.padStart(2, "0");

/** A calendar day; a one-digit month or day is read as zero-padded (docs/spec.md#patterns-and-value-lists). */
const day = z
  .string()
  .regex(QUERY_DATE, { error: "must be a date, yyyy-MM-dd" })
  .transform((text) => text.split("-").map(pad).join("-"))
  .pipe(z.iso.date({ error: "must be a real calendar date" }));

const term = z.string().trim().min(1).max(255);

export const limitDescription = "Maximum number of records on the page";

export const PAGE = {
  limit: integer(1, 1000, 1000).meta({ description: limitDescription }),
  offset: integer(0, int32Max, 0).meta({ description: "Number of records (not pages) to skip" }),
};

const UPDATED = {
  last_updated_from: day.optional().meta({ description: "First UTC day, inclusive, of `svc_updated_date`" }),
  last_updated_to: day
    .optional()
    .meta({
      description:
        "Last UTC day, inclusive, of `svc_updated_date`. Omit it when you page through a list: a record that changes meanwhile leaves the window",
    }),
};

const EXPAND = {
  expand: z
    .stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive" })
    .optional()
    .meta({ description: "`true` adds `product` to each record", override: { type: "boolean" } }),
};

const SNAPSHOT = {
  date: day
    .optional()
    .meta({ description: "Returns the records and quantities at the end of this day in the CRB's time zone" }),
};

const SALE_DAYS = {
  start_date: day.optional().meta({ description: "First day of sale, inclusive, in the CRB's time zone" }),
  end_date: day.optional().meta({ description: "Last day of sale, inclusive, in the CRB's time zone" }),
};

const SALE_CUSTOMER = {
  pos_customer_id: term.optional().meta({ description: "Id in the POS of the customer or of the buyer on an invoice" }),
};

const CUSTSEARCH = {
  phone: term
    .optional()
    .meta({ description: "Telephone number; its digits are compared with `phone` and `cell_phone`" }),
  email: term.optional().meta({ description: "E-mail address, compared without letter case" }),
  first_name: term.optional().meta({ description: "First name, compared without letter case" }),
  last_name: term.optional().meta({ description: "Last name, compared without letter case" }),
  pos_customer_id: term.optional().meta({ description: "Id in the POS" }),
};

const LICENSE = {
  licenseNumber: term.optional().meta({ description: "License number, compared without letter case" }),
  name: term
    .optional()
    .meta({
      description:
        "Words of the licensee's name or of a business on the license; each must be the beginning of a word of that name",
    }),
  state: z
    .enum(licenseSearchStates)
    .optional()
    .meta({ description: "State of the licensing authority; `CAN` means Canada, `NLA` means no licensing authority" }),
  licenseType: z
    .enum(uniformLicenseTypes)
    .optional()
    .meta({ description: "License type, standardized over all states" }),
};

/** Requires that a window of days does not end before it begins. The failure is reported for the end of the window. */
function requireOrder<Query extends z.ZodObject>(
  query: Query,
  from: keyof z.output<Query> & string,
  to: keyof z.output<Query> & string,
): Query {
  const rule = (values: z.output<Query>) => {
    const [first, last] = [values[from], values[to]] as (string | undefined)[];
    return first === undefined || last === undefined || first <= last;
  };
  return query.refine(rule, { path: [to], error: `must not be before ${from}`, when: hasValidFields(from, to) });
}

const requireUpdatedOrder = <Query extends z.ZodObject<typeof UPDATED>>(query: Query): Query =>
  requireOrder(query, "last_updated_from", "last_updated_to");

/** The error for a text that is not a cursor, and for a cursor of another list. */
export const noChangesCursor =
  "must be a cursor from this list of changes; without one, the list begins with the oldest change";

/** The error for a text that is not a cursor, for a cursor of other events, and for a cursor that is too old. */
export const noEventsCursor =
  "must be a cursor from this list of events that is at most 30 days old; without one, the list begins with the oldest event";

/** The cursor in a list's changes (docs/spec.md#change-feed), and the number of changes to return. */
export const changesQuery = z.strictObject({
  cursor: z
    .string()
    .regex(CURSOR, { error: noChangesCursor })
    .optional()
    .meta({ description: "The `cursor` of the previous page; without it, the list begins with the oldest change" }),
  limit: PAGE.limit,
});

/** The cursor in a service provider's events (docs/spec.md#events), and the number of events to return. */
export const eventsQuery = z.strictObject({
  cursor: z
    .string()
    .regex(CURSOR, { error: noEventsCursor })
    .optional()
    .meta({
      description: "The `cursor` of the previous page; without it, the list begins with the oldest stored event",
    }),
  limit: PAGE.limit,
});

/** The error for a text that is not a cursor, and for a cursor of another list. */
export const noPageCursor = "must be a cursor from this list; without one, the list begins with the newest record";

export const pageCursor = z
  .string()
  .regex(CURSOR, { error: noPageCursor })
  .optional()
  .meta({ description: "The `cursor` of the previous page; without it, the list begins with the newest record" });

const bankDays = (limit: number) =>
  requireOrder(
    z.strictObject({
      cursor: pageCursor,
      limit: integer(1, 1000, limit).meta({ description: limitDescription }),
      start_date: day.optional().meta({ description: "First day, inclusive" }),
      end_date: day.optional().meta({ description: "Last day, inclusive" }),
    }),
    "start_date",
    "end_date",
  );

/** Pages by cursor of records that belong to days, newest day first. */
export const bankDaysQuery = bankDays(1_000);

/** Each record sums up a whole day, so the default page is short. */
export const reconciliationDaysQuery = bankDays(100);
const flag = z.stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive" }).default(false);
const asFlag = { override: { type: "boolean", default: false } } as const;

/** Options of a revocation: the credentials that stay valid. */
export const revocationQuery = z.strictObject({
  keep_issued: flag.meta({ description: "`true` keeps the credentials valid that this credential issued", ...asFlag }),
  keep_made: flag.meta({
    description:
      "`true` keeps the webhook endpoints, invitations, uploads and exports that this credential made or changed",
    ...asFlag,
  }),
});

export const noQuery = z.strictObject({});
export const pagedQuery = z.strictObject(PAGE);
export const pagedUpdatedQuery = requireUpdatedOrder(z.strictObject(PAGE).extend(UPDATED));

/** The CRBs of a service provider, all of them or those with a linked license of one status. */
export const crbsQuery = z
  .strictObject(PAGE)
  .extend({
    license_status: z
      .enum(linkedLicenseStatuses)
      .optional()
      .meta({
        description: "Only CRBs that have a linked license with this status, and a holder that is not `different`",
      }),
  });

export const licenseSearchQuery = z.strictObject(LICENSE).extend(PAGE);

export const expandQuery = z.strictObject(EXPAND);
export const inventoryQuery = requireUpdatedOrder(z.strictObject(PAGE).extend(EXPAND).extend(UPDATED));

/** A past day and a window of updates exclude each other (docs/spec.md#past-days-of-the-inventory). */
export const locationInventoryQuery = requireUpdatedOrder(
  z.strictObject(PAGE).extend(SNAPSHOT).extend(EXPAND).extend(UPDATED),
).refine(
  ({ date, last_updated_from, last_updated_to }) =>
    date === undefined || (last_updated_from ?? last_updated_to) === undefined,
  {
    path: ["date"],
    error: "must not be sent together with last_updated_from or last_updated_to",
    when: hasValidFields("date"),
  },
);

const FLAGGED = {
  compliance_status: z
    .enum(["red_flag", "warning"])
    .optional()
    .meta({ description: "Only sales with this status; with no other filter than `start_date` and `end_date`" }),
};

/** Ids are compared in lower case (docs/spec.md#identifiers-times-and-money). */
const salesQueryBy = (customerId: z.ZodString) => {
  const customer_id = customerId
    .toLowerCase()
    .optional()
    .meta({ description: "The customer's `id`; finds only retail sales" });
  const query = z
    .strictObject(PAGE)
    .extend(UPDATED)
    .extend(SALE_DAYS)
    .extend({ ...SALE_CUSTOMER, customer_id, ...FLAGGED })
    .refine(
      ({ compliance_status, offset: _, limit: __, start_date: ___, end_date: ____, ...others }) =>
        compliance_status === undefined || Object.values(others).every((value) => value === undefined),
      {
        path: ["compliance_status"],
        error: "must be sent with no other filter than start_date and end_date",
        when: hasValidFields("compliance_status"),
      },
    );
  return requireOrder(requireUpdatedOrder(query), "start_date", "end_date");
};

export const salesQuery = salesQueryBy(term);

/**
 * The service providers' path family rejects a malformed id; in other path families, a malformed id matches no customer
 * (docs/spec.md#filters).
 */
export const serviceProviderSalesQuery = salesQueryBy(z.string().regex(UUID, { error: "must be a uuid" }));

export const saleRulesQuery = z
  .strictObject(PAGE)
  .extend({
    state: z.enum(states).optional().meta({ description: "Only the rules of this state, and those of every state" }),
    date: day.optional().meta({ description: "Only the rules that hold on this day" }),
  });

/** Each record sums up a whole day, so the default page is short. */
export const salesDaysQuery = requireOrder(
  z
    .strictObject(PAGE)
    .extend({ limit: integer(1, 1000, 100).meta({ description: limitDescription }) })
    .extend(SALE_DAYS),
  "start_date",
  "end_date",
);

const searchTerms = Object.keys(CUSTSEARCH) as (keyof typeof CUSTSEARCH)[];

/** A query without a search term is rejected (docs/spec.md#customer-search). */
export const customerSearchQuery = z
  .strictObject(CUSTSEARCH)
  .extend(PAGE)
  .refine((query) => searchTerms.some((name) => query[name] !== undefined), {
    error: `must have at least one of ${searchTerms.join(", ")}`,
    when: hasValidFields(...searchTerms),
  });

/** Search terms are personal data: no error echoes them (docs/spec.md#values-in-errors). */
export const customerSearchSecrets = searchTerms.map((name) => `query.${name}`);

/** The id of a license in a path. */
export const licenseInPath = z.object({
  license_id: z
    .string()
    .regex(LICENSE_ID, { error: "must be the id of a license in searchLicenses" })
    .describe("The license"),
});
