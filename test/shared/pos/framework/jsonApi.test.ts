import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { JsonApi, type JsonApiOptions } from "../../../../shared/pos/framework/jsonApi.ts";
import { PosClient } from "../../../../shared/pos/framework/posClient.ts";
import { posPath } from "../../../../shared/pos/framework/posPath.ts";
import { FakeServer } from "../fakes/fakeServer.ts";

let server: FakeServer;
let status: number;
beforeEach(async () => {
  server = new FakeServer(() => ({ status, body: { things: [] } }));
  await server.start();
});
afterEach(() => server.close());

const read = (options: Pick<JsonApiOptions, "wholeStatuses"> = {}) => {
  const client = new PosClient({ url: server.url, requestsPerSecond: Number.POSITIVE_INFINITY });
  const api = new JsonApi({ client, rateLimitBucket: "crb", headers: {}, ...options });
  return api.read(z.object({ things: z.array(z.unknown()) }), posPath`/things`);
};

test.each([200, 201])("a status of %i means a complete response", async (given) => {
  status = given;
  expect((await read()).body).toEqual({ things: [] });
});

test.each([202, 203, 206])("a status of %i means an incomplete response", async (given) => {
  status = given;
  await expect(read()).rejects.toMatchObject({ failure: "notUnderstood", code: String(given) });
});

test("201 means an incomplete response if the POS documents only 200", async () => {
  status = 201;
  await expect(read({ wholeStatuses: [200] })).rejects.toMatchObject({ failure: "notUnderstood", code: "201" });
});

test("a long list is not requested again after its timeout", async () => {
  status = 200;
  server.faults = () => ({ kind: "slow", milliseconds: 1_000 });
  const client = new PosClient({ url: server.url, requestsPerSecond: Number.POSITIVE_INFINITY, firstPauseMs: 1 });
  const api = new JsonApi({ client, rateLimitBucket: "crb", headers: {} });
  const ignore = () => undefined;
  const reading = api.eachRow(posPath`/things`, "things", ignore, ignore, { timeoutMs: 100 });
  await expect(reading).rejects.toMatchObject({ failure: "unreachable", code: "timeout" });
  expect(server.requests).toHaveLength(1);
});
