import { expect, test } from "vitest";
import { openApi } from "../../../../shared/api/openapi/openApi.ts";

/** Fields that hold no client id. */
const exempt: Readonly<Record<string, string>> = {
  "Onboarding.given_by": "the name of an invited user",
  "OnboardingLicenses.given_by": "the name of an invited user",
  "OnboardingTemplate.created_by": "a label of the template's author",
  "OnboardingTemplate.updated_by": "a label of the template's editor",
  "OnboardingTemplate.published_by": "a label of the template's publisher",
};

interface Schema {
  properties?: Record<string, Schema>;
  [name: string]: unknown;
}

/** The objects with properties in a schema, with its own. */
function* objectsIn(schema: unknown): Generator<Schema> {
  if (typeof schema !== "object" || schema === null) return;
  if ("properties" in schema && typeof schema.properties === "object") yield schema as Schema;
  for (const part of Object.values(schema)) yield* objectsIn(part);
}

test("every field of a record with a client id has the person next to it; events have ids only", () => {
  const schemas = Object.entries(openApi().components?.schemas ?? {}).filter(([name]) => !/Event/.test(name));
  const fields = schemas.flatMap(([name, schema]) =>
    [...objectsIn(schema)].flatMap(({ properties = {} }) =>
      Object.keys(properties)
        .filter((field) => field.endsWith("_by"))
        .map((field) => ({ field: `${name}.${field}`, hasPerson: `${field}_person` in properties })),
    ),
  );
  expect(fields.length).toBeGreaterThan(10);
  const missing = fields.filter(({ hasPerson }) => !hasPerson).map(({ field }) => field);
  expect([...new Set(missing)].sort()).toEqual(Object.keys(exempt).sort());
});
