import { expect, test } from "vitest";
import committed from "../../docs/openapi.json" with { type: "json" };
import { answeredWell, walk } from "./paginate.ts";
import { routes, useStage } from "./useStage.ts";

const { stage } = useStage();

const all = routes.map(({ operationId }) => operationId).sort();

test("the description is served without a credential", async () => {
  const response = await fetch(`${stage().description.base_url}/openapi.json`);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/json"]);
  expect(await response.json()).toEqual(committed);
});

test("the typed client can call all operations, and no request or response violates the description", async () => {
  const seen = await walk(stage());
  expect(answeredWell(seen).sort()).toEqual(all);
  const statuses = new Set([...seen.values()].flatMap((each) => [...each]));
  expect(statuses).toEqual(new Set([200, 304, 401, 403, 404, 409, 422]));
});
