import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createCrb, listCrbs } from "../../../shared/store/crbs.ts";
import { crbRecord } from "../../crbRecord.ts";
import { createTestTable, testTableOf } from "../../testTable.ts";
import { RealRules } from "./realRules.ts";

/** Of 300, which take six times as long here, the last waits 13 s. */
const many = 50;

test("hundreds of CRBs that a service provider creates at once are all created", async () => {
  const bare = await createTestTable();
  const world = new RealRules({ seed: 1, start: "2026-03-01T10:00:00.000Z" });
  const table = testTableOf(bare, world.clock);
  world.attach(table);
  const serviceProviderId = randomUUID();
  const outcomes = await world.run(
    Array.from({ length: many }, (_, i) => ({
      name: `request ${i}`,
      work: async () => {
        const begun = world.clock.now().getTime();
        const id = randomUUID();
        const record = { ...crbRecord(id), name: `Business ${i}` };
        await createCrb(table, { record, serviceProviderId, connection: null }, world.clock);
        return world.clock.now().getTime() - begun;
      },
    })),
  );
  const failed = outcomes.filter(({ error }) => error);
  expect(failed).toEqual([]);
  expect(Math.max(...outcomes.map(({ value }) => Number(value)))).toBeLessThan(15_000);
  expect((await listCrbs(bare, serviceProviderId, { offset: 0, limit: 1 })).total).toBe(many);
});
