import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { expect, test, vi } from "vitest";
import { openConnection } from "../../../shared/pos/openConnection.ts";
import { readCrb } from "../../../shared/store/crbs.ts";
import { useOutput } from "../../useOutput.ts";
import { useTestKms } from "../../useTestKms.ts";
import { useTestTable } from "../../useTestTable.ts";
import { useCreation, user, valid } from "./useCreation.ts";

const table = useTestTable();
const { given } = useCreation(table);
const kms = useTestKms();

const output = useOutput("DEBUG");

const secret = "the-POS-secret-0123456789";
const treez = (pos_credentials: object) => ({
  ...valid,
  users: [user],
  pos_info: { pos_type: "Treez", pos_credentials },
});
const forms = [secret, Buffer.from(secret).toString("base64").slice(0, -4), Buffer.from(secret).toString("hex")];

/** Everything in the table, with binary attributes as text, too. */
async function wholeTable(): Promise<string> {
  const { Items = [] } = await table().client.send(new ScanCommand({ TableName: table().name }));
  expect(Items.length).toBeGreaterThan(5);
  return JSON.stringify(Items, (_name, value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value));
}

test("POS credentials are stored only encrypted", async () => {
  const { create } = await given();
  const { status, text, json } = await create(treez({ apiKey: secret, dispensaryName: "x" }), {
    "Idempotency-Key": "k",
  });
  expect(status).toBe(200);
  const held = await wholeTable();
  for (const form of forms) {
    expect(text).not.toContain(form);
    expect(held).not.toContain(form);
    expect(output.text).not.toContain(form);
  }
  expect(output.text).toContain('"operation_id":"createCrb"');
  expect(output.text).not.toContain(user.email);
  const crb = await readCrb(table(), json.id);
  expect(JSON.stringify(crb)).not.toContain(secret);
  expect((crb && (await openConnection(table(), crb)))?.credentials).toEqual({ apiKey: secret, dispensaryName: "x" });
});

test.each([
  ["a malformed address", [{ ...user, email: "jane roe@example.com" }]],
  ["an address in place of a user", ["jane.roe@example.com"]],
  ["too many users", Array.from({ length: 101 }, (_, i) => ({ ...user, email: `jane.roe${i}@example.com` }))],
])("an error for %s repeats no value of an invited user", async (_, users) => {
  const { create } = await given();
  const { status, text, json } = await create({ ...valid, users });
  expect(status).toBe(422);
  expect(Object.keys(json.fields)[0]).toMatch(/^body\.users/);
  for (const written of [text, output.text]) expect(written).not.toMatch(/roe|example\.com/);
});

test("an invited user's phone number is accepted, and neither stored nor logged", async () => {
  const { create } = await given();
  const phone = "(303) 555-0119";
  const { status } = await create({ ...valid, users: [{ ...user, phone }] }, { "Idempotency-Key": "k" });
  expect(status).toBe(200);
  const stored = await wholeTable();
  expect(stored).toContain(user.email);
  for (const text of [stored, output.text]) expect(text).not.toMatch(/555-?0119/);
  const malformed = await create({ ...valid, users: [{ ...user, phone: 3_035_550_119 }] });
  expect(Object.keys(malformed.json.fields)).toEqual(["body.users.0.phone"]);
});

test("on AWS, KMS encrypts POS credentials; while it fails, the response is 503 and nothing is stored", async () => {
  vi.stubEnv("KMS_KEY_ID", kms.keyId);
  const { create, listed } = await given();
  const body = treez({ apiKey: secret, dispensaryName: "x" });
  kms.failure = ["KMSInternalException", 500];
  const refused = await create(body, { "Idempotency-Key": "k" });
  expect([refused.status, refused.json.name]).toEqual([503, "Service Unavailable"]);
  expect(await listed()).toEqual([]);
  kms.failure = undefined;
  const { status, json } = await create(body, { "Idempotency-Key": "k" });
  expect(status).toBe(200);
  const crb = await readCrb(table(), json.id);
  expect((crb && (await openConnection(table(), crb)))?.credentials).toMatchObject({ apiKey: secret });
  expect(kms.contexts).toEqual({ Encrypt: [{ crb_id: json.id }], Decrypt: [{ crb_id: json.id }] });
  expect(output.text).not.toContain(secret);
});

test.each<[string, unknown]>([
  ["too many properties", treez({ apiKey: secret, dispensaryName: "x", more: secret })],
  ["a property of another type", treez({ apiKey: [secret], dispensaryName: "x" })],
  ["a property too long", treez({ apiKey: secret.repeat(20), dispensaryName: "x" })],
  ["credentials that are no object", { ...valid, pos_info: { pos_type: "Treez", pos_credentials: secret } }],
  ["credentials in the wrong place", { ...valid, pos_info: [secret] }],
  [
    "credentials that the POS rejects",
    { ...valid, pos_info: { pos_type: "Alleaves", pos_credentials: { username: "testing", password: secret } } },
  ],
  [
    "a wrong location",
    {
      ...treez({ apiKey: secret, dispensaryName: "x" }),
      pos_info: { ...treez({ apiKey: secret, dispensaryName: "x" }).pos_info, location_id: "x" },
    },
  ],
  ["a body that is no JSON", `{"pos_info":{"pos_credentials":{"apiKey":"${secret}"`],
  ["a list as body", [secret]],
  ["a text as body", JSON.stringify(secret)],
])("POS credentials in a request with %s are neither echoed nor logged", async (_, body) => {
  const { create } = await given();
  const { status, text } = await create(body);
  expect(status).toBe(422);
  expect(text).not.toContain(secret);
  expect(output.text).not.toContain(secret);
});
