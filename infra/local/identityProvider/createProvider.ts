import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import Provider, { type Configuration, type KoaContextWithOIDC } from "oidc-provider";
import { escapeHtml } from "../../../shared/text/escapeHtml.ts";
import { readBody } from "../server.ts";
import { stagePage, stagePageHeaders } from "../stagePage.ts";
import { demoPersons } from "./demoPersons.ts";
import { ProviderFile } from "./providerFile.ts";

/** An application that persons sign in to: a public client, so it has no secret and must use PKCE. */
export interface Application {
  client_id: string;
  redirect_uris: string[];
}

const hour = 3_600;
const [scope, interactions] = ["openid profile", "/choose"];

/**
 * Creates the identity provider of the local stage: the code flow with PKCE, ID tokens signed with RS256, and a page on which
 * a visitor chooses a person.
 *
 * @param file keeps its keys and sessions
 */
export async function createProvider(
  issuer: string,
  file: string,
  { client_id, redirect_uris }: Application,
): Promise<RequestListener> {
  const state = await ProviderFile.open(file);
  const origins = [...new Set(redirect_uris.map((uri) => new URL(uri).origin))];
  const configuration: Configuration = {
    clients: [
      {
        client_id,
        redirect_uris,
        response_types: ["code"],
        grant_types: ["authorization_code"],
        token_endpoint_auth_method: "none",
        id_token_signed_response_alg: "RS256",
      },
    ],
    jwks: { keys: [state.signingKey as never] },
    cookies: { keys: [state.cookieKey] },
    adapter: (kind) => state.adapterOf(kind),
    // Banks send the claims in the ID token, since the service reads nothing else.
    conformIdTokenClaims: false,
    claims: { openid: ["sub", "name", "groups"] },
    scopes: scope.split(" "),
    clientBasedCORS: (_, origin) => origins.includes(origin),
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    interactions: { url: (_, { uid }) => `${interactions}/${uid}` },
    findAccount: (_, sub) => {
      const person = demoPersons.find((each) => each.sub === sub);
      return person && { accountId: sub, claims: () => ({ sub, name: person.name, groups: [person.role] }) };
    },
    loadExistingGrant: grantEverything,
    renderError: (ctx, { error_description, error }) => {
      ctx.set(pageHeaders(origins));
      ctx.body = signInErrorPage(error_description ?? error);
    },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      IdToken: hour,
      Interaction: hour,
      Session: 12 * hour,
      Grant: 12 * hour,
    },
  };
  const provider = new Provider(issuer, configuration);
  const serve = provider.callback();
  return (request, response) => {
    if (!request.url?.startsWith(`${interactions}/`)) return void serve(request, response);
    choosePerson(provider, origins, request, response).catch((error: Error) => {
      response.writeHead(400, pageHeaders(origins)).end(signInErrorPage(error.message));
    });
  };
}

/** The bank's own application needs no consent of its staff. */
async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc;
  if (!client || !session?.accountId) return undefined;
  const known = session.grantIdFor(client.clientId);
  const found = known ? await provider.Grant.find(known) : undefined;
  if (found) return found;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(scope);
  await grant.save();
  return grant;
}

/** Shows the page with the persons, or ends the sign-in with the chosen one. */
async function choosePerson(
  provider: Provider,
  origins: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { uid } = await provider.interactionDetails(request, response);
  if (request.method !== "POST")
    return void response.writeHead(200, pageHeaders(origins)).end(signInPage(`${interactions}/${uid}`));
  const chosen = new URLSearchParams((await readBody(request)).toString()).get("person");
  const accountId = demoPersons.find(({ sub }) => sub === chosen)?.sub;
  if (!accountId) throw new Error("There is no such person: choose one of the page.");
  await provider.interactionFinished(request, response, { login: { accountId } }, { mergeWithLastSubmission: false });
}

/** The form's response redirects to the application, which browsers compare with the policy, too. */
const pageHeaders = (origins: readonly string[]) => ({
  ...stagePageHeaders,
  "Content-Security-Policy": stagePageHeaders["Content-Security-Policy"].replace(
    "form-action 'none'",
    `form-action 'self' ${origins.join(" ")}`,
  ),
});

/** The page on which a visitor chooses a person of the demo. @param action the address that gets the choice */
const signInPage = (action: string): string =>
  stagePage("Sign in as a person of the demo", [
    "<p>This identity provider runs on this machine only. Its persons have no passwords: choose one.</p>",
    `<form method="post" action="${escapeHtml(action)}">`,
    ...demoPersons.map(
      ({ sub, name, may }) =>
        `<article><h2><button name="person" value="${sub}">${escapeHtml(name)}</button></h2><p>${escapeHtml(may)}</p></article>`,
    ),
    "</form>",
  ]);

const signInErrorPage = (message: string): string =>
  stagePage("The sign-in failed", [
    `<p>${escapeHtml(message)}</p>`,
    "<p>Begin again on the page that brought you here.</p>",
  ]);
