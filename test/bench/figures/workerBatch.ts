import { functionSizes } from "../../../infra/constructs/functionSizes.ts";
import { replicationBatch } from "../../../infra/constructs/replicationBatch.ts";
import { replicate } from "../../../shared/domain/replication/replicate.ts";
import { type Bench, count, median } from "../bench.ts";
import { createBusiness } from "../data/business.ts";
import { customerMaker } from "../data/records.ts";
import { makingPos } from "../memory/makingPos.ts";
import { peakMemoryOf } from "../memory/peakMemory.ts";

/**
 * Measures the memory of a worker that gets a batch of first readings, and the processor time of a run that finds nothing.
 * Both determine the memory and the batch size of the function.
 */
export async function workerBatch(bench: Bench): Promise<void> {
  const { table, environment } = bench.scratch;
  const { messages } = replicationBatch;
  // More records take longer but no more memory, see `customerMemory` and `saleMemory`.
  const records = Math.min(bench.records, 5_000);
  bench.progress(`Replicating ${messages} businesses in a process of their own`);
  const businesses = await Promise.all(Array.from({ length: messages }, () => createBusiness(table)));
  const connections = businesses.map(({ connection }) => connection);
  const program = new URL("../memory/batchWorker.ts", import.meta.url);
  const { peak } = await peakMemoryOf(program, { connections, records }, environment);
  bench.figure(
    `Worker with a batch of ${messages} first readings of ${count(records)} records: peak resident memory`,
    peak / 1024 ** 2,
    "MB",
    // A quarter of the memory stays free.
    { atMost: functionSizes.replication.memory * 0.75 },
  );

  const { connection } = await createBusiness(table);
  const pos = makingPos(0, await customerMaker(connection));
  const milliseconds: number[] = [];
  for (let round = -5; round < 30; round++) {
    const before = process.cpuUsage();
    await replicate(table, connection, pos, "customer");
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) milliseconds.push((user + system) / 1_000);
  }
  bench.figure("Run that finds nothing: processor time", median(milliseconds), "ms");
}
