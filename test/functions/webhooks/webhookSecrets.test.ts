import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { beforeEach, expect, test, vi } from "vitest";
import { readEndpoint } from "../../../shared/domain/webhooks/endpoint.ts";
import { unseal, unsealSecret } from "../../../shared/platform/crypto/sealing.ts";
import { useOutput } from "../../useOutput.ts";
import { useTestBucket } from "../../useTestBucket.ts";
import { useTestKms } from "../../useTestKms.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenWebhooks } from "./useWebhooks.ts";

const table = useTestTable();
useTestBucket();
const kms = useTestKms();

const output = useOutput("DEBUG");
beforeEach(() => void vi.stubEnv("KMS_KEY_ID", kms.keyId));

/** The forms in which a secret could be stored or logged. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret.slice("whsec_".length), "base64");
  return [secret.slice(6), bytes.toString("hex"), bytes.toString("latin1"), Buffer.from(secret).toString("base64")];
}

async function wholeTable(): Promise<string> {
  const { Items = [] } = await table().client.send(new ScanCommand({ TableName: table().name }));
  expect(Items.length).toBeGreaterThan(10);
  const text = (encoding: "latin1" | "base64" | "hex") =>
    JSON.stringify(Items, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString(encoding) : value));
  return text("latin1") + text("base64") + text("hex");
}

test("secrets are encrypted for their endpoint, returned once and never logged, nor is the url", async () => {
  const { create, rotate, read, list, update, remove, spId } = await givenWebhooks(table());
  const url = "https://93.184.216.34/in?token=url-t0ken-1";
  const created = await create({ url });
  const { id } = created.json;
  const rotated = await rotate(id);
  const secrets = [created.json.secret, rotated.json.secret];
  expect(new Set(secrets).size).toBe(2);
  expect(kms.contexts.Encrypt).toEqual([{ endpoint_id: id }, { endpoint_id: id }]);
  const stored = (await readEndpoint(table(), spId, id)) ?? expect.fail("none");
  const sealed = stored.secrets.map((secret) => secret.sealed);
  expect(await Promise.all(sealed.map((one) => unsealSecret(id, one)))).toEqual(secrets.toReversed());
  const held = await wholeTable();
  const others = [await read(id), await list(), await update(id, { description: "x" }), await remove(id)];
  for (const form of secrets.flatMap(forms)) {
    expect(held).not.toContain(form);
    expect(output.text).not.toContain(form);
    for (const { text, status } of others) expect([status, text.includes(form)]).toEqual([200, false]);
  }
  expect(output.text).toContain('"operation_id":"createWebhookEndpoint"');
  expect(output.text).not.toContain("url-t0ken-1");
  // They cannot be decrypted for another endpoint or as credentials of a CRB.
  const [one] = sealed as [Uint8Array];
  await expect(unsealSecret(spId, one)).rejects.toThrow();
  await expect(unseal(id, one)).rejects.toThrow();
  const gone = await wholeTable();
  for (const one of sealed) expect(gone).not.toContain(Buffer.from(one).toString("base64"));
});

test("while KMS fails, the response is 503 and nothing is stored", async () => {
  const { create, rotate, list, spId } = await givenWebhooks(table());
  const { id } = (await create()).json;
  kms.failure = ["KMSInternalException", 500];
  expect((await create()).status).toBe(503);
  expect((await rotate(id)).status).toBe(503);
  kms.failure = undefined;
  expect((await list()).json.metadata.total).toBe(1);
  expect((await readEndpoint(table(), spId, id))?.secrets).toHaveLength(1);
});
