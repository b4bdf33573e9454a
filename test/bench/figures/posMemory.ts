import { expectedRecords } from "../../shared/pos/fakes/expectedRecords.ts";
import { type PosName, posNames, startFakePos, testEndpointEnvironment } from "../../shared/pos/fakes/fakePos.ts";
import { demoSize, type ShopSize } from "../../shared/pos/fakes/shop.ts";
import { type Bench, count } from "../bench.ts";
import { createBusiness } from "../data/business.ts";
import { forEachConcurrently } from "../forEachConcurrently.ts";
import { type RunProgram, withProgram } from "../memory/peakMemory.ts";

/** The size of a benchmark run in which the stored shop is as large as the demo's. */
const demoRecords = 10_000;
/** The largest size of a run for which shops are stored in full; storing more from each POS would take days. */
const maxStored = 20_000;

/**
 * Measures the worker's memory with each real POS's fake and all kinds of records. The worker replicates a shop of the demo's
 * size, or of twice that. In larger runs, it also reads a shop of as many rows as the run has records, and stores nothing.
 * `customerMemory`, `saleMemory` and `vanished` measure workers that store a million records.
 */
export async function posMemory(bench: Bench): Promise<void> {
  const stored = shopOf(Math.max(1, Math.round(Math.min(bench.records, maxStored) / demoRecords)));
  const read = shopOf(Math.max(1, bench.records / rowsOf(demoSize)));
  await withProgram(new URL("../memory/posWorker.ts", import.meta.url), async (run) => {
    // Neither the fake nor the worker keeps a whole core busy.
    await forEachConcurrently(2, posNames, async (name) => {
      await replicateShop(bench, run, name, stored);
      if (bench.records > maxStored) await readShop(bench, run, name, read);
    });
  });
}

async function replicateShop(bench: Bench, run: RunProgram, name: PosName, size: ShopSize): Promise<void> {
  const rows = count(rowsOf(size));
  bench.progress(`Replicating a shop of ${rows} rows in a process of its own, ${name}`);
  const { posType, peak, seconds } = await work(bench, run, name, size, { stores: true });
  const shop = `Worker that replicates a shop of ${rows} rows of ${posType}`;
  bench.figure(`${shop}: peak resident memory`, peak, "MB", { atMost: 256 });
  bench.figure(`${shop}: time`, seconds, "s");
}

/** Each run is cut into many time slices. */
async function readShop(bench: Bench, run: RunProgram, name: PosName, size: ShopSize): Promise<void> {
  const rows = count(rowsOf(size));
  bench.progress(`Reading a shop of ${rows} rows in a process of its own, ${name}`);
  const options = { stores: false, milliseconds: bench.records / 10 };
  const { posType, peak, seconds, records } = await work(bench, run, name, size, options);
  const shop = `Worker that reads a shop of ${rows} rows of ${posType}, nothing stored`;
  bench.figure(`${shop}: peak resident memory`, peak, "MB", { atMost: 256 });
  bench.figure(`${shop}: ${count(records)} records`, records / seconds, "records/s");
}

async function work(bench: Bench, run: RunProgram, name: PosName, size: ShopSize, options: object) {
  const pos = await startFakePos(name, "bench", size);
  try {
    const environment = { ...bench.scratch.environment, ...testEndpointEnvironment(name, pos.address) };
    const { crbId } = await createBusiness(bench.scratch.table);
    const connection = { ...pos.connection, crbId };
    const parameters = { connection, expected: expectedRecords(name, pos.shop), ...options };
    const measured = await run<{ records: number; seconds: number }>(parameters, environment);
    return { ...measured, posType: connection.posType, peak: measured.peak / 1024 ** 2 };
  } finally {
    await pos.server.close();
  }
}

const rowsOf = ({ customers, products, packages, sales }: ShopSize): number => customers + products + packages + sales;

/** A shop that is larger than the demo's by a factor. */
function shopOf(times: number): ShopSize {
  const { customers, products, packages, sales } = demoSize;
  const of = (rows: number) => Math.round(rows * times);
  return { customers: of(customers), products: of(products), packages: of(packages), sales: of(sales) };
}
