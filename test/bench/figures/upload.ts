import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordKind } from "../../../shared/api/kinds.ts";
import { uploadedPosTypes } from "../../../shared/api/pos/posTypes.ts";
import type { Connection } from "../../../shared/pos/connector.ts";
import type { PosRecords } from "../../../shared/pos/posRecords.ts";
import { type Bench, count } from "../bench.ts";
import { createBusiness } from "../data/business.ts";
import { customerMaker } from "../data/records.ts";
import { writeRecords } from "../data/uploadFile.ts";
import { uploadMemoryOf } from "../memory/uploadMemory.ts";

/** The most customers that are uploaded. They can be searched, which costs most; more of them would show nothing new. */
const maxCustomers = 100_000;

/**
 * Measures the upload of CSV files, the first time and again: the memory of its process, and rows per second. It uploads
 * customers with their index entries, and as many rows as the run has records of the smallest kind.
 */
export async function upload(bench: Bench): Promise<void> {
  const business = await createBusiness(bench.scratch.table);
  const connection = { ...business.connection, posType: uploadedPosTypes.retail };
  const customer = await customerMaker(connection);
  await uploadTwice(bench, connection, "customer", Math.min(bench.records, maxCustomers), (i) => customer(i, 0));
  await uploadTwice(bench, connection, "location", bench.records, location);
}

function location(index: number): PosRecords["location"] {
  return {
    pos_location_id: String(index),
    name: `Shelf ${index}`,
    pos_location_type: "sales floor",
    pos_updated_date: null,
  };
}

async function uploadTwice<Kind extends RecordKind>(
  bench: Bench,
  connection: Connection,
  kind: Kind,
  rows: number,
  make: (index: number) => PosRecords[Kind],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "upload-"));
  try {
    const file = join(folder, `${kind}s.csv`);
    bench.progress(`Writing a file of ${count(rows)} ${kind}s`);
    await writeRecords(file, rows, make);
    for (const [time, expected] of [
      ["at first", { read: rows, created: rows }],
      ["again", { read: rows, unchanged: rows }],
    ] as const) {
      bench.progress(`Uploading ${count(rows)} ${kind}s, ${time}`);
      const started = performance.now();
      const peak = await uploadMemoryOf({ connection, kind, file, expected }, bench.scratch.environment);
      const seconds = (performance.now() - started) / 1_000;
      const name = `Upload of ${count(rows)} ${kind}s, ${time}`;
      bench.figure(`${name}: peak resident memory`, peak / 1024 ** 2, "MB", { atMost: 256 });
      bench.figure(`${name}: speed`, rows / seconds, "rows a second");
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
