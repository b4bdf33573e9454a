import * as z from "zod";
import { linkedLicenseStatuses, posConnectionStatuses } from "../enumerations.ts";
import { LICENSE_ID } from "../patterns.ts";
import { createBoundedList, hasValidFields } from "./checks.ts";
import { businessType, crbStatus, posTypeName, state } from "./codes.ts";
import { isConnectable, licenseNumbers, maxLicenseNumbers, posInfo } from "./crbCreation.ts";
import { credentialIssues } from "./credentialIssues.ts";
import { holderMatch, licenseActorKind } from "./linkedLicense.ts";
import { email, uuidSent } from "./requestFields.ts";
import { requirement } from "./requirement.ts";
import { dateTime, uuid } from "./scalars.ts";

/** A step that `submitOnboarding` still needs. */
const missingStep = z
  .strictObject({
    step: z.enum(["consent", "pos_connection", "document"]).describe("The missing step"),
    requirement_id: uuid.optional().describe("The requirement that needs a document; only with step `document`"),
  })
  .meta({ id: "MissingStep", description: "A step that is missing before the onboarding can be submitted" });

export type MissingStep = z.output<typeof missingStep>;

/** The fields of a license by which an invited user recognizes it. */
const knownLicense = z.strictObject({
  id: z.string().regex(LICENSE_ID).describe("Identifies the license"),
  license_identifier: z.string().nullable().describe("License number"),
  licensee: z.string().nullable().describe("Holder"),
  trade_names: z.array(z.string()).describe("Names of the businesses on the license"),
  licensing_authority_name: z.string().describe("Name of the authority"),
  holder_matches: holderMatch,
});

/** A license that a user may link to the business. */
const foundLicense = knownLicense.meta({
  id: "FoundLicense",
  description: "A license with a number that was sent. It is not linked yet",
});

export type FoundLicense = z.output<typeof foundLicense>;

/** A linked license, as the invited users of the business see it. */
const onboardingLicense = knownLicense
  .extend({
    linked_by_kind: licenseActorKind,
    status: z.enum(linkedLicenseStatuses).describe("Status, as the service compared it last with the register"),
    expires_at: z.string().nullable().describe("Expires"),
  })
  .meta({ id: "OnboardingLicense", description: "A linked license, as invited users see it" });

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
      .describe("The business to onboard"),
    service_provider: z
      .strictObject({ name: z.string().describe("Name of the organization") })
      .describe("The inviting service provider"),
    user: z
      .strictObject({
        first_name: z.string().describe("First name"),
        last_name: z.string().describe("Last name"),
        email: z.string().describe("Address that the invitation was sent to"),
      })
      .describe("The user of the invitation token"),
    status: crbStatus,
    under_review_since: dateTime
      .nullable()
      .describe(
        "When the review began to be due that `status` names: `svc_awaiting_review`, `bank_awaiting_review` or `bank_review_in_progress`; null in other statuses",
      ),
    terms: z
      .strictObject({
        version: z.string().describe("The value to send to `giveConsent`"),
        sections: z
          .array(
            z.strictObject({
              title: z.string().describe("Heading"),
              text: z
                .string()
                .describe(
                  "Plain text. A blank line separates paragraphs; a line that begins with `- ` is an item of a list",
                ),
            }),
          )
          .describe("The sections to show before consent, in this order"),
      })
      .describe("The current terms"),
    consent: z
      .strictObject({
        terms_version: z
          .string()
          .describe(
            "The version of the terms that the consent covers; if it differs from `terms.version`, show the new terms for consent",
          ),
        date: dateTime.describe("When consent was given"),
        given_by: z.string().describe("Name of the user who gave consent"),
      })
      .nullable()
      .describe("The consent of the business, given by any of its users; null if it was not given or was withdrawn"),
    pos: z
      .strictObject({
        name: posTypeName.describe("POS type"),
        status: z.enum(posConnectionStatuses).describe("Whether the POS can be read"),
        updated_date: dateTime.describe("When `status` last changed"),
      })
      .nullable()
      .describe("The connection to the POS; null before the first"),
    requirements: z.array(requirement).describe("The required documents"),
    licenses: z
      .array(onboardingLicense)
      .describe("The licenses that are linked to the business, the last linked one first"),
    missing: z
      .array(missingStep)
      .describe("The steps that `submitOnboarding` still requires; empty if none is missing"),
  })
  .meta({ id: "Onboarding", description: "The state of a business's onboarding, as its invited users see it" });

export type Onboarding = z.output<typeof onboarding>;

/** License numbers that a user enters. */
export const enteredLicenses = z
  .strictObject({
    license_numbers: licenseNumbers.describe(
      "Numbers in the register of the business's state, compared without letter case",
    ),
    confirmed_licenses: createBoundedList(
      maxLicenseNumbers,
      z.string().regex(LICENSE_ID, { error: "must be the id of a license" }),
    )
      .exactOptional()
      .describe(
        "Ids of the licenses that the user has confirmed as licenses of the business. Other licenses with these numbers are not linked, but listed as `unconfirmed_licenses`. Without this field, all of them are linked",
      ),
  })
  .meta({ id: "EnteredLicenses", description: "License numbers of the business" });

/** The onboarding after license numbers were entered. */
export const onboardingWithLicenses = onboarding
  .extend({
    unmatched_licenses: z
      .array(z.string())
      .describe("The sent numbers that no license of the state's register has, or several have"),
    unconfirmed_licenses: z
      .array(foundLicense)
      .describe(
        "The licenses with the other numbers that are neither linked nor confirmed; show them for confirmation",
      ),
  })
  .meta({
    id: "OnboardingLicenses",
    description: "The onboarding, the license numbers without a match, and the licenses to confirm",
  });

export type OnboardingLicenses = z.output<typeof onboardingWithLicenses>;

/** Consent to the shown terms. */
export const consentGiven = z
  .strictObject({
    terms_version: z.string().min(1).max(255).describe("The `version` of the terms that the user was shown"),
  })
  .meta({ id: "ConsentGiven", description: "Consent to the shown terms" });

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
  .meta({ id: "PosConnection", description: "A POS to connect, with its credentials" });

/** A request for a new link. */
export const linkRequest = z
  .strictObject({
    email: email.describe("The invited address"),
    crb_id: uuidSent
      .exactOptional()
      .describe("Limits the mail to one business; if absent, it covers all businesses of the address"),
  })
  .meta({ id: "LinkRequest", description: "A request for a new link" });

/** The response is the same for known and unknown addresses. */
export const linkRequested = z
  .strictObject({})
  .meta({ id: "LinkRequested", description: "An empty object; it does not reveal whether the address is known" });
