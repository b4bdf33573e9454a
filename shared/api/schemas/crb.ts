import * as z from "zod";
import { orgTypes, posConnectionStatuses } from "../enumerations.ts";
import { CITY, EIN, PHONE, POSTAL_CODE, SHORT_DATE, WEBSITE } from "../patterns.ts";
import { businessType, crbStatus, entityType, posTypeName, state, timezone } from "./codes.ts";
import { count, dateTime, uuid } from "./scalars.ts";

/** A CRB as its own credential sees it (docs/spec.md#crb-records): the first 23 fields of the whole record. */
export const crbCore = z
  .strictObject({
    id: uuid.describe("The `crb_id`"),
    name: z.string().describe("Name of the organization"),
    street_address: z.string().describe("Street"),
    street_address_2: z.string().nullable().describe("Second address line"),
    city: z.string().regex(CITY).nullable().describe("City"),
    ein: z.string().regex(EIN).nullable().describe("Employer identification number, `##-#######`"),
    phone_number: z.string().regex(PHONE).nullable().describe("Telephone, `(###) ###-####`"),
    postal_code: z.string().regex(POSTAL_CODE).nullable().describe("Postal code"),
    country: z.string().nullable().describe("Country"),
    state,
    website: z.string().regex(WEBSITE).nullable().describe("Web address"),
    timezone,
    mailing_street_address: z.string().nullable().describe("Street of the mailing address"),
    mailing_city: z.string().regex(CITY).nullable().describe("City of the mailing address"),
    mailing_state: state.nullable().describe("State of the mailing address"),
    mailing_postal_code: z.string().regex(POSTAL_CODE).nullable().describe("Postal code of the mailing address"),
    established_date: z.string().regex(SHORT_DATE).nullable().describe("Day the business was established"),
    ftEmployees: count.nullable().describe("Full-time employees"),
    ptEmployees: count.nullable().describe("Part-time employees"),
    entityType: entityType.nullable(),
    dba: z.string().nullable().describe("Trading name (Doing Business As)"),
    monthlySales: z.string().regex(/^\d+$/).nullable().describe("Estimated monthly sales, decimal digits"),
    monthlyCustomers: count.nullable().describe("Estimated monthly customers"),
  })
  .meta({ id: "CrbCore", description: "A CRB as its own credential sees it" });

/** The response to the creation of a CRB. */
export const createdCrb = crbCore
  .extend({
    unmatched_licenses: z
      .array(z.string())
      .optional()
      .describe(
        "The sent license numbers that no license of the state's register has, or several have; present if `license_numbers` was sent",
      ),
  })
  .meta({ id: "CreatedCrb", description: "A CRB that was just created" });

/** A CRB with its due-diligence status (docs/spec.md#crb-records). */
export const crb = crbCore
  .extend({
    org_type: z
      .enum(orgTypes)
      .describe("`dispensary` is a stand-alone business or one of several; `muo` is the parent of several"),
    business_type: businessType.nullable(),
    template_id: uuid.describe("The assigned onboarding template"),
    template_result_id: uuid.describe("This CRB's answers to the template; `getCrbOnboardingTemplate` returns them"),
    status: crbStatus,
    pos_configs: z
      .array(
        z.strictObject({
          name: posTypeName.describe("POS type"),
          updated_date: dateTime.describe(
            "When `status` last changed; it changes when the POS begins to accept or reject the credentials",
          ),
          status: z.enum(posConnectionStatuses).optional().describe("Whether the POS can be read"),
        }),
      )
      .describe("Connections to POS systems; empty before the first"),
  })
  .meta({ id: "Crb", description: "A CRB with its due-diligence status" });

export type Crb = z.output<typeof crb>;

/** The fields of a whole record that the CRB's own credential sees (`crbCore`). */
export const coreOf = (record: Crb): object =>
  Object.fromEntries(Object.keys(crbCore.shape).map((field) => [field, record[field as keyof Crb]]));
