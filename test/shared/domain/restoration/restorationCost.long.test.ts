import { expect, test } from "vitest";
import { functionSizes } from "../../../../infra/constructs/functionSizes.ts";
import { demoServiceProvider } from "../../../../infra/local/demoBusinesses.ts";
import { beginRestoration, noteReplay } from "../../../../shared/domain/restoration/beginRestoration.ts";
import { putServiceProvider } from "../../../../shared/store/crbs.ts";
import { createBusiness } from "../../../bench/data/business.ts";
import { withProgram } from "../../../bench/memory/peakMemory.ts";
import { useTestServiceKey } from "../../../testServiceKey.ts";
import { tableEnvironment } from "../../../testTable.ts";
import { useQueues } from "../../../useQueues.ts";
import { useTestTable } from "../../../useTestTable.ts";

// The source of the hours in docs/operations/restore.md#duration: `npx vitest run` of this file prints the figures.

useTestServiceKey();
useQueues();
const table = useTestTable();

interface Figures {
  records: number;
  seconds: number;
  processorSeconds: number;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
}

const sizes = { customer: 2_000, sale: 8_000 } as const;
const replicationWorker = new URL("../../../bench/memory/replicationWorker.ts", import.meta.url);
const restorationWorker = new URL("../../../bench/memory/restorationWorker.ts", import.meta.url);

test("a worker restores a business within the memory of its function, alone and with another one at the same time", async () => {
  const environment = tableEnvironment(table());
  const businesses = [await createBusiness(table()), await createBusiness(table()), await createBusiness(table())];
  for (const { spId } of businesses) await putServiceProvider(table(), { ...demoServiceProvider, id: spId });
  await withProgram(replicationWorker, async (run) => {
    for (const { connection } of businesses) {
      for (const [kind, records] of Object.entries(sizes)) await run({ connection, kind, records }, environment);
    }
  });
  await beginRestoration(table());
  await noteReplay(table());
  await withProgram(restorationWorker, async (run) => {
    const restore = (i: number) => run<Figures>({ crbId: businesses[i]?.crbId }, environment);
    const [alone, ...both] = [await restore(0), ...(await Promise.all([restore(1), restore(2)]))];
    const stored = sizes.customer + sizes.sale;
    for (const figures of [alone, ...both]) {
      // Each record is read twice: for the rebuild, and for the check.
      expect(figures.records).toBe(2 * stored);
      expect(figures.peak).toBeLessThan(functionSizes.restoration.memory * 1024 * 1024);
      const each = (amount: number) => ((amount * 1_000) / stored).toFixed(2);
      console.log(
        `${each(figures.seconds)} ms a stored record, ${each(figures.processorSeconds)} of them processor time; ` +
          `${(figures.roundTrips / stored).toFixed(3)} round trips, ${(figures.readUnits / stored).toFixed(2)} read and ` +
          `${(figures.writeUnits / stored).toFixed(2)} write units; ${Math.round(figures.peak / 1024 / 1024)} MB`,
      );
    }
  });
}, 1_800_000);
