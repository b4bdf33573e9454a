import { beforeAll, expect, test, vi } from "vitest";
import { recordKinds } from "../../../shared/api/kinds.ts";
import { listReplications } from "../../../shared/api/operations/replications.ts";
import { costOf } from "../../bench/capacity.ts";
import { useTestTable } from "../../useTestTable.ts";
import { givenCrb } from "../callHandler.ts";

const table = useTestTable();
beforeAll(() => {
  vi.stubEnv("REPLICATE_EVERY_SECONDS", JSON.stringify(Object.fromEntries(recordKinds.map((kind) => [kind, 600]))));
});

test("the replications of all kinds need one round trip after the authorization", async () => {
  const { call } = await givenCrb(table());
  const get = () => call("listReplications");
  const { result, roundTrips } = await costOf(table().client, get);
  expect(result.status).toBe(200);
  expect(listReplications.success.schema.parse(result.json)).toEqual(result.json);
  expect(result.json.metadata).toEqual({ total: 5, count: "1 - 5" });
  expect(roundTrips).toBe(2);
});
