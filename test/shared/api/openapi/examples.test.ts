import { describe, expect, test } from "vitest";
import type { Fields } from "../../../../shared/api/errors.ts";
import { openApi } from "../../../../shared/api/openapi/openApi.ts";
import type { RequestExample } from "../../../../shared/api/operation.ts";
import { operationRegistry } from "../../../../shared/api/operationRegistry.ts";
import { malformedIds } from "../../../../shared/api/path.ts";
import { error, oauthError, oauthValidationError, validationError } from "../../../../shared/api/schemas/error.ts";
import { requestEvent } from "../../../requestEvent.ts";
import { validateEvent } from "../../../validateEvent.ts";

const operationOf = (id: string) =>
  operationRegistry.find(({ routes }) => routes.some(({ operationId }) => operationId === id)) ?? expect.fail(id);

/** The fields of a request that fail validation. */
function failingFields(
  id: string,
  { path = {}, query = {}, body }: Partial<RequestExample>,
  contentType?: string,
): Fields | undefined {
  const operation = operationOf(id);
  const route = operation.routes[0];
  const values = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]));
  const request = { resource: route.path, path: { ...path }, query: values, body, ...(contentType && { contentType }) };
  return validateEvent(operation, { ...requestEvent(request), route }).fields;
}

const requests = operationRegistry.flatMap(({ routes: [{ operationId }], requests = {} }) =>
  Object.entries(requests).map(([name, request]) => ({ id: operationId, name, request })),
);

test.each(requests)("the request «$name» of $id passes its checks", ({ id, request }) => {
  expect(failingFields(id, request)).toBeUndefined();
});

const forms = operationRegistry.flatMap(({ routes: [{ operationId }], form }) =>
  Object.entries(form?.requests ?? {}).map(([name, { body }]) => ({ id: operationId, name, body })),
);

const sendForm = (id: string, body: object) => {
  const text = new URLSearchParams(Object.entries<string>(body as Record<string, string>)).toString();
  return failingFields(id, { body: text as never }, "application/x-www-form-urlencoded");
};

test.each(forms)("the form «$name» of $id passes its checks", ({ id, body }) => {
  expect(sendForm(id, body)).toBeUndefined();
});

test("every request body has an example", () => {
  const withoutExample = operationRegistry.filter(
    ({ body, requests = {} }) => body && !Object.values(requests)[0]?.body,
  );
  expect(withoutExample).toEqual([]);
});

interface ErrorResponses {
  content: Record<string, { examples: Record<string, { value: { status: number; fields?: Fields } }> }>;
}
const { paths = {}, components = {} } = openApi();
const shared = (components.responses ?? {}) as Record<string, ErrorResponses>;
const own = Object.values(paths).flatMap((path) =>
  Object.values(path as Record<string, { operationId: string; responses: Record<string, ErrorResponses> }>),
);

/** Every example of an error, with the name of its response. */
const errors = [
  ...Object.entries(shared).map(([name, response]) => ({ name, response })),
  ...own.flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(([status, response]) => ({ name: `${operationId} ${status}`, response })),
  ),
].flatMap(({ name, response }) =>
  Object.values(response.content?.["application/json"]?.examples ?? {}).flatMap(({ value }) =>
    value.status ? [{ name, value }] : [],
  ),
);

test.each(errors)("an example error of $name fits the schema of errors", ({ value }) => {
  const [one, withFields] = "error" in value ? [oauthError, oauthValidationError] : [error, validationError];
  const schema = value.status === 422 ? withFields : one;
  expect(schema.parse(value)).toEqual(value);
});

/** The failing fields that an example shows. */
const exampleFields = (id: string, name: string) =>
  operationOf(id).rejections?.[422]?.examples[name]?.fields ?? expect.fail(`${id} has no ${name}`);
const sharedExample = (name: string) =>
  shared.ValidationFailed?.content["application/json"]?.examples[name]?.value.fields ?? expect.fail(name);

describe("the service reports the failing fields that the examples show", () => {
  const bodyOf = (id: string) => Object.values(operationOf(id).requests ?? {})[0]?.body;

  test.each([
    ["updateCrbInfo", "fields", { body: { status: "bank_approved", ein: "847654321" } }],
    ["createCrb", "nobodyInvited", { body: { org: { name: "x", state: "CO", business_type: "retail" } } }],
    ["addRequirementDocument", "name", { body: { ...bodyOf("addRequirementDocument"), file_name: "license.docx" } }],
    ["searchCrbCustomers", "noTerm", {}],
    ["listCrbLocationInventory", "window", { query: { date: "2026-03-01", last_updated_to: "2026-03-02" } }],
  ])("for %s: %s", (id, name, request) => {
    expect(failingFields(id, request)).toEqual(exampleFields(id, name));
  });

  test("for the errors that operations share", () => {
    expect(failingFields("listCustomers", { query: { limit: "1001" } })).toEqual(sharedExample("parameter"));
    expect(malformedIds({ crb_id: "high-plains" })).toEqual(sharedExample("identifier"));
    const body = { client_secret: "x", grant_type: "password" };
    expect(failingFields("exchangeToken", { body })).toEqual(sharedExample("body"));
    expect(exampleFields("exchangeToken", "body")).toEqual(sharedExample("body"));
    expect(sendForm("exchangeToken", { grant_type: "password" })).toEqual(exampleFields("exchangeToken", "form"));
  });
});
