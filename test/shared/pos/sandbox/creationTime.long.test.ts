import { expect, test } from "vitest";
import { sandboxConnector } from "../../../../shared/pos/sandbox/sandboxConnector.ts";
import { pullAll, testConnection } from "./testConnection.ts";

const cpuMs = async <Result>(work: () => Result | Promise<Result>): Promise<[number, Result]> => {
  const before = process.cpuUsage();
  const result = await work();
  return [process.cpuUsage(before).user / 1_000, result];
};

// A stage that starts creates every shop of the sandbox. Text of the same records is the unit of the machine's speed.
test("all records of a shop are created in at most 30 times the CPU time of writing them as JSON", {
  retry: 2,
}, async () => {
  const ratios: number[] = [];
  for (let i = 0; i < 4; i++) {
    const [creationMs, records] = await cpuMs(async () => {
      const fresh = sandboxConnector(15);
      const all: unknown[] = [];
      for (const kind of ["location", "product", "customer", "inventory", "sale"] as const) {
        all.push(...(await pullAll(kind, fresh, testConnection, null, testConnection.connectedAt)).records);
      }
      return all;
    });
    const [jsonMs] = await cpuMs(() => JSON.stringify(records));
    ratios.push(creationMs / jsonMs);
  }
  expect(Math.min(...ratios)).toBeLessThan(30);
});
