import { expectedRecords } from "../../shared/pos/fakes/expectedRecords.ts";
import { type PosName, posNames, startFakePos, testEndpointEnvironment } from "../../shared/pos/fakes/fakePos.ts";
import { demoSize, type ShopSize } from "../../shared/pos/fakes/shop.ts";
import { type Bench, count } from "../bench.ts";
import { createBusiness } from "../data/business.ts";
import { inLanes } from "../lanes.ts";
import { type RunProgram, withProgram } from "../memory/peakMemory.ts";

/** Of how many records the bench is, where the shop that is stored is as large as the demo's. */
const demoRecords = 10_000;
/** Of how many it is at most, since storing more from each POS would take days. */
const maxStored = 20_000;

/**
 * The worker's memory with each real POS's fake, all kinds of records: while it replicates a shop of the demo's size, or
 * twice that, and where the bench has more records, while it reads a shop of as many rows and stores nothing. A worker that
 * stores a million records is measured by `customerMemory` and the others of its kind.
 */
export async function posMemory(bench: Bench): Promise<void> {
  const stored = shopOf(Math.max(1, Math.round(Math.min(bench.records, maxStored) / demoRecords)));
  const read = shopOf(Math.max(1, bench.records / rowsOf(demoSize)));
  await withProgram(new URL("../memory/posWorker.ts", import.meta.url), async (run) => {
    // Neither the fake nor the worker has work for a whole core.
    await inLanes(2, posNames, async (name) => {
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

/** It is handed over again and again. */
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
    const told = await run<{ records: number; seconds: number }>(parameters, environment);
    return { ...told, posType: connection.posType, peak: told.peak / 1024 ** 2 };
  } finally {
    await pos.server.close();
  }
}

const rowsOf = ({ customers, products, packages, sales }: ShopSize): number => customers + products + packages + sales;

/** A shop so many times as large as the demo's. */
function shopOf(times: number): ShopSize {
  const { customers, products, packages, sales } = demoSize;
  const of = (rows: number) => Math.round(rows * times);
  return { customers: of(customers), products: of(products), packages: of(packages), sales: of(sales) };
}
