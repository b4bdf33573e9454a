import { expect, test } from "vitest";
import description from "../../../../docs/openapi.json" with { type: "json" };
import { withSharedParameters } from "../../../../shared/web/reference/sharedParameters.ts";

const shared = withSharedParameters(description as never) as unknown as {
  paths: Record<string, Record<string, { parameters?: ({ in: string } | { $ref: string })[] }>>;
  components: { parameters: Record<string, { in: string; name: string; example?: string }>; schemas: object };
};

test("every operation refers to one path parameter per name, and keeps its other parameters", () => {
  for (const [path, operations] of Object.entries(shared.paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    for (const [method, { parameters = [] }] of Object.entries(operations)) {
      const references = parameters.flatMap((one) => ("$ref" in one ? [one.$ref] : []));
      expect(references).toEqual(names.map((name) => `#/components/parameters/${name}`));
      for (const name of names) expect(shared.components.parameters[name]).toMatchObject({ in: "path", name });
      const before = description.paths[path as "/auth/token"][method as "post"] as { parameters?: { in: string }[] };
      const rest = (before.parameters ?? []).filter((one) => one.in !== "path");
      expect(parameters.filter((one) => !("$ref" in one))).toEqual(rest);
    }
  }
});

test("everything else stays the same", () => {
  expect(shared.components.schemas).toEqual(description.components.schemas);
  expect(Object.keys(shared.paths)).toEqual(Object.keys(description.paths));
});
