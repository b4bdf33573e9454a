import { expect, test } from "vitest";
import description from "../../../../docs/openapi.json" with { type: "json" };
import { withFormParameters } from "../../../../shared/web/reference/formParameters.ts";

const shared = withFormParameters(description as never) as unknown as {
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
      expect(parameters.flatMap((one) => ("$ref" in one ? [] : [{ ...one, example: undefined }]))).toEqual(
        rest.map((one) => ({ ...one, example: undefined })),
      );
    }
  }
});

test("everything else stays the same", () => {
  expect(shared.components.schemas).toEqual(description.components.schemas);
  expect(Object.keys(shared.paths)).toEqual(Object.keys(description.paths));
});

test.each([
  ["an optional parameter with enumerated values has an empty example", {}, ""],
  ["an example does not choose a value of it either", { example: "b" }, ""],
  ["a required one keeps its example", { required: true, example: "b" }, "b"],
  ["other optional ones keep their examples", { schema: { type: "string" }, example: "b" }, "b"],
])("%s", (_what, parts, example) => {
  const parameter = { in: "query", name: "one", schema: { enum: ["a", "b"] }, ...parts };
  const { paths } = withFormParameters({ paths: { "/": { get: { parameters: [parameter] } } }, components: {} });
  expect(paths["/"]?.get?.parameters).toEqual([{ ...parameter, example }]);
});
