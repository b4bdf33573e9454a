import * as oauth from "oauth4webapi";
import { Rejection } from "../../browser/failures.ts";
import { institutionAddress } from "./address.ts";
import type { Client, Output } from "./operations.ts";
import { hasSignedOutSince, keepSession, mustAuthenticate, type StoredSession, storage } from "./storage.ts";

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** Milliseconds in which an identity provider must respond. */
const timeoutMs = 15_000;
/** Milliseconds before the end of a token at which the person signs in again. */
const renewalMs = 5 * 60_000;

/** A failed sign-in. The message says what to do. */
export class SignInFailure extends Error {}

/** An institution, with the addresses of this service. */
export interface Institution extends Output<"getSignIn"> {
  shortName: string;
  api: string;
}

/** The identity provider's host, which the person knows. */
export const hostOf = ({ issuer }: Institution): string => new URL(issuer).host;

const optionsOf = ({ issuer }: Institution) => ({
  signal: () => AbortSignal.timeout(timeoutMs),
  // Only the local stage accepts an issuer without TLS.
  [oauth.allowInsecureRequests]: issuer.startsWith("http:"),
});

/** Reads the discovery document, in the browser: the page calls the endpoints that it names. */
async function discover(institution: Institution): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(institution.issuer);
  try {
    return await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, optionsOf(institution)));
  } catch {
    throw new SignInFailure(
      `${hostOf(institution)} does not respond as expected. Check your connection and try again. If it lasts, contact the person who manages your bank’s accounts.`,
    );
  }
}

/** Leaves the page for the sign-in of the identity provider. @param place the part of the console to return to */
export async function beginSignIn(institution: Institution, place: string): Promise<never> {
  const server = await discover(institution);
  if (!server.authorization_endpoint) throw new SignInFailure(`${hostOf(institution)} has no sign-in page.`);
  const begun = {
    begunAt: Date.now(),
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    place,
  };
  storage.write("begun", begun);
  const address = new URL(server.authorization_endpoint);
  const parameters = {
    client_id: institution.client_id,
    redirect_uri: institutionAddress(institution.api, institution.shortName),
    response_type: "code",
    scope: "openid profile",
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(begun.verifier),
    code_challenge_method: "S256",
    ...(mustAuthenticate(institution.shortName) && { prompt: "login" }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  // A sign-in that cannot begin ends no session.
  storage.remove("session");
  location.assign(address);
  return new Promise(() => {});
}

/** Whether the identity provider sent the person to this address. */
export const isReturn = ({ searchParams }: URL): boolean => searchParams.has("state");

/**
 * Ends a sign-in: exchanges the code for an ID token, and the ID token for an access token.
 *
 * @param address the address to which the identity provider sent the person
 * @throws SignInFailure
 */
export async function finishSignIn(client: Client, institution: Institution, address: URL): Promise<StoredSession> {
  const begun = storage.read("begun");
  storage.remove("begun");
  if (!begun) throw new SignInFailure("This sign-in began in another tab, or was already finished. Begin again.");
  const assertion = await readIdToken(institution, address, begun);
  const body = { grant_type: jwtBearer, assertion, sp_id: institution.sp_id } as const;
  const token = await client("exchangeToken", { body }).catch((failure) => {
    throw exchangeFailure(failure);
  });
  if (!token.person) throw new SignInFailure("The service returned no person. Begin again.");
  if (hasSignedOutSince(begun.begunAt))
    throw new SignInFailure("You signed out in another tab meanwhile. Begin again to sign in.");
  const { sub, name, role } = token.person;
  const [now, livesMs] = [Date.now(), token.expires_in * 1000];
  const session = {
    shortName: institution.shortName,
    token: token.access_token,
    signedInAt: now,
    // A token that ends soon belongs to a credential that ends: another sign-in would not help before that.
    renewsAt: now + (livesMs > 2 * renewalMs ? livesMs - renewalMs : livesMs),
    expiresAt: now + livesMs,
    person: { sub, name, role },
    institution: { name: institution.name, sp_id: institution.sp_id },
  };
  keepSession(session);
  return session;
}

async function readIdToken(
  institution: Institution,
  address: URL,
  { verifier, state, nonce }: { verifier: string; state: string; nonce: string },
): Promise<string> {
  const [server, client] = [await discover(institution), { client_id: institution.client_id }];
  const redirectUri = institutionAddress(institution.api, institution.shortName);
  try {
    const parameters = oauth.validateAuthResponse(server, client, address, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      optionsOf(institution),
    );
    const expected = { expectedNonce: nonce, requireIdToken: true };
    const { id_token } = await oauth.processAuthorizationCodeResponse(server, client, response, expected);
    return id_token ?? "";
  } catch (error) {
    const { error: code } = error instanceof oauth.AuthorizationResponseError ? error : { error: undefined };
    throw new SignInFailure(
      code === "access_denied"
        ? "You did not finish the sign-in. Begin again when you are ready."
        : `The answer of ${hostOf(institution)} is not valid${code ? ` (${code})` : ""}. Begin again. If it lasts, contact the person who manages your bank’s accounts.`,
    );
  }
}

/** The failure of the exchange, in words for a person. */
function exchangeFailure(failure: unknown): unknown {
  if (!(failure instanceof Rejection)) return failure;
  if (failure.code === "role_missing")
    return new SignInFailure(
      "Your account is known, but has no role in this console. The person who manages your bank’s accounts can give it one: viewer, reviewer or administrator.",
    );
  const isExplained = failure.status === 401 || failure.status === 403 || failure.status === 503;
  return isExplained ? new SignInFailure(failure.message) : failure;
}
