import * as z from "zod";
import { businessTypes, connectablePosTypes } from "../enumerations.ts";
import { posTypes } from "../pos/posTypes.ts";
import { businessDetails } from "./businessDetails.ts";
import { createBoundedList, hasValidFields } from "./checks.ts";
import { businessType, connectablePosType, state, timezone } from "./codes.ts";
import { credentialIssues } from "./credentialIssues.ts";
import { email, name, nameRule, text, uuidSent } from "./requestFields.ts";

/** Maximum number of people whom one creation invites (docs/spec.md#limits). */
const maxUsers = 100;

const organization = z.strictObject({
  name: name.describe(`Name of the organization; ${nameRule}`),
  state,
  business_type: businessType.exactOptional().describe("Required here, unless the body has it next to `org`"),
  template_id: uuidSent
    .exactOptional()
    .describe("A published onboarding template of the service provider; if absent, the one that was published last"),
  timezone: timezone.exactOptional().describe("If absent, the default of the state"),
  primary_contact_email: email
    .exactOptional()
    .describe("Address for notices about the CRB; if absent, the operator's support address"),
  ...businessDetails,
});

/** Maximum number of license numbers in one request (docs/spec.md#limits). */
export const maxLicenseNumbers = 10;

export const licenseNumbers = createBoundedList(maxLicenseNumbers, text);

/** Any object, with texts trimmed; `credentialIssues` checks it. Zod's `record` would drop a key `__proto__`. */
const posCredentials = z
  .custom<Readonly<Record<string, unknown>>>(
    (sent) => typeof sent === "object" && sent !== null && !Array.isArray(sent),
    { error: ({ input }) => (input === undefined ? "is required" : "must be an object") },
  )
  .meta({ override: { type: "object", propertyNames: { type: "string" }, additionalProperties: {} } })
  .transform((sent) => Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, trimmed(value)])))
  .describe(
    "The properties that `getPosCredentialsSchema` lists for this `pos_type`; stored encrypted and never returned",
  );

const trimmed = (value: unknown): unknown => (typeof value === "string" ? value.trim() : value);

export const posInfo = z.strictObject({
  pos_type: connectablePosType.describe(
    "A POS type that the stage offers; `getPosCredentialsSchema` lists them. Any other POS type gets 422",
  ),
  pos_credentials: posCredentials,
  location_id: z
    .union([z.string().trim().max(255), z.number()], { error: "must be a string or a number" })
    .transform(String)
    .exactOptional()
    .describe(
      "The location in the POS that belongs to this CRB; required if `location_required` is true or the credentials give access to several locations",
    ),
});

const user = z.strictObject({
  email: email.describe("Address that the invitation is sent to"),
  firstName: name.describe(`First name; ${nameRule}`),
  lastName: name.describe(`Last name; ${nameRule}`),
  phone: text.exactOptional().describe("Phone number; accepted, but not stored or used"),
});

const nobody = { maxItems: 0 };

/** A schema without valid values, like `false`. oapi-codegen does not accept `false` as a schema. */
const nothing = { not: {} };

/**
 * The part of the checks below that JSON Schema can express. This schema rejects a body with neither `pos_info` nor
 * users, without users where onboarding is required, or without a `business_type` in either place. It uses `not`, which
 * client generators ignore: if it used an `anyOf` next to the fields, the generators would write types that cannot read
 * the fields.
 */
const describedRejections = {
  not: {
    anyOf: [
      { properties: { pos_info: nothing, users: nobody } },
      {
        required: ["options"],
        properties: {
          options: { required: ["onboarding_required"], properties: { onboarding_required: { const: true } } },
          users: nobody,
        },
      },
      { properties: { business_type: nothing, org: { properties: { business_type: nothing } } } },
    ],
  },
};

/**
 * The body that creates a CRB (docs/spec.md#checks-of-a-new-crb). All failures are reported together, so each check
 * runs on the valid fields, even if other checks fail.
 */
export const crbCreation = z
  .strictObject({
    org: organization.describe("The organization"),
    business_type: businessType.exactOptional().describe("Alternative to `org.business_type`"),
    pos_info: posInfo.exactOptional().describe("The POS to connect at once, with its credentials"),
    users: createBoundedList(maxUsers, user)
      .exactOptional()
      .describe("People to invite; at least one if there is no `pos_info`"),
    license_numbers: licenseNumbers
      .exactOptional()
      .describe(
        "License numbers of the business in the register of `org.state`, compared without letter case. A number is linked if exactly one license has it; the response lists the others",
      ),
    options: z
      .strictObject({
        onboarding_required: z
          .boolean()
          .exactOptional()
          .describe("`true` leaves the CRB pending until its users finish onboarding; `false` if absent"),
      })
      .exactOptional()
      .describe("Options of the onboarding"),
  })
  .superRefine(
    (body, { addIssue }) => {
      const fail = (path: string[], message: string) => addIssue({ code: "custom", path, message, input: body });
      const { org, business_type: outer, pos_info: pos, users, options } = body as Partial<typeof body>;
      const nobody = !Array.isArray(users) || users.length === 0;
      if (pos === undefined && nobody) {
        fail(["pos_info"], "is required, unless users invites at least one person");
        fail(["users"], "must have at least one entry, unless pos_info is sent");
      }
      if (options?.onboarding_required === true && nobody) {
        fail(["users"], "must have at least one entry if options.onboarding_required is true");
      }
      const inner = org?.business_type;
      if (org && inner === undefined && outer === undefined) fail(["org", "business_type"], "is required");
      if (isBusinessType(inner) && isBusinessType(outer) && inner !== outer) {
        fail(["business_type"], "must equal org.business_type");
      }
      const posType = isConnectable(pos?.pos_type) ? pos.pos_type : undefined;
      const businessType = inner ?? outer;
      if (posType && isBusinessType(businessType) && posTypes[posType].businessType !== businessType) {
        fail(["org", "business_type"], `must be ${posTypes[posType].businessType}, which ${posType} serves`);
        fail(["pos_info", "pos_type"], `must serve ${businessType} businesses`);
      }
      if (posType && typeof pos?.pos_credentials === "object" && pos.pos_credentials !== null) {
        for (const { property, message } of credentialIssues(posType, pos.pos_credentials)) {
          fail(["pos_info", "pos_credentials", property], message);
        }
      }
    },
    { when: hasValidFields() },
  )
  .meta({
    ...describedRejections,
    id: "CrbCreation",
    description: "A CRB to create; without `pos_info` there must be at least one user",
  });

export type CrbCreation = z.output<typeof crbCreation>;

const isBusinessType = (value: unknown): value is (typeof businessTypes)[number] =>
  (businessTypes as readonly unknown[]).includes(value);

export const isConnectable = (value: unknown): value is (typeof connectablePosTypes)[number] =>
  (connectablePosTypes as readonly unknown[]).includes(value);

/** The header that identifies a repeated creation (docs/spec.md#idempotency). */
export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, { error: "must be 1 to 255 visible ASCII characters and be sent only once" })
    .optional()
    .describe("For 24 hours, the same key with the same body returns the first response again and creates nothing"),
});
