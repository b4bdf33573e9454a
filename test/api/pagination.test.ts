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

test("the typed client can call all operations", async () => {
  const seen = await walk(stage(), stage().description.base_url);
  expect(answeredWell(seen).sort()).toEqual(all);
});
