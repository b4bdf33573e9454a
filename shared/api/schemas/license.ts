import * as z from "zod";
import {
  licenseMedRecClassifications,
  licensingAuthorityTiers,
  uniformLicenseStatuses,
  uniformLicenseTypes,
} from "../enumerations.ts";

const text = z.string().nullable();
const named = z.array(z.strictObject({ name: z.string() }));

const authorityAddress = z.strictObject({
  street: text,
  premise: text,
  sub_premise: text,
  box_number: text,
  locality: text,
  sub_locality: text,
  region: text.describe("State, two letters; compared with `state`"),
  sub_region: text,
  postal_code: text,
  country: text,
  created_at: text,
  updated_at: text,
});

/** A licence as a state's register has it (contract 9.21). */
export const license = z
  .strictObject({
    licensee: text.describe("Holder"),
    license_identifier: text.describe("Licence number"),
    locality: text.describe("Place"),
    med_rec_classification: z.enum(licenseMedRecClassifications).nullable(),
    licensing_authority_name: z.string().describe("Empty where there is no authority"),
    licensing_authority_tier: z.enum(licensingAuthorityTiers),
    licensing_authority_address: authorityAddress,
    state_license_class_description: text,
    state_license_sub_class_description: text,
    state_license_status_description: text,
    reported_license_type_description: z.string().describe("Type as the register reports it"),
    reported_license_status: z.string().describe("Status as the register reports it"),
    reported_license_sub_type: text,
    uniform_license_type_description: z.enum(uniformLicenseTypes),
    uniform_license_status_description: z.enum(uniformLicenseStatuses),
    status_date: z.string().describe("Date of the status"),
    issued_at: text,
    expires_at: text,
    created_at: z.string(),
    updated_at: z.string(),
    edited_at: z.string(),
    businesses: named.describe("Businesses on the licence"),
    individuals: named.describe("People on the licence"),
  })
  .meta({ id: "License" });

export type License = z.output<typeof license>;
