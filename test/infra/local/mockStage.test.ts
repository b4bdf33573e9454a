import { afterAll, beforeAll } from "vitest";
import { startMockStage } from "../../../infra/local/mockStage.ts";
import { mockCases } from "../../api/mockCases.ts";

let stage: Awaited<ReturnType<typeof startMockStage>>;
beforeAll(async () => {
  stage = await startMockStage({ port: 0 });
});
afterAll(() => stage?.stop());

mockCases(() => stage.baseUrl);
