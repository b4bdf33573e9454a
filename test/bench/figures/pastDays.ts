import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceBucket } from "../../../shared/domain/documents/bucket.ts";
import { openDailySnapshot, readLatestSnapshot, snapshotKey } from "../../../shared/domain/inventory/dailySnapshots.ts";
import { readPage } from "../../../shared/store/orderedList/readPage.ts";
import { givenLocation } from "../../shared/domain/inventory/snapshotsUnderTest.ts";
import { startBucket } from "../../startBucket.ts";
import { type Bench, count } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { peakMemoryOf } from "../memory/peakMemory.ts";

const pageSize = 1_000;

/** Measures the worker that stores the daily snapshot of a location, and pages of the past day. */
export async function pastDays({ scratch, records, progress, figure }: Bench): Promise<void> {
  const { table, environment } = scratch;
  const directory = await mkdtemp(join(tmpdir(), "bench-past-days-"));
  const server = await startBucket(directory);
  try {
    progress(`Storing ${count(records)} packages of a location`);
    const { crbId, location, list, fence, write, today } = await givenLocation(table);
    const numbers = Array.from({ length: records }, (_, number) => number);
    for (let start = 0; start < records; start += 1_000) await write(numbers.slice(start, start + 1_000), 5);
    progress("Storing their daily snapshot in a process of its own");
    const program = new URL("../memory/snapshotWorker.ts", import.meta.url);
    const stored = await peakMemoryOf<{ readUnits: number; writeUnits: number; seconds: number }>(
      program,
      { crbId, fence, day: today(), today: "2026-01-01" },
      { ...process.env, ...environment },
    );
    const snapshot = await readLatestSnapshot(table, crbId, location, today());
    const bucket = serviceBucket();
    const { length } = await bucket.readBytes(snapshotKey(crbId, location, snapshot?.file ?? ""));
    const name = `Daily snapshot of ${count(records)} packages`;
    figure(`${name}: peak resident memory`, stored.peak / 1024 ** 2, "MB", { atMost: 256 });
    figure(`${name}: time`, stored.seconds, "s");
    figure(`${name}: read units`, stored.readUnits, "read units");
    figure(`${name}: write units`, stored.writeUnits, "write units", { atMost: 12 });
    figure(`${name}: size of the file`, length / 1024 ** 2, "MB");
    for (const offset of [0, records - pageSize]) {
      const window = { offset, limit: pageSize };
      const present = await costOf(table.client, () => readPage(table, list, window));
      const began = performance.now();
      const past = await costOf(table.client, async () =>
        (await openDailySnapshot(table, crbId, location, today(), window)).read(),
      );
      const milliseconds = performance.now() - began;
      if (String(past.result.records) !== String(present.result.records)) throw new Error("the past day differs");
      figure(`${name}: read units of a page from ${count(offset)}`, past.readUnits, "read units", { atMost: 1 });
      figure(`${name}: time of a page from ${count(offset)}`, milliseconds, "ms");
    }
    bucket.client.destroy();
  } finally {
    server.close();
    await rm(directory, { recursive: true, force: true });
  }
}
