import * as z from "zod";
import {
  crbLicenseStatuses,
  requirementCategories,
  requirementDocumentStatuses,
  requirementStatuses,
  states,
  tribalNationLicenseTypes,
  uniformLicenseTypes,
} from "../enumerations.ts";
import { dateTime, uuid } from "./scalars.ts";

/** A document as the requirement that it was added to shows it (contract 9.20). */
const requirementDocument = z
  .strictObject({
    id: uuid,
    status: z.enum(requirementDocumentStatuses),
    uploaded_by: z.string().describe("`client_id` of the uploading credential"),
    upload_date: dateTime,
    file_name: z.string().optional(),
    friendly_name: z.string().optional(),
    internal_note: z.string().optional(),
    expiration_date: z.string().optional(),
    license_name: z.string().optional(),
    license_number: z.string().optional(),
    state: z.enum(states).optional(),
    reviewed_by: uuid.optional().describe("`client_id` of the reviewing credential"),
    review_date: dateTime.optional(),
    tribal_nation: z.string().optional(),
    tribal_nation_license_type: z.enum(tribalNationLicenseTypes).optional(),
    license_status: z.enum(crbLicenseStatuses).optional().describe("Status in the licence register"),
    date_verified: z.string().optional(),
    verified_expiration_date: z.string().optional(),
    business_name: z.string().optional(),
    licensing_authority: z.string().optional(),
    license_identifier: z.string().optional(),
    licensing_authority_state: z.string().optional(),
    uniform_license_type_description: z.enum(uniformLicenseTypes).optional(),
    reported_license_type_description: z.string().optional(),
  })
  .meta({ id: "RequirementDocument" });

export type RequirementDocument = z.output<typeof requirementDocument>;

/** A document that a CRB is asked for, and what was added to meet it (contract 9.19). */
export const requirement = z
  .strictObject({
    requirement_id: uuid.optional(),
    name: z.string(),
    description: z.string().optional(),
    category: z.enum(requirementCategories).optional(),
    required: z.boolean().optional().describe("Must be met"),
    archived: z.boolean().optional().describe("No longer asked for"),
    requirement_version: z.string().optional(),
    status: z.enum(requirementStatuses).optional(),
    date_created: dateTime.optional(),
    date_updated: dateTime.optional(),
    documents: z.array(requirementDocument).optional().describe("Documents not deleted, newest first"),
  })
  .meta({ id: "Requirement" });

export type Requirement = z.output<typeof requirement>;
