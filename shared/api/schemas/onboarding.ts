import * as z from "zod";
import { posConnectionStatuses } from "../enumerations.ts";
import { hasValidFields } from "./checks.ts";
import { businessType, crbStatus, posTypeName, state } from "./codes.ts";
import { isConnectable, posInfo } from "./crbCreation.ts";
import { credentialIssues } from "./credentialIssues.ts";
import { email, uuidSent } from "./requestFields.ts";
import { requirement } from "./requirement.ts";
import { dateTime, uuid } from "./scalars.ts";

/** A step that `submitOnboarding` still needs. */
const missingStep = z
  .strictObject({
    step: z.enum(["consent", "pos_connection", "document"]).describe("What is to be done"),
    requirement_id: uuid.optional().describe("Of a document the requirement"),
  })
  .meta({ id: "MissingStep", description: "What is still to be done before the onboarding can be submitted" });

export type MissingStep = z.output<typeof missingStep>;

/** The state of a business's onboarding, as its invited users see it (docs/spec.md#in-app-onboarding). */
export const onboarding = z
  .strictObject({
    crb_id: uuid.describe("The CRB"),
    business: z
      .strictObject({
        name: z.string().describe("Name of the organization"),
        state,
        business_type: businessType.nullable(),
      })
      .describe("The business that is onboarded"),
    service_provider: z.strictObject({ name: z.string().describe("Its name") }).describe("Who invites"),
    user: z
      .strictObject({
        first_name: z.string().describe("First name"),
        last_name: z.string().describe("Last name"),
        email: z.string().describe("Where the invitation went"),
      })
      .describe("Whose invitation token it is"),
    status: crbStatus,
    terms: z
      .strictObject({
        version: z.string().describe("To be named in `giveConsent`"),
        sections: z
          .array(z.strictObject({ title: z.string().describe("Heading"), text: z.string().describe("Plain text") }))
          .describe("What is to be read before consent, in this order"),
      })
      .describe("The present terms"),
    consent: z
      .strictObject({
        terms_version: z
          .string()
          .describe("The terms that it was given to; if it differs from `terms.version`, ask again"),
        date: dateTime.describe("When it was given"),
        given_by: z.string().describe("Name of the user who gave it"),
      })
      .nullable()
      .describe("The consent of the business, whichever of its users gave it; null without one, or once withdrawn"),
    pos: z
      .strictObject({
        name: posTypeName.describe("POS type"),
        status: z.enum(posConnectionStatuses).describe("Whether the POS can be read"),
        updated_date: dateTime.describe("When `status` last changed"),
      })
      .nullable()
      .describe("The connection to the POS; null before there was one"),
    requirements: z.array(requirement).describe("The documents that are asked for"),
    missing: z.array(missingStep).describe("What `submitOnboarding` still needs; empty when nothing is"),
  })
  .meta({ id: "Onboarding", description: "How far the onboarding of a business is, as its invited users see it" });

export type Onboarding = z.output<typeof onboarding>;

/** Consent to terms that were read. */
export const consentGiven = z
  .strictObject({ terms_version: z.string().min(1).max(255).describe("The `version` of the terms that were shown") })
  .meta({ id: "ConsentGiven", description: "Consent to terms that were read" });

/** A POS that a user connects (docs/spec.md#pos-credentials). */
export const posConnection = posInfo
  .superRefine(
    ({ pos_type: posType, pos_credentials: sent }, { addIssue }) => {
      if (!isConnectable(posType) || typeof sent !== "object" || sent === null) return;
      for (const { property, message } of credentialIssues(posType, sent)) {
        addIssue({ code: "custom", path: ["pos_credentials", property], message, input: sent });
      }
    },
    { when: hasValidFields() },
  )
  .meta({ id: "PosConnection", description: "A POS to be connected, with its credentials" });

/** A request for a new link. */
export const linkRequest = z
  .strictObject({
    email: email.describe("The address that was invited"),
    crb_id: uuidSent.exactOptional().describe("The one business that is meant; all of the address without it"),
  })
  .meta({ id: "LinkRequest", description: "A request for a new link" });

/** The response does not depend on whether the address is known. */
export const linkRequested = z
  .strictObject({})
  .meta({ id: "LinkRequested", description: "Nothing: whether the address is known is not told" });
