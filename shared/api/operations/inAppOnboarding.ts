import type { Route } from "../operation.ts";
import { defineOperation, E4 } from "../operation.ts";
import { licenseInPath, noQuery } from "../parameters.ts";
import {
  consentGiven,
  enteredLicenses,
  linkRequest,
  linkRequested,
  onboarding,
  onboardingWithLicenses,
  posConnection,
} from "../schemas/onboarding.ts";
import { posCredentialsSchema } from "../schemas/posCredentialsSchema.ts";
import { requirement } from "../schemas/requirement.ts";
import { exampleRequirement } from "./exampleRequirement.ts";
import { exampleIds, rejectedTooOften } from "./examples.ts";
import { examplePosCredentials } from "./serviceProviders.ts";

// docs/spec.md#in-app-onboarding. The operations on documents also have a route for invited users: see
// requirementDocuments.ts.

const tag = "In-app Onboarding";

/** A route for invited users: the token names the CRB, so the path does not. */
const invitedRoute = <const Of extends Pick<Route, "operationId" | "method" | "path">>(of: Of) =>
  ({ ...of, caller: "invitedUser" }) as const;

const exampleOnboarding = {
  crb_id: exampleIds.crb,
  business: { name: "High Plains Dispensary", state: "CO", business_type: "retail" },
  service_provider: { name: "Front Range Community Bank" },
  user: { first_name: "Alex", last_name: "Moreno", email: "alex.moreno@highplains.example.com" },
  status: "svc_in_progress",
  under_review_since: null,
  terms: {
    version: "2026-11-25.5d1c0e9a",
    sections: [
      {
        title: "What you agree to",
        text: "With your credentials, this service copies the records of your business from your point-of-sale system. It changes nothing there.",
      },
    ],
  },
  consent: { terms_version: "2026-11-25.5d1c0e9a", date: "2026-02-11T18:20:02.000Z", given_by: "Alex Moreno" },
  pos: { name: "Flowhub", status: "Connected", updated_date: "2026-02-11T18:21:37.000Z" },
  requirements: [{ ...exampleRequirement, documents: [], status: "not_started" }],
  licenses: [
    {
      id: exampleIds.license,
      license_identifier: "402R-00417",
      licensee: "High Plains Dispensary LLC",
      trade_names: ["High Plains Dispensary"],
      licensing_authority_name: "Colorado Marijuana Enforcement Division",
      holder_matches: "same",
      linked_by_kind: "invited_user",
      status: "active",
      expires_at: "2027-05-31",
    },
  ],
  missing: [{ step: "document", requirement_id: exampleIds.requirement }],
} as const;

const answer = { schema: onboarding, description: "The onboarding after the change", example: exampleOnboarding };

export const sendOnboardingLink = defineOperation({
  handler: "onboarding/sendOnboardingLink",
  routes: [{ operationId: "sendOnboardingLink", method: "POST", path: "/onboarding/link", caller: "nobody" }],
  tag,
  summary: "Request a new link",
  description:
    "Sends a mail to an invited address, with a link for each business whose association is active, or only for the business in `crb_id`. Earlier links end with the first change that is made with the new one, so that a stranger who requests a link ends none. The response and its timing do not reveal whether the address is known. Only the first five requests for an address on a UTC day send a mail.",
  query: noQuery,
  body: linkRequest,
  maxBodyBytes: 16 * 1024,
  requests: { address: { summary: "By address", body: { email: exampleOnboarding.user.email } } },
  secrets: ["body.email"],
  success: { schema: linkRequested, description: "Nothing", example: {} },
  errors: [422],
  permissionSets: ["addressKey:read", "invitations:request"],
});

export const getOnboarding = defineOperation({
  handler: "onboarding/getOnboarding",
  routes: [invitedRoute({ operationId: "getOnboarding", method: "GET", path: "/onboarding" })],
  tag,
  summary: "Read the state of the onboarding",
  description:
    "Returns the business, the service provider, the terms, the consent, the POS connection, the required documents, and the missing steps. It changes nothing, so programs that open links in mails do no harm.",
  query: noQuery,
  success: { ...answer, description: "The onboarding" },
  errors: [401, 403],
  permissionSets: ["onboarding:view"],
});

export const giveConsent = defineOperation({
  handler: "onboarding/giveConsent",
  routes: [invitedRoute({ operationId: "giveConsent", method: "PUT", path: "/onboarding/consent" })],
  tag,
  summary: "Give consent",
  description:
    "Gives the business's consent to the terms that `getOnboarding` shows; any of its users may do so. The status `svc_pending` becomes `svc_in_progress`. All invited users get a mail with the terms. When the terms change, earlier consent stays valid for the terms to which it was given. Consent to an outdated version is rejected with 409. A repetition changes nothing.",
  query: noQuery,
  body: consentGiven,
  requests: {
    present: { summary: "Consent to the current terms", body: { terms_version: exampleOnboarding.terms.version } },
  },
  success: answer,
  errors: [401, 403, 409, 422],
  rejections: {
    409: {
      description: "The terms have changed since they were read. `data` names the current version.",
      examples: {
        changed: {
          code: "terms_changed",
          message: "The terms have changed: read them again.",
          data: { terms_version: exampleOnboarding.terms.version },
        },
      },
    },
  },
  permissionSets: ["onboarding:view", "consent:give", "invitations:request"],
});

export const withdrawConsent = defineOperation({
  handler: "onboarding/withdrawConsent",
  routes: [invitedRoute({ operationId: "withdrawConsent", method: "DELETE", path: "/onboarding/consent" })],
  tag,
  summary: "Withdraw consent",
  description:
    "Ends the connection to the POS: the service erases the credentials and stops replication. The service provider can still read the replicated records until they are purged. All invited users get a mail. The status `svc_awaiting_review` goes back to `svc_in_progress`; other statuses stay. The users may withdraw consent even if the service provider supplied the credentials. A repetition changes nothing.",
  query: noQuery,
  success: {
    ...answer,
    example: {
      ...exampleOnboarding,
      consent: null,
      pos: { ...exampleOnboarding.pos, status: "Not Connected", updated_date: "2026-02-14T09:02:11.000Z" },
      missing: [{ step: "consent" }, { step: "pos_connection" }, ...exampleOnboarding.missing],
    },
  },
  errors: [401, 403, 409],
  permissionSets: ["onboarding:view", "consent:withdraw", "invitations:request"],
});

export const getOnboardingPosCredentialsSchema = defineOperation({
  handler: "onboarding/getOnboardingPosCredentialsSchema",
  routes: [
    invitedRoute({
      operationId: "getOnboardingPosCredentialsSchema",
      method: "GET",
      path: "/onboarding/pos-credentials-schema",
    }),
  ],
  tag,
  summary: "Read which credentials the POS types of the business need",
  description: "Like `getPosCredentialsSchema`, for the POS types that serve the business type of the CRB.",
  query: noQuery,
  success: {
    schema: posCredentialsSchema,
    description: "What to send to `connectOnboardingPos`, by POS type",
    example: examplePosCredentials,
  },
  errors: [401, 403],
  permissionSets: ["onboarding:view"],
});

export const connectOnboardingPos = defineOperation({
  handler: "onboarding/connectOnboardingPos",
  routes: [invitedRoute({ operationId: "connectOnboardingPos", method: "PUT", path: "/onboarding/pos-connection" })],
  tag,
  summary: "Connect the POS",
  description:
    "Checks the credentials with the POS and connects it if it accepts them; replication begins at once. A later call replaces the credentials, or connects another POS instead; the records of the first POS stay.",
  query: noQuery,
  body: posConnection,
  requests: {
    posCredentials: {
      summary: "A POS with several locations",
      body: {
        pos_type: "Flowhub",
        pos_credentials: { key: "5f4dcc3b5aa765d61d8327deb882cf99", clientId: "front-range-417" },
        location_id: "testing",
      },
    },
  },
  secrets: ["body.pos_credentials"],
  success: { ...answer, example: { ...exampleOnboarding, missing: exampleOnboarding.missing } },
  errors: [401, 403, 409, 422, 503],
  rejections: {
    409: {
      description: "No user has given consent, or the organization is connected already.",
      examples: {
        consent: {
          code: "consent_missing",
          message: "The business has not given consent, or has withdrawn it: give consent first.",
        },
        connected: {
          code: "already_connected",
          message: "The service provider already has a CRB of this organization.",
        },
      },
    },
    422: {
      description:
        "A part of the body is invalid, or the POS rejects the credentials or the location. If the location is missing or wrong, `data.locations` lists the locations to choose from.",
      examples: {
        credentialsRefused: {
          fields: { "body.pos_credentials": { message: "are rejected by the POS; check each of them" } },
        },
        location: {
          fields: { "body.location_id": { message: "is required; choose one of data.locations" } },
          data: { locations: [{ id: "testing", name: "Sandbox Store", address: "1 Test Street" }] },
        },
      },
    },
    429: {
      description:
        "A limit is reached: of requests; of rejected POS credentials of the business's users (20 in ten minutes, 50 a UTC day); or of rejected POS credentials of the users of all businesses that the same credential created (60 in ten minutes, 200 a UTC day). Nothing was stored; try again after `Retry-After`.",
      examples: { requests: {}, posCredentials: { code: "pos_check_limit", message: rejectedTooOften } },
    },
    503: {
      description: "The POS cannot be reached. Nothing was stored; try again after `Retry-After`.",
      examples: {
        unreachable: { code: "pos_unavailable", message: "The POS cannot be reached. Try again after Retry-After." },
      },
    },
  },
  permissionSets: [
    "onboarding:view",
    "pos:connect",
    "posChecks:count",
    "posChecksOfInvited:count",
    "posCredentials:seal",
    "replication:request",
  ],
});

export const deleteOnboardingDocument = defineOperation({
  handler: "onboarding/deleteOnboardingDocument",
  routes: [
    invitedRoute({
      operationId: "deleteOnboardingDocument",
      method: "DELETE",
      path: "/onboarding/requirements/{requirement_id}/documents/{document_id}",
    }),
  ],
  tag,
  summary: "Delete a document as an invited user",
  description:
    "Deletes a `pending` document that an invited user of this CRB added; for any other document the response is 409. Otherwise it works like `deleteRequirementDocument`.",
  query: noQuery,
  success: {
    schema: requirement,
    description: "The requirement after the deletion",
    example: { ...exampleRequirement, status: "not_started", documents: [] },
  },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "The document was reviewed, or comes from the service provider.",
      examples: {
        reviewed: {
          code: "status_not_allowed",
          message: "A document with status approved cannot be deleted, only one with status pending.",
        },
        foreign: {
          code: "document_of_provider",
          message: "Invited users can delete only documents that invited users added.",
        },
      },
    },
  },
  permissionSets: ["documents:remove", "onboardingDocuments:remove"],
});

export const linkOnboardingLicenses = defineOperation({
  handler: "onboarding/linkOnboardingLicenses",
  routes: [invitedRoute({ operationId: "linkOnboardingLicenses", method: "PUT", path: "/onboarding/licenses" })],
  tag,
  summary: "Link licenses by their numbers",
  description:
    "Links each license of the register of the business's state whose number was sent, if exactly one license has the number. The response lists the other numbers as `unmatched_licenses`. Licenses that are linked already stay linked. Before it links a license, an app shows the holder to the user: it sends the numbers with an empty `confirmed_licenses`, asks about each of `unconfirmed_licenses`, and sends the numbers again with the confirmed ids. `license.linked` reports each link to the service provider.",
  query: noQuery,
  body: enteredLicenses,
  requests: {
    numbers: {
      summary: "Two numbers, to show the holders first",
      body: { license_numbers: ["402R-00431", "402R-00999"], confirmed_licenses: [] },
    },
    confirmed: {
      summary: "A confirmed license",
      body: { license_numbers: ["402R-00417"], confirmed_licenses: [exampleIds.license] },
    },
  },
  success: {
    schema: onboardingWithLicenses,
    description: "The onboarding, the numbers without a match, and the licenses to confirm",
    example: {
      ...exampleOnboarding,
      unmatched_licenses: ["402R-00999"],
      unconfirmed_licenses: [
        {
          id: "CO-pYB7kq0cT2uXf5d1hE9aZg",
          license_identifier: "402R-00431",
          licensee: "Front Range Botanicals LLC",
          trade_names: ["Front Range Botanicals"],
          licensing_authority_name: "Colorado Marijuana Enforcement Division",
          holder_matches: "different",
        },
      ],
    },
  },
  errors: [401, 403, 409, 422],
  rejections: {
    409: {
      description: "The CRB has 100 linked licenses, the maximum.",
      examples: {
        limit: { code: "license_limit", message: "A CRB can have 100 linked licenses. Unlink one of them first." },
      },
    },
  },
  permissionSets: ["onboarding:view", "licenses:search", "linkedLicenses:add"],
});

export const unlinkOnboardingLicense = defineOperation({
  handler: "onboarding/unlinkOnboardingLicense",
  routes: [
    invitedRoute({
      operationId: "unlinkOnboardingLicense",
      method: "DELETE",
      path: "/onboarding/licenses/{license_id}",
    }),
  ],
  tag,
  summary: "Unlink a license as an invited user",
  description:
    "Unlinks a license that an invited user of this CRB linked; for any other linked license the response is 409. `license.unlinked` reports it to the service provider. A license that is not linked gets 404.",
  path: licenseInPath,
  query: noQuery,
  requests: { license: { summary: "A license of Colorado", path: { license_id: exampleIds.license } } },
  success: { ...answer, example: { ...exampleOnboarding, licenses: [] } },
  errors: [...E4, 409],
  rejections: {
    409: {
      description: "An invited user did not link the license.",
      examples: {
        foreign: {
          code: "license_of_provider",
          message: "Invited users can unlink only licenses that invited users linked.",
        },
      },
    },
  },
  permissionSets: ["onboarding:view", "linkedLicenses:remove"],
});

export const submitOnboarding = defineOperation({
  handler: "onboarding/submitOnboarding",
  routes: [invitedRoute({ operationId: "submitOnboarding", method: "POST", path: "/onboarding/submit" })],
  tag,
  summary: "Submit the onboarding",
  description:
    "Submits the onboarding to the operator for review: `svc_in_progress` becomes `svc_awaiting_review`. Requires consent, a connected POS (unless the operator takes the records as files), and a document that is not archived for every `required` requirement.",
  query: noQuery,
  success: {
    ...answer,
    example: {
      ...exampleOnboarding,
      status: "svc_awaiting_review",
      under_review_since: "2026-02-12T16:05:09.000Z",
      missing: [],
    },
  },
  errors: [401, 403, 409],
  rejections: {
    409: {
      description:
        "A step is missing (`data.missing` lists all), or the status of the onboarding is not `svc_in_progress`.",
      examples: {
        missing: {
          code: "steps_missing",
          message: "The onboarding is incomplete: do the steps in data.missing first.",
          data: { missing: exampleOnboarding.missing },
        },
        status: { code: "status_not_allowed", message: "An onboarding with status svc_approved cannot be submitted." },
      },
    },
  },
  permissionSets: ["onboarding:view", "onboarding:submit"],
});
