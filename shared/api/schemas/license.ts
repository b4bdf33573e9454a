import * as z from "zod";
import { licenseMedRecClassifications, licensingAuthorityTiers, uniformLicenseStatuses } from "../enumerations.ts";
import { LICENSE_ID } from "../patterns.ts";
import { uniformLicenseType } from "./codes.ts";

const text = z.string().nullable();
const named = z.array(z.strictObject({ name: z.string().describe("Name") }));

const authorityAddress = z.strictObject({
  street: text.describe("Street"),
  premise: text.describe("Building"),
  sub_premise: text.describe("Part of the building, such as a suite"),
  box_number: text.describe("Post office box"),
  locality: text.describe("City"),
  sub_locality: text.describe("Part of the city"),
  region: text.describe("State, two letters; the search parameter `state` is compared with it"),
  sub_region: text.describe("County"),
  postal_code: text.describe("Postal code"),
  country: text.describe("Country"),
  created_at: text.describe("Creation in the register"),
  updated_at: text.describe("Last update in the register"),
});

/** A license in a state's register (docs/spec.md#license-search). */
export const license = z
  .strictObject({
    id: z
      .string()
      .regex(LICENSE_ID)
      .describe("Identifies the license; the same after every import. Send it to link the license to a CRB"),
    licensee: text.describe("Holder"),
    license_identifier: text.describe("License number"),
    locality: text.describe("Place"),
    med_rec_classification: z
      .enum(licenseMedRecClassifications)
      .nullable()
      .describe("Medical, recreational, both, or hemp"),
    licensing_authority_name: z.string().describe("Name of the authority; empty if there is none"),
    licensing_authority_tier: z.enum(licensingAuthorityTiers).describe("Level of government of the authority"),
    licensing_authority_address: authorityAddress.describe("Address of the authority"),
    state_license_class_description: text.describe("Class, as the state reports it"),
    state_license_sub_class_description: text.describe("Sub-class, as the state reports it"),
    state_license_status_description: text.describe("Status, as the state reports it"),
    reported_license_type_description: z.string().describe("Type as the register reports it"),
    reported_license_status: z.string().describe("Status as the register reports it"),
    reported_license_sub_type: text.describe("Sub-type as the register reports it"),
    uniform_license_type_description: uniformLicenseType,
    uniform_license_status_description: z
      .enum(uniformLicenseStatuses)
      .describe("Status, standardized over all states; `Unknown` if the meaning of the reported status is not certain"),
    status_date: z.string().describe("Date of the status"),
    issued_at: text.describe("Issued"),
    expires_at: text.describe("Expires"),
    created_at: z.string().describe("Creation in the register"),
    updated_at: z.string().describe("Last update in the register"),
    edited_at: z.string().describe("Last edit in the register"),
    businesses: named.describe("Businesses on the license"),
    individuals: named.describe("People on the license"),
  })
  .meta({ id: "License", description: "A license in a state's register" });

export type License = z.output<typeof license>;
