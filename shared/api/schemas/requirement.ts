import * as z from "zod";
import {
  crbLicenseStatuses,
  requirementCategories,
  requirementDocumentStatuses,
  requirementStatuses,
  tribalNationLicenseTypes,
} from "../enumerations.ts";
import { state, uniformLicenseType } from "./codes.ts";
import { person } from "./person.ts";
import { dateTime, uuid } from "./scalars.ts";

/** A document as its requirement shows it (docs/spec.md#review-and-deletion). */
const requirementDocument = z
  .strictObject({
    id: uuid.describe("The `document_id`, the same as the `doc_id` of the document of the CRB"),
    status: z.enum(requirementDocumentStatuses).describe("Status of the review"),
    uploaded_by: z
      .string()
      .nullable()
      .describe(
        "`client_id` of the uploading credential, or id of the invitation of the user who uploaded it. Invited users see only the ids of invitations, else null",
      ),
    uploaded_by_person: person.nullable().describe("The person who uploaded it; null for programs and invited users"),
    upload_date: dateTime.describe("Time of upload"),
    file_name: z.string().optional().describe("File name as uploaded"),
    friendly_name: z.string().optional().describe("Name to show, as the sender of the file gave it"),
    internal_note: z.string().optional().describe("Note from the service provider"),
    expiration_date: z.string().optional().describe("Expiry"),
    license_name: z.string().optional().describe("Name on the license"),
    license_number: z.string().optional().describe("Number of the license"),
    state: state.optional(),
    reviewed_by: uuid.optional().describe("`client_id` of the reviewing credential; never sent to invited users"),
    reviewed_by_person: person.nullable().optional().describe("The person who reviewed it; null for programs"),
    review_date: dateTime.optional().describe("Time of the review"),
    review_note: z.string().optional().describe("Why the document was archived"),
    tribal_nation: z.string().optional().describe("Tribal nation that issued the license"),
    tribal_nation_license_type: z
      .enum(tribalNationLicenseTypes)
      .optional()
      .describe("License type of the tribal nation"),
    license_status: z
      .enum(crbLicenseStatuses)
      .optional()
      .describe("Status in the license register; only for business licenses"),
    date_verified: z.string().optional().describe("Day on which the operator confirmed the license"),
    verified_expiration_date: z.string().optional().describe("Expiry in the license register"),
    business_name: z.string().optional().describe("Legal name in the license register"),
    licensing_authority: z.string().optional().describe("Licensing authority in the license register"),
    license_identifier: z.string().optional().describe("License number in the license register"),
    licensing_authority_state: z.string().optional().describe("State of the licensing authority"),
    uniform_license_type_description: uniformLicenseType.optional(),
    reported_license_type_description: z.string().optional().describe("Type as the register reports it"),
  })
  .meta({ id: "RequirementDocument", description: "A document of a requirement" });

export type RequirementDocument = z.output<typeof requirementDocument>;

/** A document of any CRB that waits for review (docs/spec.md#documents-to-review). */
export const documentToReview = z
  .strictObject({
    crb_id: uuid.describe("The CRB"),
    crb_name: z.string().describe("Name of the CRB"),
    requirement_id: uuid.describe("The requirement"),
    requirement_name: z.string().describe("Name of the requirement"),
    category: z.enum(requirementCategories).optional().describe("Subject of the requirement"),
    required: z.boolean().describe("Whether the requirement needs a document"),
    document: requirementDocument,
  })
  .meta({ id: "DocumentToReview", description: "A document that waits for review, with its CRB and requirement" });

export type DocumentToReview = z.output<typeof documentToReview>;

/** A requested document of a CRB, with the documents that were added for it (docs/spec.md#requirement-status). */
export const requirement = z
  .strictObject({
    requirement_id: uuid.optional().describe("The requirement; always sent"),
    name: z.string().describe("Name of the document"),
    description: z.string().optional().describe("Description of the document"),
    category: z.enum(requirementCategories).optional().describe("Subject"),
    required: z.boolean().optional().describe("Whether the document is required"),
    archived: z.boolean().optional().describe("Whether the requirement is no longer in use"),
    requirement_version: z.string().optional().describe("Version of the template"),
    status: z
      .enum(requirementStatuses)
      .optional()
      .describe("`approved` if every document that is not archived is approved, `pending` if one of them is pending"),
    date_created: dateTime.optional().describe("Time of creation"),
    date_updated: dateTime.optional().describe("Time of the last change"),
    documents: z.array(requirementDocument).optional().describe("Documents that are not deleted, newest first"),
  })
  .meta({
    id: "Requirement",
    description: "A document that a CRB must provide, and the files that were added to meet the requirement",
  });

export type Requirement = z.output<typeof requirement>;
