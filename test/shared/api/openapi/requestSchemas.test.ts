import { transpileSchema } from "@middy/validator/transpile";
import { describe, expect, test } from "vitest";
import { openApi } from "../../../../shared/api/openapi/openApi.ts";
import { operationRegistry } from "../../../../shared/api/operationRegistry.ts";

const schemas = openApi().components?.schemas ?? {};

/** Checks a body with a validator that knows only the JSON Schema of the description. */
function fits(name: string, body: unknown): boolean {
  const components = { schemas };
  const schema = { $ref: `#/components/schemas/${name}`, components };
  // The types of the library do not match the function that it returns.
  const check = transpileSchema(schema, { strict: false }) as unknown as (body: unknown) => boolean;
  return check(structuredClone(body));
}

describe("JSON Schema alone accepts and rejects the same bodies as the service", () => {
  const org = { name: "High Plains Dispensary", state: "CO", business_type: "retail" };
  const { business_type, ...unnamed } = org;
  const pos_info = { pos_type: "Greenbits", pos_credentials: { username: "testing", password: "testing" } };
  const users = [{ email: "jo@example.com", firstName: "Jo", lastName: "Doe" }];
  const options = { onboarding_required: true };
  const token = { grant_type: "client_credentials" };
  const file = { file_name: "license.pdf", file_type: "application/pdf" };

  test.each([
    ["CrbCreation", { org, pos_info }, true],
    ["CrbCreation", { org, users }, true],
    ["CrbCreation", { org: unnamed, business_type, users }, true],
    ["CrbCreation", { org, business_type, users, options }, true],
    ["CrbCreation", { org, pos_info, options: { onboarding_required: false } }, true],
    ["CrbCreation", { org }, false],
    ["CrbCreation", { org, users: [] }, false],
    ["CrbCreation", { org: unnamed, users }, false],
    ["CrbCreation", { org, pos_info, options }, false],
    ["CrbCreation", { org, pos_info, users: [], options }, false],
    ["TokenRequest", token, true],
    ["TokenRequest", { ...token, client_id: "a", client_secret: "b" }, true],
    ["TokenRequest", { ...token, client_id: "a", audience: "b" }, true],
    ["TokenRequest", { ...token, client_secret: "b" }, false],
    ["TokenForm", { ...token, client_secret: "b" }, false],
    ["AddDocument", { ...file, base64: "YQ==" }, true],
    ["AddDocument", { ...file, base64: "" }, false],
  ])("%s %j: %s", (name, body, fitting) => {
    expect(fits(name, body)).toBe(fitting);
    const sent = operationRegistry.flatMap((operation) => [operation.body, operation.form?.schema]);
    const schema = sent.find((one) => one?.meta()?.id === name) ?? expect.fail(name);
    expect(schema.safeParse(body).success).toBe(fitting);
  });

  test("a document's content is described as base64", () => {
    expect(schemas.AddDocument).toMatchObject({ properties: { base64: { contentEncoding: "base64" } } });
  });
});

/** A name as client generators reduce it: letters and digits, in lower case. */
const folded = (name: string) => name.replaceAll(/[^a-z0-9]/gi, "").toLowerCase();

test("no two schema names become the same name in a generated client", () => {
  const names = Object.keys(schemas).map(folded);
  expect(new Set(names).size).toBe(names.length);
  // In Go, the type Upload gets a constructor NewUpload and a type NullableUpload.
  const made = names.flatMap((name) => [`new${name}`, `new${name}withdefaults`, `nullable${name}`]);
  expect(names.filter((name) => made.includes(name))).toEqual([]);
});
