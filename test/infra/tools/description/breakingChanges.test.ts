import { expect, test } from "vitest";
import { breakingChanges, type Description } from "../../../../infra/tools/description/breakingChanges.ts";
import { changesSinceReleases } from "../../../../infra/tools/description/releases.ts";
import { openApi } from "../../../../shared/api/openapi/openApi.ts";
import { sampleCases } from "../../../thorough.ts";
import { breaking, compatible, shops } from "./changeCases.ts";

const current = JSON.parse(JSON.stringify(openApi())) as Description;
const releases = [...changesSinceReleases(current)];

test("the releases of this major version are kept", () => {
  expect(releases).not.toEqual([]);
});

test.each(releases)("callers of release %s can use the present API", (_, changes) => {
  expect(changes).toEqual([]);
});

/** The messages about a change of one value of the small API; undefined removes the value. */
function changesBy(where: readonly string[], value: unknown): string[] {
  const after = shops();
  let place = after as unknown as Record<string, unknown>;
  for (const key of where.slice(0, -1)) place = place[key] as Record<string, unknown>;
  const last = where.at(-1) ?? "";
  if (value === undefined) delete place[last];
  else place[last] = value;
  return breakingChanges(shops(), after);
}

test.each(breaking)("%s breaks callers", (_, where, value, said) => {
  expect(changesBy(where, value)).toContain(`PUT /shops/{id}: ${said}`);
});

test("an operation that needed no credential may not require one", () => {
  const before = shops();
  Object.assign(before.paths["/shops/{id}"]?.put ?? {}, { security: [] });
  expect(breakingChanges(before, shops())).toEqual(["PUT /shops/{id}: access: requires more than before"]);
});

test.each(compatible)("%s breaks no callers", (_, where, value) => {
  expect(changesBy(where, value)).toEqual([]);
});

test("a recursive schema is compared completely", () => {
  const tree = shops();
  const child = { anyOf: [{ $ref: "#/components/schemas/Owner" }, { type: "null" }] };
  tree.components.schemas.Owner = { type: "object", properties: { boss: child, name: { type: "string" } } };
  const after = structuredClone(tree);
  after.components.schemas.Owner = { type: "object", properties: { boss: child } };
  expect(breakingChanges(tree, tree)).toEqual([]);
  expect(breakingChanges(tree, after)).toContain("PUT /shops/{id}: response 200.owner.name: was removed");
});

test("every named record of the real API is watched", () => {
  const { schemas } = current.components;
  const unseen = sampleCases(Object.entries(schemas), 20).filter(([name, schema]) => {
    const [field] = Object.keys(schema.properties ?? {});
    if (!field) return false;
    const { [field]: _, ...properties } = schema.properties ?? {};
    const changed = { ...schemas, [name]: { ...schema, properties, required: [] } };
    const after = { ...current, components: { ...current.components, schemas: changed } };
    return !breakingChanges(current, after).some((change) => change.endsWith(`${field}: was removed`));
  });
  expect(unseen.map(([name]) => name)).toEqual([]);
});
