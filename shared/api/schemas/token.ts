import * as z from "zod";
import { createBoundedList, hasValidFields } from "./checks.ts";
import { accessScope } from "./codes.ts";
import { signedInPerson } from "./person.ts";
import { uuidSent } from "./requestFields.ts";
import { count, epoch } from "./scalars.ts";

/** The maximum is far above the number of scopes, so that requests may repeat scopes. */
const maxScopes = 100;

const credentialPart = z.string().min(1).max(255).optional();

/** The grant that exchanges an ID token (RFC 7523, 2.1). */
export const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** The maximum length of an assertion. An ID token with many groups has some thousand characters. */
const maxAssertionLength = 12_000;

/** The type of an assertion that authenticates a client (RFC 7523, 2.2). */
export const clientAssertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

interface Credential {
  client_id?: string | undefined;
  client_secret?: string | undefined;
  client_assertion?: string | undefined;
  client_assertion_type?: string | undefined;
}

interface Assertion {
  grant_type?: string | undefined;
  sp_id?: string | undefined;
  assertion?: string | undefined;
}

const needsClientId = z.refine<Credential>(
  ({ client_id: id, client_secret: secret }) => id !== undefined || secret === undefined,
  {
    path: ["client_id"],
    error: "is required together with client_secret",
    when: hasValidFields("client_id", "client_secret"),
  },
);

const needsWithIdToken = (name: "assertion" | "sp_id") =>
  z.refine<Assertion>((sent) => sent.grant_type !== jwtBearer || sent[name] !== undefined, {
    path: [name],
    error: `is required with grant_type ${jwtBearer}`,
    when: hasValidFields("grant_type", name),
  });

const needsTogether = (name: "client_assertion" | "client_assertion_type", other: typeof name) =>
  z.refine<Credential>((sent) => sent[other] === undefined || sent[name] !== undefined, {
    path: [name],
    error: `is required together with ${other}`,
    when: hasValidFields("client_assertion", "client_assertion_type"),
  });

// RFC 6749, 2.3: a request authenticates its client in one way.
const noSecretWithAssertion = z.refine<Credential>(
  (sent) => sent.client_assertion === undefined || sent.client_secret === undefined,
  {
    path: ["client_secret"],
    error: "must not be sent together with client_assertion",
    when: hasValidFields("client_assertion", "client_secret"),
  },
);

const rules = [
  needsClientId,
  needsTogether("client_assertion", "client_assertion_type"),
  needsTogether("client_assertion_type", "client_assertion"),
  noSecretWithAssertion,
  needsWithIdToken("sp_id"),
  needsWithIdToken("assertion"),
] as const;

/** Rules of these checks in JSON Schema, for the API description, which cannot show checks in code. */
const describedNeed = {
  dependentRequired: {
    client_secret: ["client_id"],
    assertion: ["sp_id"],
    client_assertion: ["client_assertion_type"],
    client_assertion_type: ["client_assertion"],
  },
};

/**
 * A token request (docs/spec.md#token-exchange). Without a secret, the `Authorization` header authenticates the request.
 * Unknown parameters are ignored (RFC 6749, 3.2).
 */
export const tokenRequest = z
  .object({
    client_id: credentialPart.describe("Client id; without the secret, it must be that of the `Authorization` header"),
    client_secret: credentialPart.describe("Secret of the client id"),
    client_assertion_type: z
      .literal(clientAssertionType)
      .optional()
      .describe("The type of `client_assertion`, always the same"),
    client_assertion: z
      .string()
      .min(1)
      .max(maxAssertionLength)
      .optional()
      .describe("A JWT that one of the credential's keys signed, in place of a secret"),
    grant_type: z
      .enum(["client_credentials", jwtBearer])
      .describe(`\`client_credentials\` for programs; \`${jwtBearer}\` for persons, with \`assertion\` and \`sp_id\``),
    assertion: z
      .string()
      .min(1)
      .max(maxAssertionLength)
      .optional()
      .describe("The ID token of a person, from the identity provider of the service provider"),
    sp_id: uuidSent.optional().describe("The service provider of the person, as `getSignIn` returns it"),
    scope: createBoundedList(maxScopes, accessScope)
      .optional()
      .describe("Requested scopes; all scopes of the credential if absent or empty"),
  })
  .check(...rules)
  .meta({
    ...describedNeed,
    id: "TokenRequest",
    description:
      "A request for an access token; without a `client_secret`, the `Authorization` header authenticates it",
  });

const isScope = (word: string) => accessScope.safeParse(word).success;

/** Scopes in a form (RFC 6749, 3.3). */
const scopeWords = z
  .string()
  .max(4096)
  .transform((text) => text.split(" ").filter(Boolean))
  .refine((words) => words.every(isScope), {
    error: `must be words separated by spaces, and each word must be one of ${accessScope.options.join(", ")}`,
  })
  .pipe(z.array(accessScope));

/** A token request as a form, as OAuth 2 libraries send it (RFC 6749, 4.4.2). */
export const tokenForm: z.ZodType<z.output<typeof tokenRequest>> = z
  .object({
    ...tokenRequest.shape,
    scope: scopeWords
      .optional()
      .describe("Requested scopes, separated by spaces; all scopes of the credential if absent or empty"),
  })
  .check(...rules)
  .meta({ ...describedNeed, id: "TokenForm", description: "The same request as a form, as OAuth 2 libraries send it" });

/** The token, its scopes and its lifetime (docs/spec.md#token-exchange). */
export const tokenResponse = z
  .strictObject({
    access_token: z.string().describe("The token to send in the `Authorization` header"),
    token_type: z.literal("Bearer").describe("Kind of token"),
    scope: z
      .union([z.array(accessScope), z.string()])
      .describe("Scopes of the token; in the response to a form, one text with spaces between the scopes"),
    expires_in: count.describe("Seconds until the token expires, at the time of the response"),
    expires_at: epoch.describe("When the token expires, in epoch seconds"),
    issued_at: epoch.describe("When the token was issued, in epoch seconds"),
    client_id: z.string().describe("Client id of the token's credential"),
    person: signedInPerson.nullable().describe("The person who signed in; null for programs"),
  })
  .meta({ id: "TokenResponse", description: "An access token with its scopes and lifetime" });
