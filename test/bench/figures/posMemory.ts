import { kindsOf, posNames, standInEnvironment, startFakePos } from "../../shared/pos/fakes/fakePos.ts";
import { demoSize } from "../../shared/pos/fakes/shop.ts";
import type { Bench } from "../bench.ts";
import { createBusiness } from "../data/business.ts";
import { peakMemoryOf } from "../memory/peakMemory.ts";

/** The worker's memory while it replicates a shop of the demo's size, all kinds of records, from each real POS's fake. */
export async function posMemory(bench: Bench): Promise<void> {
  const { customers, products, packages, sales } = demoSize;
  const sizes = { location: 0, product: products, customer: customers, inventory: packages, sale: sales };
  for (const name of posNames) {
    // Of the fakes one leaves out customers who never bought, and all of them what was never sold.
    const least = 0.75 * kindsOf(name).reduce((sum, kind) => sum + sizes[kind], 0);
    bench.progress(`Replicating a demo-sized shop in a process of its own, ${name}`);
    const pos = await startFakePos(name, "bench", demoSize);
    try {
      Object.assign(process.env, standInEnvironment(name, pos.address));
      const { crbId } = await createBusiness(bench.scratch.table);
      const started = performance.now();
      const { peak } = await peakMemoryOf(
        new URL("../memory/posWorker.ts", import.meta.url),
        { connection: { ...pos.connection, crbId }, least },
        bench.scratch.environment,
      );
      const shop = `Worker that replicates a demo-sized shop of ${pos.connection.posType}`;
      bench.figure(`${shop}: peak resident memory`, peak / 1024 ** 2, "MB", { atMost: 256 });
      bench.figure(`${shop}: time`, (performance.now() - started) / 1_000, "s");
    } finally {
      await pos.server.close();
    }
  }
}
