import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { demoShortName } from "../../../../infra/local/demoIdentityProvider.ts";
import { personRoles } from "../../../../shared/api/enumerations.ts";
import { putServiceProvider } from "../../../../shared/store/crbs.ts";
import { useStage } from "../../../api/useStage.ts";
import { exchangeIdToken, providerClient, signInWith } from "../../../signIn.ts";
import { operatorOn } from "./operatorOn.ts";

// The operator's commands for identity providers and persons. The tests share one stage and its settings, in this order.

const { stage, data } = useStage({ demoAlone: true });
const operator = () => operatorOn("--data", data());
const bank = () => stage().description.service_provider;

/** Signs a person of the demo in, and returns the access token, or the error of the exchange. */
async function signIn(sub: string): Promise<{ access_token?: string; person?: object; status?: number }> {
  const { base_url, identity_provider_url } = stage().description;
  const client = await providerClient(identity_provider_url, "console");
  const { id_token = "" } = await signInWith(client, `${base_url}/console/${demoShortName}`, sub);
  return exchangeIdToken(stage().description, id_token).catch((error) => error);
}

async function statusOf(token: string | undefined): Promise<number> {
  const { base_url } = stage().description;
  const headers = { Authorization: token ?? "" };
  return (await fetch(`${base_url}/service-providers/${bank().sp_id}/crbs`, { headers })).status;
}

/** The options of the demo's settings, with changes. */
const settings = (
  changes: Record<string, string> = {},
  roles = personRoles.map((role) => `groups=${role}=${role}`),
) => {
  const { identity_provider_url: issuer } = stage().description;
  const options = { "short-name": demoShortName, issuer, "client-id": "console", ...changes };
  return [
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ...roles.flatMap((role) => ["--role", role]),
  ];
};

test("the settings are shown with their roles", async () => {
  const shown = await operator().expectDone("identity-provider", "show", bank().sp_id);
  expect(shown).toMatch(new RegExp(`^ +short_name +${demoShortName}$`, "m"));
  expect(shown).toMatch(/^ +status +active$/m);
  expect(shown).toMatch(/^ +customers +no$/m);
  expect(shown).toMatch(/^ +changed_by +operator$/m);
  expect(shown).toMatch(
    /^ +roles +groups=viewer=viewer, groups=reviewer=reviewer, groups=administrator=administrator$/m,
  );
});

test("the access of one person ends at once and is listed, until the person is permitted again", async () => {
  const { expectDone, expectRefused } = operator();
  const { sp_id } = bank();
  const [viewer, reviewer] = [await signIn("demo-viewer"), await signIn("demo-reviewer")];
  expect([await statusOf(viewer.access_token), await statusOf(reviewer.access_token)]).toEqual([200, 200]);
  expect(await expectDone("person", "list", sp_id)).toContain("No access of a person");

  await expectRefused("--yes", "person", "revoke", sp_id, "demo-viewer");
  expect(await statusOf(viewer.access_token)).toBe(200);
  const ended = await expectDone("person", "revoke", sp_id, "demo-viewer", "--yes");
  expect(ended).toBe("The person has no access. Deleted tokens: 1.\n");
  expect([await statusOf(viewer.access_token), await statusOf(reviewer.access_token)]).toEqual([401, 200]);
  expect((await signIn("demo-viewer")).access_token).toBeUndefined();
  expect(JSON.parse(await expectDone("person", "list", sp_id, "--json"))).toEqual([
    { sub: "demo-viewer", ended_at: expect.stringMatching(/Z$/) },
  ]);
  // Everything can come twice.
  expect(await expectDone("person", "revoke", sp_id, "demo-viewer", "--yes")).toContain("Deleted tokens: 0.");

  expect(await expectDone("person", "permit", sp_id, "demo-viewer")).toBe("The person can sign in.\n");
  expect(await statusOf(viewer.access_token)).toBe(401);
  expect(await statusOf((await signIn("demo-viewer")).access_token)).toBe(200);
  await expectRefused("SUB must have 1 to", "person", "revoke", sp_id, "x".repeat(1000), "--yes");
  await expectRefused("", "person", "revoke", randomUUID(), "demo-viewer", "--yes");
});

test("settings that are not valid or not confirmed change nothing", async () => {
  const { expectRefused } = operator();
  const { sp_id } = bank();
  const { access_token } = await signIn("demo-administrator");
  const set = (line: string, ...options: string[]) =>
    expectRefused(line, "identity-provider", "set", sp_id, "--yes", ...options);
  await set("--role must be CLAIM=VALUE=ROLE", ...settings({}, ["groups"]));
  await set("role", ...settings({}, ["groups=Staff=owner"]));
  await set("short_name", ...settings({ "short-name": "Front Range" }));
  await set("issuer", ...settings({ issuer: "https://10.0.0.7/" }));
  await set("client_id", ...settings({ "client-id": "a b" }));
  await expectRefused("--yes", "identity-provider", "set", sp_id, ...settings({}, ["groups=viewer=viewer"]));
  await expectRefused("", "identity-provider", "set", randomUUID(), "--yes", ...settings());
  expect(await statusOf(access_token)).toBe(200);
});

test("changed settings sign all persons out and give the new roles, also by claims and values with special characters", async () => {
  const { expectDone } = operator();
  const { sp_id } = bank();
  const { access_token } = await signIn("demo-reviewer");
  const roles = ["groups=reviewer=viewer", "cognito:groups=Staff = leads=administrator"];
  const done = await expectDone("identity-provider", "set", sp_id, "--yes", "--customers", ...settings({}, roles));
  expect(done).toContain(`sign in with ${stage().description.identity_provider_url} under the short name`);
  const shown = await expectDone("identity-provider", "show", sp_id);
  expect(shown).toMatch(/^ +roles +groups=reviewer=viewer, cognito:groups=Staff = leads=administrator$/m);
  expect(shown).toMatch(/^ +customers +yes$/m);
  expect(await statusOf(access_token)).toBe(401);
  expect((await signIn("demo-reviewer")).person).toMatchObject({ role: "viewer" });
  expect((await signIn("demo-administrator")).status).toBe(403);
});

test("after the removal, no person has access or can sign in, and other service providers can use the short name", async () => {
  const { expectDone, expectRefused } = operator();
  const { sp_id } = bank();
  const { access_token } = await signIn("demo-reviewer");
  const other = randomUUID();
  await putServiceProvider(stage().table, { ...demoServiceProvider, id: other });
  const claim = ["identity-provider", "set", other, "--yes", ...settings({ "client-id": "other" })];
  await expectRefused("Another service provider has this short_name", ...claim);
  await expectRefused("--yes", "identity-provider", "remove", sp_id);
  expect(await statusOf(access_token)).toBe(200);
  const removed = await expectDone("identity-provider", "remove", sp_id, "--yes");
  expect(removed).toMatch(/^The identity provider of .+ is removed\. No person has access\.\n$/);
  expect(await statusOf(access_token)).toBe(401);
  expect((await signIn("demo-reviewer")).access_token).toBeUndefined();
  await expectRefused("has no identity provider", "identity-provider", "show", sp_id);
  expect(await expectDone(...claim)).toContain("sign in with");
});
