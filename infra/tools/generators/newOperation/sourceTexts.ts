import { capitalized } from "../files/capitalized.ts";
import { type About, type Draft, type DraftRoute, filesOf } from "./draft.ts";

// The texts of a new operation's files, in the style of getCrb and getServiceProvider. The formatter breaks their lines.

const subjects = {
  crb: {
    noun: "CRB",
    parameter: "crb_id",
    id: "crbId",
    permissionSet: "crbs:read",
    example: '{ id: exampleIds.crb, name: "High Plains Dispensary", timezone: "America/Denver" }',
    read: "const crb = await readCrb(serviceTable(), path.crb_id);",
    found: "crb",
    record: "crb.record",
    reader: "readCrb",
    key: "crbKey",
    stored: "crbRecord(crbId)",
    storedFrom: 'import { crbRecord } from "../../crbRecord.ts";',
  },
  serviceProvider: {
    noun: "service provider",
    parameter: "sp_id",
    id: "spId",
    permissionSet: "serviceProviders:read",
    example: '{ id: exampleIds.serviceProvider, name: "Front Range Community Bank", timezone: "America/Denver" }',
    read: "const serviceProvider = await readServiceProvider(serviceTable(), path.sp_id);",
    found: "serviceProvider",
    record: "serviceProvider",
    reader: "readServiceProvider",
    key: "serviceProviderKey",
    stored: "demoServiceProvider",
    storedFrom: 'import { demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";',
  },
} as const satisfies Record<About, object>;

/** The new files of an operation, by path in the project. */
export function sourceTexts(draft: Draft): Map<string, string> {
  const files = filesOf(draft);
  return new Map([
    [files.schema, schemaText(draft)],
    [files.entry, entryText(draft)],
    [files.handler, handlerText(draft)],
    [files.test, testText(draft)],
  ]);
}

const schemaText = ({ schema, about }: Draft): string => `import * as z from "zod";
import { timezone } from "./codes.ts";
import { uuid } from "./scalars.ts";

// TODO: replace the fields with those of the answer, each with a description, and describe the whole.
export const ${schema} = z
  .strictObject({
    id: uuid.describe("The \`${subjects[about].parameter}\`"),
    name: z.string().describe("Name of the organization"),
    timezone,
  })
  .meta({ id: "${capitalized(schema)}", description: "Name and time zone of a ${subjects[about].noun}" });
`;

const bodyReminder = `
  // TODO: if requests hold a body, give its schema as \`body\`, and an example of it in \`requests\`.`;

const entryText = ({ name, group, routes, tag, summary, about, schema }: Draft): string =>
  `import { defineOperation, E4 } from "../operation.ts";
import { noQuery } from "../parameters.ts";
import { ${schema} } from "../schemas/${schema}.ts";
import { exampleIds } from "./examples.ts";

export const ${name} = defineOperation({
  handler: "${group}/${name}",
  routes: ${JSON.stringify(routes)},
  tag: "${tag}",
  // TODO: say what it does in the summary, and the rules that no schema can express in the description.
  summary: "${summary}",
  description: "Name and time zone of the ${subjects[about].noun}.",
  // TODO: replace noQuery if the operation takes query parameters (shared/api/parameters.ts).
  query: noQuery,${takesBody(routes) ? bodyReminder : ""}
  success: {
    schema: ${schema},
    description: "Name and time zone",
    // TODO: show a realistic answer.
    example: ${subjects[about].example},
  },
  errors: E4,
  // TODO: list what the handler may do (infra/permissions/permissionSets.ts). AWS denies it everything else.
  permissionSets: ["${subjects[about].permissionSet}"],
});
`;

const takesBody = (routes: Draft["routes"]): boolean =>
  routes.some(({ method }) => method === "POST" || method === "PUT");

function handlerText({ name, about }: Draft): string {
  const { reader, read, found, record } = subjects[about];
  return `import { notFound } from "../../shared/api/errors.ts";
import { ${name} } from "../../shared/api/operations/${name}.ts";
import { endpoint } from "../../shared/http/endpoint.ts";
import { json } from "../../shared/http/handlerResult.ts";
import { serviceTable } from "../../shared/store/client.ts";
import { ${reader} } from "../../shared/store/crbs.ts";

// TODO: return what the registry entry promises.
export const handler = endpoint(${name}, async ({ path }) => {
  ${read}
  if (!${found}) throw notFound("CRB");
  const { id, name, timezone } = ${record};
  return json({ id, name, timezone });
});
`;
}

function testText({ name, group, routes, about, schema }: Draft): string {
  const { noun, id, key, storedFrom } = subjects[about];
  const givens = routes.map(givenOf).join(", ");
  const found = routes.map((route) => foundTest(route, about, schema)).join("\n");
  return `import { expect, test } from "vitest";
import { handler } from "../../../functions/${group}/${name}.ts";
import { ${schema} } from "../../../shared/api/schemas/${schema}.ts";
import { ${key} } from "../../../shared/store/keys/crbs.ts";
import { useTestTable } from "../../useTestTable.ts";
import { ${givens} } from "../callHandler.ts";
${storedFrom}

const table = useTestTable();

// TODO: test what the operation is for. Access and malformed requests are tested for every operation elsewhere.
${found}
test("is 404 without a record of the ${noun}", async () => {
  const { ${id}, call } = await ${givenOf(routes[0])}(table());
  await table().delete(${key}(${id}));
  const { status } = ${callOf(routes[0])};
  expect(status).toBe(404);
});
`;
}

const givenOf = ({ caller }: DraftRoute): string => (caller === "crb" ? "givenCrb" : "givenServiceProvider");

function foundTest(route: DraftRoute, about: About, schema: string): string {
  const { id, stored } = subjects[about];
  return `test("answers a ${subjects[route.caller].noun} with name and time zone", async () => {
  const { ${id}, call } = await ${givenOf(route)}(table());
  const { status, json } = ${callOf(route)};
  expect(status).toBe(200);
  const { name, timezone } = ${stored};
  expect(${schema}.parse(json)).toEqual({ id: ${id}, name, timezone });
});
`;
}

/** A call of the handler at a route. The caller's own id is filled in by default. */
function callOf({ method, path, caller }: DraftRoute): string {
  const ids = caller === "serviceProvider" && path.includes("{crb_id}") ? ["path: { crb_id: crbId }"] : [];
  const request = [`resource: "${path}"`, ...(method === "GET" ? [] : [`method: "${method}"`]), ...ids];
  return `await call(handler, { ${request.join(", ")} })`;
}
