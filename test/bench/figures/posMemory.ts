import { expectedRecords } from "../../shared/pos/fakes/expectedRecords.ts";
import { type PosName, posNames, standInEnvironment, startFakePos } from "../../shared/pos/fakes/fakePos.ts";
import { demoSize, type ShopSize } from "../../shared/pos/fakes/shop.ts";
import { type Bench, count } from "../bench.ts";
import { createBusiness } from "../data/business.ts";
import { peakMemoryOf } from "../memory/peakMemory.ts";

/** Of how many records the bench is, where the shop that is stored is as large as the demo's. */
const demoRecords = 10_000;
/** Of how many it is at most, since more would take days with each POS: `customerMemory` and others store a million. */
const mostStored = 20_000;

/**
 * The worker's memory with all kinds of records from each real POS's fake: while it replicates a shop of the demo's size,
 * or twice that; and while it reads one of as many rows as the bench has records, and stores nothing.
 */
export async function posMemory(bench: Bench): Promise<void> {
  const stored = shopOf(Math.max(1, Math.round(Math.min(bench.records, mostStored) / demoRecords)));
  const read = shopOf(Math.max(1, bench.records / rowsOf(demoSize)));
  for (const name of posNames) {
    await measure(bench, name, stored, true);
    await measure(bench, name, read, false);
  }
}

async function measure(bench: Bench, name: PosName, size: ShopSize, stores: boolean): Promise<void> {
  const rows = count(rowsOf(size));
  bench.progress(`${stores ? "Replicating" : "Reading"} a shop of ${rows} rows in a process of its own, ${name}`);
  const pos = await startFakePos(name, "bench", size);
  try {
    Object.assign(process.env, standInEnvironment(name, pos.address));
    const { crbId } = await createBusiness(bench.scratch.table);
    const connection = { ...pos.connection, crbId };
    const expected = expectedRecords(name, pos.shop);
    // What is read alone is handed over again and again.
    const parameters = { connection, expected, stores, ...(!stores && { milliseconds: bench.records / 10 }) };
    const worker = new URL("../memory/posWorker.ts", import.meta.url);
    const told = await peakMemoryOf<{ records: number; seconds: number }>(
      worker,
      parameters,
      bench.scratch.environment,
    );
    const figure = `Worker that ${stores ? "replicates" : "reads"} a shop of ${rows} rows of ${connection.posType}${stores ? "" : ", nothing stored"}`;
    bench.figure(`${figure}: peak resident memory`, told.peak / 1024 ** 2, "MB", { atMost: 256 });
    if (stores) bench.figure(`${figure}: time`, told.seconds, "s");
    else bench.figure(`${figure}: ${count(told.records)} records`, told.records / told.seconds, "records/s");
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
