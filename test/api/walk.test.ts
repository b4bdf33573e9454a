import { expect, test } from "vitest";
import committed from "../../docs/openapi.json" with { type: "json" };
import { openApi } from "../../shared/api/openapi/openApi.ts";
import { doors, useStage } from "./useStage.ts";
import { hasProxy, startProxy } from "./validatingProxy.ts";
import { type Seen, walk } from "./walk.ts";

const { stage } = useStage();

const answeredWell = (seen: Seen) => [...seen].filter(([, statuses]) => statuses.has(200)).map(([id]) => id);
const all = doors.map(({ operationId }) => operationId).sort();

test("the description is served to whoever asks", async () => {
  const response = await fetch(`${stage().description.base_url}/openapi.json`);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/json"]);
  expect(await response.json()).toEqual(committed);
});

test("the typed client goes through all operations", async () => {
  const seen = await walk(stage(), stage().description.base_url);
  expect(answeredWell(seen).sort()).toEqual(all);
});

test.skipIf(!hasProxy)(
  "a validating proxy on the way finds no violation of the description",
  async () => {
    // Stricter than what is published: an answer with a field that is not described is a violation, too.
    const proxy = await startProxy(openApi({ closed: true }), stage().description.base_url);
    const seen = await walk(stage(), proxy);
    expect(answeredWell(seen).sort()).toEqual(all);
    expect(new Set([...seen.values()].flatMap((statuses) => [...statuses]))).toEqual(
      new Set([200, 304, 401, 403, 404, 409, 422]),
    );
  },
  120_000,
);
