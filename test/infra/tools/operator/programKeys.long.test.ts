import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientAssertionType } from "../../../../shared/api/schemas/token.ts";
import { useStage } from "../../../api/useStage.ts";
import { newProgramKey, type ProgramKey, signAssertion } from "../../../programKeys.ts";
import { temporaryDirectories } from "../../local/temporaryDirectories.ts";
import { operatorOn } from "./operatorOn.ts";

// The operator's commands for programs that prove their identity by private keys (docs/spec.md#keys-of-programs).

const { stage, data } = useStage({ demoAlone: true });
const operator = () => operatorOn("--data", data());
const spId = () => stage().description.service_provider.sp_id;
const temporaryDirectory = temporaryDirectories();

function fileOf(...keys: object[]): string {
  const file = join(temporaryDirectory(), "keys.json");
  writeFileSync(file, JSON.stringify({ keys }));
  return file;
}

/** Exchanges an assertion of a program, and returns the token or undefined. */
async function tokenOf(clientId: string, key: ProgramKey): Promise<string | undefined> {
  const address = `${stage().description.base_url}/auth/token`;
  const client_assertion = await signAssertion(clientId, key, { aud: address });
  const body = { grant_type: "client_credentials", client_assertion_type: clientAssertionType, client_assertion };
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  const { access_token } = (await response.json()) as { access_token?: string };
  expect(response.status).toBe(access_token ? 200 : 401);
  return access_token;
}

async function statusOf(token: string | undefined): Promise<number> {
  const headers = { Authorization: token ?? "" };
  return (await fetch(`${stage().description.base_url}/service-providers/${spId()}`, { headers })).status;
}

async function issue(...keys: ProgramKey[]) {
  const out = await operator().expectDone(
    "credential",
    "issue",
    spId(),
    "--jwks",
    fileOf(...keys.map(({ jwk }) => jwk)),
  );
  return { out, clientId: /client_id +(\S+)/.exec(out)?.[1] ?? expect.fail("no client_id") };
}

const row = async (clientId: string) =>
  JSON.parse(await operator().expectDone("credential", "list", spId(), "--json")).find(
    (each: { client_id: string }) => each.client_id === clientId,
  );

test("a credential with keys has no secret, and its program gets tokens by its keys", async () => {
  const [key, stranger] = [await newProgramKey("first"), await newProgramKey("first")];
  const { out, clientId } = await issue(key);
  expect(out).toContain("It has no secret:");
  expect(out).toMatch(/^\s*keys +first$/m);
  expect(out).not.toMatch(/sk_|client_secret/);
  expect((await row(clientId)).keys).toBe("first");
  expect(await statusOf(await tokenOf(clientId, key))).toBe(200);
  expect(await tokenOf(clientId, stranger)).toBeUndefined();
});

test("keys rotate without a gap: the tokens of a key end only when it is removed", async () => {
  const { expectDone, expectRefused } = operator();
  const [old, next] = [await newProgramKey("2026-01"), await newProgramKey("2026-02", "PS256")];
  const { clientId } = await issue(old);
  const first = await tokenOf(clientId, old);
  const set = (...keys: ProgramKey[]) => ["credential", "set-keys", clientId, fileOf(...keys.map(({ jwk }) => jwk))];

  await expectRefused("--yes", ...set(next));
  expect(await tokenOf(clientId, next)).toBeUndefined();
  expect(await expectDone(...set(old, next), "--yes")).toBe(`Credential ${clientId} has 2 keys.\n`);
  const second = await tokenOf(clientId, next);
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
  expect(await expectDone(...set(next), "--yes")).toBe(`Credential ${clientId} has 1 key.\n`);
  expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
  expect(await tokenOf(clientId, old)).toBeUndefined();
  expect((await row(clientId)).keys).toBe("2026-02");
  // Without a secret, no key would leave no way to get a token.
  await expectRefused("must have a key, because the credential has no secret", ...set(), "--yes");
  expect(await statusOf(second)).toBe(200);
});

test("files that are no public keys are rejected without their content, and change nothing", async () => {
  const { run, expectRefused } = operator();
  const key = await newProgramKey("own");
  const { clientId } = await issue(key);
  const privateJwk = await key.privateJwk();
  for (const [keys, line] of [
    [[privateJwk], "is private"],
    [[{ kty: "oct", kid: "shared", k: "c2VjcmV0" }], "must be one of RSA, EC"],
    [[key.jwk, { ...key.jwk, kid: "other" }], "is the same key as"],
    [[key.jwk, (await newProgramKey("own")).jwk], "is also the kid of"],
    [[{ ...key.jwk, x: key.jwk.y, y: key.jwk.x }], "is no valid public key"],
  ] as const) {
    const file = fileOf(...keys);
    for (const command of [
      ["credential", "set-keys", clientId, file, "--yes"],
      ["credential", "issue", spId(), "--jwks", file],
    ]) {
      const { code, out, err } = await run(...command);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain(line);
      for (const secret of [privateJwk.d, "c2VjcmV0"]) expect(err).not.toContain(secret);
    }
  }
  await expectRefused("must have a key", "credential", "issue", spId(), "--jwks", fileOf());
  const crb = stage().description.crbs[0]?.crb_id ?? "";
  await expectRefused("--jwks cannot", "credential", "issue", spId(), "--crb", crb, "--jwks", fileOf(key.jwk));
  await expectRefused("There is no credential", "credential", "set-keys", randomUUID(), fileOf(key.jwk), "--yes");
  await expectRefused("ENOENT", "credential", "set-keys", clientId, "/nowhere.json", "--yes");
  expect((await row(clientId)).keys).toBe("own");
  expect(await statusOf(await tokenOf(clientId, key))).toBe(200);
});
