import { expect, test } from "vitest";
import description from "../../../../docs/openapi.json" with { type: "json" };
import { pathIdName } from "../../../../shared/api/path.ts";
import { withFormParameters } from "../../../../shared/web/reference/formParameters.ts";

const shared = withFormParameters(description as never) as unknown as {
  paths: Record<string, Record<string, { parameters?: ({ in: string } | { $ref: string })[] }>>;
  components: { parameters: Record<string, { in: string; name: string; example?: string }>; schemas: object };
};

test("every operation refers to one path parameter per id, and keeps its other parameters", () => {
  for (const [path, operations] of Object.entries(shared.paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    for (const [method, { parameters = [] }] of Object.entries(operations)) {
      const references = parameters.flatMap((one) => ("$ref" in one ? [one.$ref] : []));
      const ids = names.map((name) => pathIdName(name, path));
      expect(references).toEqual(ids.map((id) => `#/components/parameters/${id}`));
      for (const [index, name] of names.entries()) {
        expect(shared.components.parameters[ids[index] ?? ""]).toMatchObject({ in: "path", name });
      }
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
  ["a document", "/service-providers/{sp_id}/documents/{document_id}", "document_id"],
  ["an upload, which is no document yet", "/document-uploads/{document_id}", "upload_id"],
  ["a document of an invited user's business", "/onboarding/documents/{document_id}", "invited_document_id"],
  ["an upload of an invited user", "/onboarding/document-uploads/{document_id}", "invited_upload_id"],
])("the id of %s has a parameter of its own", (_what, path, id) => {
  const parameter = { in: "path", name: "document_id", required: true };
  const { paths } = withFormParameters({ paths: { [path]: { get: { parameters: [parameter] } } }, components: {} });
  expect(paths[path]?.get?.parameters).toEqual([{ $ref: `#/components/parameters/${id}` }]);
});

test.each([
  ["an optional parameter with enumerated values has no example", { example: "b" }, undefined],
  ["a required one keeps its example", { required: true, example: "b" }, "b"],
  ["other optional ones keep their examples", { schema: { type: "string" }, example: "b" }, "b"],
])("%s", (_what, parts, example) => {
  const parameter = { in: "query", name: "one", schema: { enum: ["a", "b"] }, ...parts };
  const { paths } = withFormParameters({ paths: { "/": { get: { parameters: [parameter] } } }, components: {} });
  expect(paths["/"]?.get?.parameters).toEqual([{ ...parameter, example }]);
});
