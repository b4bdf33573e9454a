import * as oauth from "openid-client";
import type { Stage } from "../infra/local/stage.ts";
import { jwtBearer } from "../shared/api/schemas/token.ts";
import { oauthClient } from "./api/oauthClient.ts";

/** The cookies of one visitor of a site. */
class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** Requests an address without following redirects. */
  async fetch(url: URL | string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { ...init, redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) this.#cookies.set(name, value);
      else this.#cookies.delete(name);
    }
    return response;
  }
}

/** A visitor's browser at the identity provider of the local stage, without the pages. */
export class Visitor {
  readonly #jar = new CookieJar();
  /** Number of times that the provider showed the page with the persons. */
  choices = 0;

  /** Follows the redirects of an authorization request, and chooses a person where the provider shows them. */
  async follow(address: URL, sub: string): Promise<URL> {
    let url = address;
    for (let steps = 0; steps < 10; steps++) {
      let response = await this.#jar.fetch(url);
      if (response.status === 200) {
        this.choices++;
        response = await this.#jar.fetch(url, { method: "POST", body: new URLSearchParams({ person: sub }) });
      }
      const location = response.headers.get("location");
      if (!location) throw new Error(`${url.pathname}: ${response.status} ${await response.text()}`);
      url = new URL(location, url);
      if (url.origin !== address.origin) return url;
    }
    throw new Error("The sign-in does not end.");
  }
}

/** The client of openid-client for the console's application, by discovery. */
export async function providerClient(issuer: string, clientId: string): Promise<oauth.Configuration> {
  const options = { execute: [oauth.allowInsecureRequests] };
  return oauth.discovery(new URL(issuer), clientId, undefined, oauth.None(), options);
}

/** Signs a person in by the code flow with PKCE, and returns the tokens of the identity provider. */
export async function signInWith(
  client: oauth.Configuration,
  redirect_uri: string,
  sub: string,
  visitor = new Visitor(),
) {
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [oauth.randomState(), oauth.randomNonce()];
  const address = oauth.buildAuthorizationUrl(client, {
    redirect_uri,
    scope: "openid",
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const callback = await visitor.follow(address, sub);
  return oauth.authorizationCodeGrant(client, callback, { pkceCodeVerifier, expectedState, expectedNonce });
}

/** Exchanges an ID token for an access token of the service. */
export const exchangeIdToken = ({ base_url, service_provider: { sp_id } }: Stage["description"], assertion: string) =>
  oauth.genericGrantRequest(oauthClient(base_url, "console", oauth.None()), jwtBearer, { assertion, sp_id });
