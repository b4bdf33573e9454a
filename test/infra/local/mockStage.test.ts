import { afterAll, beforeAll, expect, test } from "vitest";
import { startMockStage } from "../../../infra/local/mockStage.ts";
import { mockCases } from "../../api/mockCases.ts";

let stage: Awaited<ReturnType<typeof startMockStage>>;
beforeAll(async () => {
  stage = await startMockStage({ port: 0 });
});
afterAll(() => stage?.stop());

mockCases(() => stage.baseUrl);

test("with limits, more calls at once than it takes of all callers are answered 429", async () => {
  const limited = await startMockStage({ port: 0, limits: true });
  const call = () => fetch(`${limited.baseUrl}/crbs/x`, { headers: { Authorization: "anything" } });
  const statuses = await Promise.all(Array.from({ length: 300 }, async () => (await call()).status));
  await limited.stop();
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});
