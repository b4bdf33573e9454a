import * as z from "zod";
import { createBoundedList, hasValidFields } from "./checks.ts";
import { accessScope } from "./codes.ts";
import { count } from "./scalars.ts";

/** The maximum is far above the number of scopes, so that requests may repeat scopes. */
const maxScopes = 100;

const credentialPart = z.string().min(1).max(255).optional();

interface Credential {
  client_id?: string | undefined;
  client_secret?: string | undefined;
}

/** A check that rejects a request with `other` but without `part`. */
const needs = (part: keyof Credential, other: keyof Credential) =>
  z.refine<Credential>((request) => request[part] !== undefined || request[other] === undefined, {
    path: [part],
    error: `is required together with ${other}`,
    when: hasValidFields(part, other),
  });

const wholeCredential = [needs("client_id", "client_secret"), needs("client_secret", "client_id")] as const;

/** The rule of `wholeCredential` in JSON Schema, for the API description, which cannot show checks in code. */
const describedAsWhole = { dependentRequired: { client_id: ["client_secret"], client_secret: ["client_id"] } };

/**
 * A token request (docs/spec.md#token-exchange): both parts of a credential, or neither. A request with neither uses
 * the API key in the `Authorization` header.
 */
export const tokenRequest = z
  .strictObject({
    client_id: credentialPart.describe("Client id; if it and the secret are absent, the header authenticates"),
    client_secret: credentialPart.describe("Secret of the client id"),
    grant_type: z.literal("client_credentials").describe("The only supported grant"),
    scope: createBoundedList(maxScopes, accessScope)
      .optional()
      .describe("Requested scopes; all scopes of the credential if absent or empty"),
  })
  .check(...wholeCredential)
  .meta({
    ...describedAsWhole,
    id: "TokenRequest",
    description: "A request for an access token, with both `client_id` and `client_secret` or neither of them",
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
  .strictObject({
    ...tokenRequest.shape,
    scope: scopeWords
      .optional()
      .describe("Requested scopes, separated by spaces; all scopes of the credential if absent or empty"),
  })
  .check(...wholeCredential)
  .meta({
    ...describedAsWhole,
    id: "TokenForm",
    description: "The same request as a form, as OAuth 2 libraries send it",
  });

/** The token, its scopes and its lifetime (docs/spec.md#token-exchange). */
export const tokenResponse = z
  .strictObject({
    access_token: z.string().describe("The token to send in the `Authorization` header"),
    token_type: z.literal("Bearer").describe("Kind of token"),
    scope: z
      .union([z.array(accessScope), z.string()])
      .describe("Scopes of the token; in the response to a form, one text with spaces between the scopes"),
    expires_in: count.describe("Seconds until the token expires, at the time of the response"),
    expires_at: z.number().describe("When the token expires, in epoch seconds"),
    issued_at: z.number().describe("When the token was issued, in epoch seconds"),
    client_id: z.string().describe("Client id of the token's credential"),
  })
  .meta({ id: "TokenResponse", description: "An access token with its scopes and lifetime" });
