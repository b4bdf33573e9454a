import { expect, test } from "vitest";
import description from "../../../../../docs/openapi.json" with { type: "json" };
import { operationRegistry } from "../../../../../shared/api/operationRegistry.ts";
import { type OperationId, operationAnchor, operations } from "../../../../../shared/web/console/app/operations.ts";
import { documentWithGuides } from "../../../../../shared/web/reference/documentWithGuides.ts";

const routes = operationRegistry.flatMap(({ routes, tag }) => routes.map((route) => ({ tag, ...route })));

test.each(Object.entries(operations))("%s has the method, path and tag of the registry", (id, called) => {
  const { method, path, tag } = routes.find(({ operationId }) => operationId === id) ?? expect.fail("unknown");
  expect(called).toEqual([method, path, tag]);
});

test.each(Object.keys(operations) as OperationId[])("the link of %s is its anchor on the reference page", (id) => {
  const { info } = documentWithGuides(description, new Map([["one.md", `# One\n\n\`${id}\`\n`]]));
  expect(info.description).toContain(`(${operationAnchor(id)})`);
});
