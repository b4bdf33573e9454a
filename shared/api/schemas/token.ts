import * as z from "zod";
import { listOfAtMost, whenSound } from "./checks.ts";
import { accessScope } from "./codes.ts";

/** Far more than there are, so that it matters to nobody who repeats some. */
const mostScopes = 100;

const credentialPart = z.string().min(1).max(255).optional();

/**
 * What a caller sends to get a token (contract 9.24). Both parts of the credential or neither: without them the API
 * key in the header counts (contract 2.4).
 */
export const tokenRequest = z
  .strictObject({
    client_id: credentialPart.describe("Client id; without it and the secret, the API key in the header counts"),
    client_secret: credentialPart.describe("Its secret"),
    grant_type: z.literal("client_credentials").describe("The one grant there is"),
    scope: listOfAtMost(mostScopes, accessScope)
      .optional()
      .describe("Scopes wanted; all of the credential when absent or empty"),
  })
  .refine((request) => request.client_id !== undefined || request.client_secret === undefined, {
    path: ["client_id"],
    error: "is required together with client_secret",
    when: whenSound("client_id", "client_secret"),
  })
  .refine((request) => request.client_secret !== undefined || request.client_id === undefined, {
    path: ["client_secret"],
    error: "is required together with client_id",
    when: whenSound("client_id", "client_secret"),
  })
  .meta({
    id: "TokenRequest",
    description: "What an access token is asked for with: `client_id` and `client_secret`, or neither of them",
  });

/** The token and what it is good for (contract 9.25). */
export const tokenResponse = z
  .strictObject({
    access_token: z.string().describe("For the `Authorization` header"),
    token_type: z.literal("Bearer").describe("Kind of token"),
    scope: z.array(accessScope).describe("What the token may do"),
    expires_at: z.number().describe("End of validity, epoch seconds"),
    issued_at: z.number().describe("Time of issue, epoch seconds"),
    client_id: z.string().describe("Whose token it is"),
  })
  .meta({ id: "TokenResponse", description: "An access token, and what it is good for" });
