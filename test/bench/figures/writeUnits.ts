import { randomUUID } from "node:crypto";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { recordList } from "../../../shared/store/keys/orderedLists.ts";
import { FingerprintGroups } from "../../../shared/store/orderedList/fingerprintGroups.ts";
import type { RecordToWrite } from "../../../shared/store/orderedList/recordWriter.ts";
import { recordId } from "../../../shared/store/recordId.ts";
import { type Bench, count } from "../bench.ts";
import { costOf } from "../capacity.ts";
import { standingFence } from "../data/business.ts";
import { daysAgo, indexes, noonOf, scattered, writeAll } from "../data/fill.ts";

/** The stored bytes of a record, including its keys and the names of its attributes. */
const storedBytes = 900;
const keyBytes = 174;

/** Measures the cost of writing per record, in pages of 250 records as a POS returns them. */
export async function writeUnits(bench: Bench): Promise<void> {
  const { table } = bench.scratch;
  const crbId = randomUUID();
  const list = recordList(crbId, "product");
  const fence = await standingFence(table, crbId, "product");
  const recordOf =
    (version: number) =>
    (index: number): RecordToWrite => {
      const id = recordId(crbId, "product", "Dutchie", String(index));
      const content = { id, version, text: "", svc_created_date: null, svc_updated_date: null };
      const dates = 2 * ('"2026-01-01T12:00:00.000Z"'.length - "null".length);
      content.text = "x".repeat(storedBytes - keyBytes - dates - JSON.stringify(content).length);
      return { id, content };
    };
  const write = (ago: number, numbers: Iterable<number>, version: number) => {
    const options = { fence, clock: noonOf(daysAgo(ago)) };
    return costOf(table.client, () => writeAll(table, list, options, numbers, recordOf(version)));
  };
  bench.progress(`Writing ${count(bench.records)} records of ${storedBytes} bytes`);
  const name = `Write of a record of ${storedBytes} bytes, N = ${count(bench.records)}`;
  const created = await write(60, indexes(bench.records), 0);
  bench.figure(`${name}: new`, created.writeUnits / bench.records, "write units", { atMost: 3.3 });
  let numbers = new Set<number>();
  const versions = new Map<number, number>();
  for (const [ago, share] of [
    [2, 0.05],
    [1, 0.001],
  ] as const) {
    numbers = scattered(xoroshiro128plus(ago), bench.records, share);
    for (const number of numbers) versions.set(number, ago);
    const changed = await write(ago, numbers, ago);
    const units = changed.writeUnits / numbers.size;
    bench.figure(`${name}: changed, ${share * 100} % of the list`, units, "write units", { atMost: 5.5 });
  }
  const unchanged = await write(0, numbers, 1);
  bench.figure(`${name}: unchanged`, unchanged.writeUnits / numbers.size, "write units", { atMost: 0 });
  bench.figure(`${name}: unchanged, without fingerprints`, unchanged.readUnits / numbers.size, "read units", {
    atMost: 0.6,
  });
  // The first full reading reads every record and stores fingerprints. The second one needs only the fingerprints. The random
  // ids of records decide whether a group is so small that its fingerprints are stored later.
  const readAll = (ago: number) => {
    const options = { fence, clock: noonOf(daysAgo(ago)) };
    const fingerprints = new FingerprintGroups(table, list, { isFromStart: true, timezone: "UTC", ...options });
    const versionOf = (index: number) => recordOf(versions.get(index) ?? 0)(index);
    return costOf(table.client, async () => {
      await writeAll(table, list, options, indexes(bench.records), versionOf, fingerprints);
      await fingerprints.finish();
    });
  };
  await readAll(-1);
  const again = await readAll(-2);
  const perRecord = again.readUnits / bench.records;
  bench.figure(`${name}: unchanged, in a full reading`, perRecord, "read units", { atMost: 0.1 });
  bench.figure(`${name}: unchanged, in a full reading`, again.writeUnits / bench.records, "write units", {
    atMost: 0.01,
  });
}
