import { expect, test } from "vitest";
import { openApi } from "../../shared/api/openapi/openApi.ts";
import { answeredWell, walk } from "./paginate.ts";
import { routes, useStage } from "./useStage.ts";
import { hasProxy, startProxy } from "./validatingProxy.ts";

const { stage } = useStage();
const all = routes.map(({ operationId }) => operationId).sort();

test.skipIf(!hasProxy)(
  "a validating proxy finds no violation of the description",
  async () => {
    // Stricter than the published description: a response with an undescribed field is a violation, too.
    const proxy = await startProxy(openApi({ closed: true }), stage().description.base_url);
    const seen = await walk(stage(), proxy);
    expect(answeredWell(seen).sort()).toEqual(all);
    expect(new Set([...seen.values()].flatMap((statuses) => [...statuses]))).toEqual(
      new Set([200, 304, 401, 403, 404, 409, 422]),
    );
  },
  120_000,
);
