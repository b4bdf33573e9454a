import { kindsOf, posNames, standInEnvironment, startFakePos } from "../../shared/pos/fakes/fakePos.ts";
import { demoSize } from "../../shared/pos/fakes/shop.ts";
import { type Bench, count } from "../bench.ts";
import { createBusiness } from "../data/business.ts";
import { peakMemoryOf } from "../memory/peakMemory.ts";

/** Of how many records the bench is, where the shop is as large as the demo's. */
const demoRecords = 10_000;

/**
 * The worker's memory while it replicates a shop, all kinds of records, from each real POS's fake: one of the demo's size,
 * and as many times larger as the bench is.
 */
export async function posMemory(bench: Bench): Promise<void> {
  const times = Math.max(1, Math.round(bench.records / demoRecords));
  const customers = demoSize.customers * times;
  const products = demoSize.products * times;
  const packages = demoSize.packages * times;
  const sales = demoSize.sales * times;
  const sizes = { location: 0, product: products, customer: customers, inventory: packages, sale: sales };
  const rows = count(customers + products + packages + sales);
  for (const name of posNames) {
    // Of the fakes one leaves out customers who never bought, and all of them what was never sold.
    const least = 0.75 * kindsOf(name).reduce((sum, kind) => sum + sizes[kind], 0);
    bench.progress(`Replicating a shop of ${rows} rows in a process of its own, ${name}`);
    const pos = await startFakePos(name, "bench", { customers, products, packages, sales });
    try {
      Object.assign(process.env, standInEnvironment(name, pos.address));
      const { crbId } = await createBusiness(bench.scratch.table);
      const started = performance.now();
      const { peak } = await peakMemoryOf(
        new URL("../memory/posWorker.ts", import.meta.url),
        { connection: { ...pos.connection, crbId }, least },
        bench.scratch.environment,
      );
      const shop = `Worker that replicates a shop of ${rows} rows of ${pos.connection.posType}`;
      bench.figure(`${shop}: peak resident memory`, peak / 1024 ** 2, "MB", { atMost: 256 });
      bench.figure(`${shop}: time`, (performance.now() - started) / 1_000, "s");
    } finally {
      await pos.server.close();
    }
  }
}
