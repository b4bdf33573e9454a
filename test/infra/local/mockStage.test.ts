import { afterAll, beforeAll, expect, test } from "vitest";
import { startMockStage } from "../../../infra/local/mockStage.ts";
import { mockCases } from "../../api/mockCases.ts";

let stage: Awaited<ReturnType<typeof startMockStage>>;
beforeAll(async () => {
  stage = await startMockStage({ port: 0 });
});
afterAll(() => stage?.stop());

mockCases(() => stage.baseUrl);

test("with limits, calls beyond the total throttle get 429", async () => {
  const limited = await startMockStage({ port: 0, limits: true });
  const call = () => fetch(`${limited.baseUrl}/crbs/x`, { headers: { Authorization: "anything" } });
  const statuses = await Promise.all(Array.from({ length: 300 }, async () => (await call()).status));
  await limited.stop();
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});
