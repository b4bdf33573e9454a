import * as z from "zod";
import { identityProviderStatuses } from "../enumerations.ts";
import { person, personRole } from "./person.ts";
import { name, sound, wellFormedError } from "./requestFields.ts";
import { dateTime, uuid } from "./scalars.ts";

export const shortName = z.string().regex(/^[a-z0-9-]{3,40}$/, { error: "must be 3 to 40 of a-z, 0-9 and -" });

/** The maximum length of an issuer. Its other rules need a look-up (`issuerIssue`). */
export const maxIssuerLength = 255;

const issuer = z
  .string()
  .min(1)
  .max(maxIssuerLength)
  .describe("The address of the identity provider, exactly as the claim `iss` of its ID tokens has it");

const oidcClientId = z
  .string()
  .regex(/^[!-~]{1,255}$/, { error: "must be 1 to 255 visible ASCII characters" })
  .describe("The client id that the identity provider gave to your application; the claim `aud` of its ID tokens");

// Claims are compared exactly, so nothing is trimmed.
const exactText = z.string().min(1).max(255).refine(sound, wellFormedError);

const roleMapping = z
  .strictObject({
    claim: exactText.describe("The name of a claim in the ID token, such as `groups`"),
    value: exactText.describe(
      "The value that gives the role. If the claim is a list, one of its elements must be equal",
    ),
    role: personRole,
  })
  .meta({ id: "RoleMapping", description: "The claim that gives persons a role. Of several roles, the widest holds" });

const settings = {
  short_name: shortName.describe("The name in the address of your sign-in; unique in the stage"),
  issuer,
  client_id: oidcClientId,
  customers: z.boolean().describe("Whether persons may read customers, and exports, which contain them"),
  roles: z.array(roleMapping).min(1).max(20).describe("Which claims give which role"),
};

/** The settings as they are sent. */
export const identityProviderUpdate = z
  .strictObject({ ...settings, customers: settings.customers.default(false) })
  .meta({
    id: "IdentityProviderUpdate",
    description: "The identity provider with which the persons of a service provider sign in",
  });

export type IdentityProviderSettings = z.output<typeof identityProviderUpdate>;

export const identityProvider = z
  .strictObject({
    ...settings,
    status: z
      .enum(identityProviderStatuses)
      .meta({ id: "IdentityProviderStatus", description: "Whether persons can sign in" })
      .describe("`suspended` if the credential that made the settings was revoked or has expired: set them again"),
    credential_id: uuid.describe(
      "The client id of the persons: in `created_by` and similar fields, in events and in the list of credentials. Each change makes another one",
    ),
    expires_date: dateTime
      .nullable()
      .describe("The time at which the settings are suspended unless they are set again; null if there is none"),
    changed_date: dateTime.describe("When the settings were last set"),
    changed_by: uuid.nullable().describe("Client id of the credential that set them; null if the operator did"),
    changed_by_person: person.nullable().describe("The person who set them; null for programs"),
  })
  .meta({ id: "IdentityProvider", description: "The identity provider of a service provider, with its roles" });

export type IdentityProvider = z.output<typeof identityProvider>;

export const signIn = z
  .strictObject({
    name: name.describe("The name of the service provider"),
    sp_id: uuid.describe("The service provider"),
    issuer,
    client_id: oidcClientId,
  })
  .meta({ id: "SignIn", description: "What a page needs to let persons of a service provider sign in" });
