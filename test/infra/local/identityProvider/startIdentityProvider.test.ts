import { existsSync, mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { demoApplication } from "../../../../infra/local/demoIdentityProvider.ts";
import { startIdentityProvider } from "../../../../infra/local/identityProvider/startIdentityProvider.ts";
import { close, listen } from "../../../../infra/local/listen.ts";
import { providerClient, signInWith, Visitor } from "../../../signIn.ts";

const page = "http://127.0.0.1:3000";
const application = demoApplication(page);
const redirectUri = application.redirect_uris[0] ?? "";
const newFile = () => join(mkdtempSync(join(inject("temporaryDirectory"), "provider-")), "identity-provider.json");

async function start(file: string, port = 0) {
  const provider = await startIdentityProvider(port, file, application);
  onTestFinished(() => close(provider.server));
  return provider;
}

const keysOf = async (issuer: string) => ((await (await fetch(`${issuer}/jwks`)).json()) as { keys: object[] }).keys;

test("a restart keeps the key and the sessions; another data directory has another key", async () => {
  const file = newFile();
  const before = await start(file);
  const visitor = new Visitor();
  const signIn = async (issuer: string) =>
    (
      await signInWith(await providerClient(issuer, application.client_id), redirectUri, "demo-reviewer", visitor)
    ).claims();
  expect(await signIn(before.issuer)).toMatchObject({ sub: "demo-reviewer" });
  const keys = await keysOf(before.issuer);
  await close(before.server);
  const after = await start(file);
  expect(await keysOf(after.issuer)).toEqual(keys);
  expect(await signIn(after.issuer)).toMatchObject({ sub: "demo-reviewer" });
  expect(visitor.choices).toBe(1);
  const other = await start(newFile());
  expect(await keysOf(other.issuer)).not.toEqual(keys);
});

test("the keys are published without their private parts, and are made at the first request", async () => {
  const file = newFile();
  const { issuer } = await start(file);
  expect(existsSync(file)).toBe(false);
  const keys = await keysOf(issuer);
  expect(keys.map((key) => Object.keys(key).sort())).toEqual([["alg", "e", "kid", "kty", "n", "use"]]);
  expect(existsSync(file)).toBe(true);
});

test("a port in use is replaced by another one", async () => {
  const other = createServer();
  const port = await listen(other, 0);
  onTestFinished(() => close(other));
  expect((await start(newFile(), port)).issuer).not.toBe(`http://127.0.0.1:${port}`);
});

test("only pages of the application's addresses may request tokens", async () => {
  const { issuer } = await start(newFile());
  const request = async (origin: string) => {
    const body = new URLSearchParams({ grant_type: "authorization_code", client_id: application.client_id, code: "x" });
    const response = await fetch(`${issuer}/token`, { method: "POST", headers: { origin }, body });
    return [response.status, response.headers.get("access-control-allow-origin")];
  };
  expect(await request("https://example.com")).toEqual([400, null]);
  expect(await request(page)).toEqual([400, page]);
});

test("a request without PKCE, and one of another application, get a page that names the error", async () => {
  const { issuer } = await start(newFile());
  const request = async (parameters: object) => {
    const query = new URLSearchParams({
      ...{ client_id: application.client_id, redirect_uri: redirectUri, response_type: "code", scope: "openid" },
      ...parameters,
    });
    return fetch(`${issuer}/auth?${query}`, { redirect: "manual" });
  };
  const withoutPkce = new URL((await request({})).headers.get("location") ?? "");
  expect([withoutPkce.origin, withoutPkce.searchParams.get("error")]).toEqual([page, "invalid_request"]);
  const other = await request({ client_id: "other" });
  expect([other.status, await other.text()]).toEqual([400, expect.stringContaining("client is invalid")]);
  expect(other.headers.get("content-security-policy")).toContain("default-src 'none'");
});
