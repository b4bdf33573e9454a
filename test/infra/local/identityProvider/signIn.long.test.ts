import * as oauth from "openid-client";
import { describe, expect, test } from "vitest";
import { demoShortName } from "../../../../infra/local/demoIdentityProvider.ts";
import { demoPersons } from "../../../../infra/local/identityProvider/demoPersons.ts";
import type { PersonRole } from "../../../../shared/api/enumerations.ts";
import { useStage } from "../../../api/useStage.ts";
import { exchangeIdToken, providerClient, signInWith } from "../../../signIn.ts";

// A published OpenID Connect library signs the demo's persons in at the local identity provider, and exchanges their ID
// tokens (docs/spec.md#sign-in-of-persons).

const { stage } = useStage({ demoAlone: true });

/** The tokens of a person: the provider's, and the service's. */
async function signIn(sub: string) {
  const { description } = stage();
  const found = await fetch(`${description.base_url}/sign-in/${demoShortName}`);
  const { issuer, client_id } = (await found.json()) as { issuer: string; client_id: string };
  const client = await providerClient(issuer, client_id);
  const tokens = await signInWith(client, `${description.base_url}/console/${demoShortName}`, sub);
  const idToken = tokens.id_token ?? expect.fail("no ID token");
  return { idToken, claims: tokens.claims(), token: await exchangeIdToken(description, idToken) };
}

/** Calls that three roles answer differently (docs/access.md), with the roles that may make them. */
const calls: [name: string, method: string, path: string, body: object | undefined, may: PersonRole[]][] = [
  ["listServiceProviderCrbs", "GET", "/crbs", undefined, ["viewer", "reviewer", "administrator"]],
  ["listCrbSales", "GET", "/crbs/{crb}/sales", undefined, ["viewer", "reviewer", "administrator"]],
  ["listInsights", "GET", "/insights", undefined, ["viewer", "reviewer", "administrator"]],
  ["setCashCount", "PUT", "/crbs/{crb}/cash-counts/2026-03-01", { amount: 100 }, ["reviewer", "administrator"]],
  ["deleteCashCount", "DELETE", "/crbs/{crb}/cash-counts/2026-03-01", undefined, ["reviewer", "administrator"]],
  ["listWebhookEndpoints", "GET", "/webhook-endpoints", undefined, ["administrator"]],
  ["setInsightSettings", "PUT", "/insight-settings", {}, ["administrator"]],
  ["listCrbCustomers", "GET", "/crbs/{crb}/customers", undefined, []],
];

describe.each(demoPersons)("the $role", ({ sub, name, role }) => {
  test("gets an access token that does what the role may, and gets 403 for the rest", async () => {
    const { claims, token } = await signIn(sub);
    expect(claims).toMatchObject({ sub, name, groups: [role] });
    expect(token).toMatchObject({ expires_in: 3600, person: { sub, name, role } });
    const { base_url, service_provider, crbs } = stage().description;
    const root = `${base_url}/service-providers/${service_provider.sp_id}`;
    const answers: Record<string, number> = {};
    for (const [operation, method, path, body] of calls) {
      const response = await fetch(root + path.replace("{crb}", crbs[0]?.crb_id ?? ""), {
        method,
        headers: { Authorization: token.access_token, ...(body && { "Content-Type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const { code = "" } = (await response.json()) as { code?: string };
      answers[operation] = response.status;
      // The service checks the scope before the role.
      if (response.status !== 200) expect(code, operation).toMatch(/^(scope|role)_missing$/);
    }
    const expected = calls.map(([operation, , , , may]) => [operation, may.includes(role) ? 200 : 403]);
    expect(answers).toEqual(Object.fromEntries(expected));
  });
});

test("an ID token is exchanged once", async () => {
  const { idToken } = await signIn("demo-viewer");
  const again = await exchangeIdToken(stage().description, idToken).catch((error) => error);
  expect(again).toMatchObject({ status: 401, error: "invalid_grant" });
});

test("the provider's own errors reach the client", async () => {
  const { base_url, identity_provider_url } = stage().description;
  const client = await providerClient(identity_provider_url, "console");
  const wrong = await signInWith(client, `${base_url}/elsewhere`, "demo-viewer").catch((error: Error) => error.message);
  expect(wrong).toContain("redirect_uri");
  expect(client.serverMetadata().code_challenge_methods_supported).toEqual(["S256"]);
  await expect(oauth.fetchUserInfo(client, "x", oauth.skipSubjectCheck)).rejects.toThrow();
});
