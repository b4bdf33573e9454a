import * as oauth from "openid-client";
import { describe, expect, test } from "vitest";
import { oauthClient } from "./oauthClient.ts";
import { useStage } from "./useStage.ts";

// Published OAuth 2 libraries get tokens and use them (docs/spec.md#token-exchange).

const { stage } = useStage();
const allScopes = ["service-provider:read", "service-provider:write", "point-of-sale:read", "create-crb-api-key:write"];

describe("openid-client", () => {
  type Authentication = typeof oauth.ClientSecretPost;
  const clientOf = (authentication: Authentication, secret?: string) => {
    const { base_url, service_provider } = stage().description;
    const known = authentication(secret ?? service_provider.client_secret);
    return oauthClient(base_url, service_provider.client_id, known);
  };
  const read = (client: oauth.Configuration, token: string, path: string) =>
    oauth.fetchProtectedResource(client, token, new URL(stage().description.base_url + path), "GET");

  describe.each<[string, Authentication]>([
    ["form", oauth.ClientSecretPost],
    ["Basic header", oauth.ClientSecretBasic],
  ])("with the secret in a %s", (place, authentication) => {
    test("gets a token with the requested scopes, which grants access to no other operations", async () => {
      const { sp_id } = stage().description.service_provider;
      const client = clientOf(authentication);
      const scope = "service-provider:read point-of-sale:read";
      const token = await oauth.clientCredentialsGrant(client, { scope });
      expect(token).toMatchObject({ token_type: "bearer", scope, expires_in: 3600 });
      expect(token.expiresIn()).toBeGreaterThan(3500);
      expect((await read(client, token.access_token, `/service-providers/${sp_id}`)).status).toBe(200);
      const { access_token } = await oauth.clientCredentialsGrant(client, { scope: "point-of-sale:read" });
      expect((await read(client, access_token, `/service-providers/${sp_id}`)).status).toBe(403);
    });

    test("gets all scopes of the credential if it requests none", async () => {
      const { scope = "" } = await oauth.clientCredentialsGrant(clientOf(authentication));
      expect(scope.split(" ").sort()).toEqual([...allScopes].sort());
    });

    test("gets a token for a CRB, which can read that CRB", async () => {
      const { base_url, crbs } = stage().description;
      const crb = crbs[0] ?? expect.fail("the demo has no CRB");
      const client = oauthClient(base_url, crb.client_id, authentication(crb.client_secret));
      const { access_token } = await oauth.clientCredentialsGrant(client);
      expect((await read(client, access_token, `/crbs/${crb.crb_id}`)).status).toBe(200);
    });

    test("gets an error that it can parse", async () => {
      const rejection = (scope: string, secret?: string) =>
        oauth.clientCredentialsGrant(clientOf(authentication, secret), { scope }).catch((error) => error);
      expect(await rejection("root")).toMatchObject({ status: 422, error: "invalid_scope" });
      expect(await rejection("crb:read")).toMatchObject({
        status: 403,
        error: "invalid_scope",
        error_description: "The credential does not hold the scope crb:read.",
      });
      const wrong = await rejection("", "wrong");
      expect(wrong.status).toBe(401);
      // If the gateway does not pass the challenge on, the error record has the same information.
      if (!(wrong instanceof oauth.WWWAuthenticateChallengeError)) expect(wrong.error).toBe("invalid_client");
      else expect([place, wrong.cause[0]?.scheme]).toEqual(["Basic header", "basic"]);
    });
  });
});
