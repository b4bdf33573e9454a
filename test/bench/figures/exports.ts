import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportFormats } from "../../../shared/api/enumerations.ts";
import { followChanges } from "../../../shared/store/followChanges.ts";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { startBucket } from "../../startBucket.ts";
import { type Bench, count } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { withProgram } from "../memory/peakMemory.ts";

/** What the exporting process prints. */
interface Exported {
  records: number;
  files: number;
  bytes: number;
  readUnits: number;
  writeUnits: number;
  seconds: number;
}

/** Measures the worker that exports all sales: its memory, and its units against those of following the changes. */
export async function exports(bench: Bench): Promise<void> {
  const { data, records, progress, figure } = bench;
  const { spId, crbId } = await data.sales(records);
  progress(`Following the changes of ${count(records)} sales`);
  const followed = await followAll(bench, crbId);
  const directory = await mkdtemp(join(tmpdir(), "bench-exports-"));
  const server = await startBucket(directory);
  try {
    await withProgram(new URL("../memory/exportWorker.ts", import.meta.url), async (run) => {
      for (const format of exportFormats) {
        progress(`Exporting ${count(records)} sales as ${format} in a process of its own`);
        const exported = await run<Exported>({ spId, crbId, format });
        if (exported.records !== records) throw new Error(`${exported.records} of ${records} records are in files`);
        const name = `Worker that exports ${count(records)} sales as ${format}`;
        figure(`${name}: peak resident memory`, exported.peak / 1024 ** 2, "MB", { atMost: 256 });
        const ratio = exported.readUnits / followed;
        figure(`${name}: read units against following the changes`, ratio, "times", { atMost: 1.2 });
        figure(`${name}: write units`, exported.writeUnits, "write units");
        figure(`${name}: files`, exported.files, "files");
        figure(`${name}: size of the files`, exported.bytes / 1024 ** 2, "MB");
        figure(`${name}: read units of 1,000 records`, (1_000 * exported.readUnits) / records, "read units");
        figure(`${name}: time`, exported.seconds, "s");
      }
    });
  } finally {
    server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** The read units with which a caller follows all changes of sales, in pages of 1,000. */
async function followAll({ table, records }: Bench, crbId: string): Promise<number> {
  const list = recordList(crbId, "sale");
  const { readUnits, result } = await costOf(table.client, async () => {
    let [cursor, seen, more]: [string | undefined, number, boolean] = [undefined, 0, true];
    while (more) {
      const page = await followChanges(table, list, { cursor, limit: 1_000 });
      cursor = page.createCursorAfter(page.places.length);
      seen += page.places.length;
      more = page.hasMore;
    }
    return seen;
  });
  if (result !== records) throw new Error(`${result} of ${records} sales came as changes`);
  return readUnits;
}
