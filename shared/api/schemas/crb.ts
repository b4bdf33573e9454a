import * as z from "zod";
import {
  businessTypes,
  crbStatuses,
  entityTypes,
  orgTypes,
  posConnectionStatuses,
  posTypeNames,
  states,
  timezones,
} from "../enumerations.ts";
import { CITY, EIN, PHONE, POSTAL_CODE, SHORT_DATE, WEBSITE } from "../patterns.ts";
import { count, dateTime, uuid } from "./scalars.ts";

/** A CRB as its own credential sees it (contract 9.5): the first 23 fields of the whole record. */
export const crbCore = z
  .strictObject({
    id: uuid,
    name: z.string(),
    street_address: z.string(),
    street_address_2: z.string().nullable(),
    city: z.string().regex(CITY).nullable(),
    ein: z.string().regex(EIN).nullable().describe("Employer identification number"),
    phone_number: z.string().regex(PHONE).nullable(),
    postal_code: z.string().regex(POSTAL_CODE).nullable(),
    country: z.string().nullable(),
    state: z.enum(states),
    website: z.string().regex(WEBSITE).nullable(),
    timezone: z.enum(timezones),
    mailing_street_address: z.string().nullable(),
    mailing_city: z.string().regex(CITY).nullable(),
    mailing_state: z.enum(states).nullable(),
    mailing_postal_code: z.string().regex(POSTAL_CODE).nullable(),
    established_date: z.string().regex(SHORT_DATE).nullable().describe("Day the business was established"),
    ftEmployees: count.nullable().describe("Full-time employees"),
    ptEmployees: count.nullable().describe("Part-time employees"),
    entityType: z.enum(entityTypes).nullable().describe("Legal form"),
    dba: z.string().nullable().describe("Trading name (Doing Business As)"),
    monthlySales: z.string().regex(/^\d+$/).nullable().describe("Estimated monthly sales, decimal digits"),
    monthlyCustomers: count.nullable().describe("Estimated monthly customers"),
  })
  .meta({ id: "CrbCore" });

/** A CRB with its standing at the service provider (contract 9.2). */
export const crb = crbCore
  .extend({
    org_type: z
      .enum(orgTypes)
      .describe("`dispensary`: stand-alone business; `muo`: parent of a multi-unit organisation"),
    business_type: z.enum(businessTypes).nullable(),
    template_id: uuid.describe("Onboarding template assigned"),
    template_result_id: uuid.describe("This CRB's answers to the template"),
    status: z.enum(crbStatuses).describe("Due-diligence status"),
    pos_configs: z.array(
      z.strictObject({
        name: z.enum(posTypeNames).describe("POS type"),
        updated_date: dateTime.describe("Last change of the configuration"),
        status: z.enum(posConnectionStatuses).optional(),
      }),
    ),
  })
  .meta({ id: "Crb" });

export type Crb = z.output<typeof crb>;

/** The core of a whole record. */
export const coreOf = (record: Crb): object =>
  Object.fromEntries(Object.keys(crbCore.shape).map((field) => [field, record[field as keyof Crb]]));
