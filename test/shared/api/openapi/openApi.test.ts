import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { adaptTextToCaller } from "../../../../shared/api/openapi/adaptTextToCaller.ts";
import { openApi } from "../../../../shared/api/openapi/openApi.ts";
import { tags } from "../../../../shared/api/openapi/tags.ts";
import { isTagged, requiredScopes, takesBody } from "../../../../shared/api/operation.ts";
import { operationRegistry } from "../../../../shared/api/operationRegistry.ts";

interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
}

interface Parameter {
  in: string;
  name: string;
  description?: string;
}

interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; examples: object }> };
  responses: Record<string, { description?: string; headers?: object; content?: object }>;
}

const require = createRequire(import.meta.url);
const description = openApi();
const schemas = description.components?.schemas as Record<string, Schema>;
const operations = Object.values(description.paths ?? {}).flatMap((path) => Object.values(path) as Described[]);
const described = (id: string) => operations.find(({ operationId }) => operationId === id) ?? expect.fail(id);

test("the description passes the linter's recommended rules without errors or warnings", () => {
  const linter = require.resolve("@redocly/cli/bin/cli.js");
  const { stdout, stderr } = spawnSync(process.execPath, [linter, "lint", "docs/openapi.json", "--format=json"], {
    encoding: "utf8",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  const { totals, problems } = stdout.startsWith("{") ? JSON.parse(stdout) : expect.fail(stderr);
  expect(problems).toEqual([]);
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

test("no text refers callers to an operation that rejects them", () => {
  const callers = new Map(
    operationRegistry.flatMap(({ routes }) => routes.map(({ operationId, caller }) => [operationId, caller] as const)),
  );
  const rejected = operations.flatMap((operation) => {
    const own = callers.get(operation.operationId);
    const texts = [operation, ...Object.values(operation.responses)].map(({ description = "" }) => description);
    return texts.flatMap((text) =>
      // "As" and "like" before a name only compare two operations.
      [...text.matchAll(/(?<!\b(?:as|like) )`(\w+)`/gi)].flatMap(([, id = ""]) => {
        const caller = callers.get(id) ?? own;
        return caller === own || caller === "anyone" || caller === "nobody" ? [] : [`${operation.operationId}: ${id}`];
      }),
    );
  });
  expect(rejected).toEqual([]);
});

describe.each(operationRegistry.flatMap((operation) => operation.routes.map((route) => ({ ...route, operation }))))(
  "$operationId",
  ({ operation, ...route }) => {
    const found = described(route.operationId);

    test("is described with its parameters, body and security", () => {
      expect(found.summary).not.toBe("");
      expect(operation.description).toBeDefined();
      expect(found.description).toContain(adaptTextToCaller(operation.description ?? "", route));
      expect(tags.map(({ name }) => name as string)).toContain(found.tags[0]);
      const names = (place: string) => found.parameters.filter((one) => one.in === place).map(({ name }) => name);
      expect(names("path")).toEqual([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(names("query")).toEqual(Object.keys((route.query ?? operation.query).shape));
      const headers = names("header").map((name) => name.toLowerCase());
      const conditional = isTagged(operation, route) ? ["if-none-match"] : [];
      expect(headers).toEqual([...Object.keys(operation.headers?.shape ?? {}), ...conditional]);
      expect(Object.keys(found.requestBody?.content ?? {})).toEqual([
        ...(operation.body ? ["application/json"] : []),
        ...(operation.form
          ? ["application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=utf-8"]
          : []),
      ]);
      const scopes = requiredScopes(route);
      const byKeyOrToken = [{ access_auth: scopes }, { oauth2: scopes }];
      const security = {
        anyone: [{}, { access_auth: [] }],
        nobody: [],
        invitedUser: [{ access_auth: [] }],
        serviceProvider: byKeyOrToken,
        crb: byKeyOrToken,
      };
      expect(found.security).toEqual(security[route.caller]);
    });

    test("is described with every status that it returns", () => {
      const statuses = [
        200,
        ...operation.errors,
        429,
        500,
        503,
        ...(isTagged(operation, route) ? [304] : []),
        ...(takesBody(route) ? [413] : []),
      ];
      expect(Object.keys(found.responses).map(Number)).toEqual([...new Set(statuses)].sort((a, b) => a - b));
    });

    test("has a description of each parameter", () => {
      expect(found.parameters.filter((parameter) => !parameter.description)).toEqual([]);
    });
  },
);

test("every operation that changes records of a caller has a 409, for changes of other requests in each of its attempts", () => {
  const without = operationRegistry.filter(
    ({ routes, errors }) => routes.some(({ method }) => method !== "GET") && !errors.some((status) => status === 409),
  );
  // A new token depends on no other record, and the response of the other does not depend on what the request finds.
  expect(without.map(({ handler }) => handler)).toEqual([
    "authentication/exchangeToken",
    "onboarding/sendOnboardingLink",
  ]);
});

test("every operation has its own summary", () => {
  expect(new Set(operations.map(({ summary }) => summary)).size).toBe(operations.length);
});

/** Every property of a schema, at any depth, with its path. Properties inside a `not` are left out. */
function properties(schema: unknown, path: string): [string, Schema][] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "properties"
      ? Object.entries(value as Record<string, Schema>).flatMap<[string, Schema]>(([name, property]) => [
          [`${path}.${name}`, property],
          ...properties(property, `${path}.${name}`),
        ])
      : key === "not"
        ? []
        : properties(value, path),
  );
}

test("every record and each of its fields has a description", () => {
  expect(Object.keys(schemas).filter((name) => !schemas[name]?.description)).toEqual([]);
  const named = ({ $ref }: Schema) => schemas[$ref?.split("/").at(-1) ?? ""];
  const nullable = (schema: Schema) => (schema as { anyOf?: Schema[] }).anyOf?.find(({ $ref }) => $ref);
  const withoutDescription = properties(schemas, "").filter(
    ([, schema]) => !(schema.description ?? named(schema)?.description ?? named(nullable(schema) ?? {})?.description),
  );
  expect(withoutDescription.map(([path]) => path)).toEqual([]);
});

test("only request schemas forbid additional properties, except those of the token exchange", () => {
  const closed = Object.entries(schemas).filter(([, schema]) => JSON.stringify(schema).includes('Properties":false'));
  const sent = operations.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => schema.$ref ?? []),
  );
  const open = ["TokenForm", "TokenRequest"].map((name) => `#/components/schemas/${name}`);
  const expected = [...new Set(sent)].filter((ref) => !open.includes(ref)).sort();
  expect(closed.map(([name]) => `#/components/schemas/${name}`).sort()).toEqual(expected);
  expect(JSON.stringify(openApi({ closed: true }).components?.schemas?.Customer)).toContain('Properties":false');
});
