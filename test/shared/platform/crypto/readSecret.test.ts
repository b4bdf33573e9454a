import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { impatientRequests } from "../aws/impatientRequests.ts";

/** The secrets in Secrets Manager, by id. */
let secrets: Record<string, string>;
let requests: unknown[];
/** A request for this secret gets no response. */
const unanswered = "unanswered";
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { SecretId } = (await json(request)) as { SecretId: string };
    requests.push(request.headers["x-amz-target"], SecretId);
    if (SecretId === unanswered) return;
    const SecretString = secrets[SecretId];
    const found = SecretString === undefined ? { __type: "ResourceNotFoundException" } : { SecretString };
    response.writeHead(SecretString === undefined ? 400 : 200, { "Content-Type": "application/x-amz-json-1.1" });
    response.end(JSON.stringify(found));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});

beforeEach(() => {
  requests = [];
  vi.resetModules();
  vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
});

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const loadServiceKey = () => import("../../../../shared/platform/crypto/serviceKey.ts");
const loadPartnerKeys = () => import("../../../../shared/pos/partnerKeys.ts");
const passMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

/** The keys in the secret "partners", for a test with a fake clock. */
function loadPartnerKeysOverTime() {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.stubEnv("POS_PARTNER_KEYS_SECRET", "partners");
  return loadPartnerKeys();
}

test("the service key is read once from the secret in SERVICE_KEY_SECRET", async () => {
  secrets = { "service-key": "0f".repeat(32) };
  vi.stubEnv("SERVICE_KEY_SECRET", "service-key");
  const { serviceKey } = await loadServiceKey();
  expect(serviceKey().export().toString("hex")).toBe("0f".repeat(32));
  serviceKey();
  expect(requests).toEqual(["secretsmanager.GetSecretValue", "service-key"]);
});

test("digests of addresses use the secret in ADDRESS_KEY_SECRET, and need no service key", async () => {
  secrets = { "address-key": "0f".repeat(32) };
  vi.stubEnv("ADDRESS_KEY_SECRET", "address-key");
  const { addressDigest } = await import("../../../../shared/domain/invitations/addressDigest.ts");
  // Computed with Python's hmac, not with this code.
  expect(addressDigest(" Alex@Example.com")).toBe("SL-bQ9ZlURgkhzmxIlwdd5zH8ueZSe9ZH0bVOVIK7Uw");
  expect(requests).toEqual(["secretsmanager.GetSecretValue", "address-key"]);
});

test("a secret that is not a key is rejected without its value", async () => {
  secrets = { "service-key": "hunter2" };
  vi.stubEnv("SERVICE_KEY_SECRET", "service-key");
  const { serviceKey } = await loadServiceKey();
  expect(() => serviceKey()).toThrow("The secret service-key must hold 64 hexadecimal digits");
  expect(() => serviceKey()).not.toThrow(/hunter2/);
});

test("without the secret the function does not load, so that Lambda tries again", async () => {
  secrets = {};
  vi.stubEnv("SERVICE_KEY_SECRET", "service-key");
  await expect(loadServiceKey()).rejects.toThrow();
});

test("a Secrets Manager that does not respond causes a timeout", async () => {
  impatientRequests();
  vi.stubEnv("SERVICE_KEY_SECRET", unanswered);
  await expect(loadServiceKey()).rejects.toThrow();
});

test("on a single machine, the key comes from the file and no secret is read", async () => {
  vi.stubEnv("SERVICE_KEY_FILE", "/nowhere/service.key");
  vi.stubEnv("SERVICE_KEY_SECRET", "service-key");
  const { serviceKey } = await loadServiceKey();
  expect(() => serviceKey()).toThrow("Cannot read the file /nowhere/service.key");
  expect(requests).toEqual([]);
});

test("a POS company's key comes from the environment, or else from the secret with all keys", async () => {
  secrets = { partners: JSON.stringify({ POS_DUTCHIE_INTEGRATOR_KEY: "dutchie", POS_TREEZ_CLIENT_ID: "treez" }) };
  vi.stubEnv("POS_PARTNER_KEYS_SECRET", "partners");
  vi.stubEnv("POS_TREEZ_CLIENT_ID", "from environment");
  const { partnerKey } = await loadPartnerKeys();
  expect(await partnerKey("POS_DUTCHIE_INTEGRATOR_KEY")).toBe("dutchie");
  expect(await partnerKey("POS_TREEZ_CLIENT_ID")).toBe("from environment");
});

test("a secret that is not filled yet contains no key", async () => {
  secrets = { partners: "k2%gQ-random-text" };
  vi.stubEnv("POS_PARTNER_KEYS_SECRET", "partners");
  const { partnerKey } = await loadPartnerKeys();
  expect(await partnerKey("POS_TREEZ_CLIENT_ID")).toBe("");
});

test("a changed key of a POS company is used after a few minutes, without a deployment", async () => {
  const { partnerKey } = await loadPartnerKeysOverTime();
  secrets = { partners: JSON.stringify({ POS_TREEZ_CLIENT_ID: "old" }) };
  expect(await partnerKey("POS_TREEZ_CLIENT_ID")).toBe("old");
  secrets = { partners: JSON.stringify({ POS_TREEZ_CLIENT_ID: "new" }) };
  passMinutes(4);
  expect(await partnerKey("POS_TREEZ_CLIENT_ID")).toBe("old");
  expect(requests).toHaveLength(2);
  passMinutes(2);
  expect(await partnerKey("POS_TREEZ_CLIENT_ID")).toBe("new");
});

test("while the secret cannot be read, the previous keys are used; without previous keys the POS counts as unreachable", async () => {
  const { partnerKey } = await loadPartnerKeysOverTime();
  secrets = {};
  await expect(partnerKey("POS_TREEZ_CLIENT_ID")).rejects.toMatchObject({ failure: "unreachable" });
  secrets = { partners: JSON.stringify({ POS_TREEZ_CLIENT_ID: "treez" }) };
  expect(await partnerKey("POS_TREEZ_CLIENT_ID")).toBe("treez");
  secrets = {};
  passMinutes(6);
  expect(await partnerKey("POS_TREEZ_CLIENT_ID")).toBe("treez");
});

test("a secret of keys that is not JSON causes an error without its value", async () => {
  secrets = { partners: '{"POS_TREEZ_CLIENT_ID": "hunter2",}' };
  vi.stubEnv("POS_PARTNER_KEYS_SECRET", "partners");
  const { partnerKey } = await loadPartnerKeys();
  await expect(partnerKey("POS_TREEZ_CLIENT_ID")).rejects.toThrow(/^The secret partners must hold a JSON object$/);
});
