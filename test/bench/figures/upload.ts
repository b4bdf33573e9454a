import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { uploadedPosTypes } from "../../../shared/pos/posTypes.ts";
import { type Bench, count } from "../bench.ts";
import { createBusiness } from "../data/business.ts";
import { customerMaker } from "../data/records.ts";
import { writeRecords } from "../data/uploadFile.ts";
import { uploadMemoryOf } from "../memory/uploadMemory.ts";

/** The upload of a CSV file of customers, at first and again: memory of its process, and rows a second. */
export async function upload(bench: Bench): Promise<void> {
  const { records } = bench;
  const business = await createBusiness(bench.table);
  const connection = { ...business.connection, posType: uploadedPosTypes.retail };
  const make = await customerMaker(connection);
  const folder = mkdtempSync(join(tmpdir(), "upload-"));
  try {
    const file = join(folder, "customers.csv");
    bench.progress(`Writing a file of ${count(records)} customers`);
    await writeRecords(file, records, (index) => make(index, 0));
    for (const [time, expected] of [
      ["at first", { read: records, created: records }],
      ["again", { read: records, unchanged: records }],
    ] as const) {
      bench.progress(`Uploading ${count(records)} customers, ${time}`);
      const started = performance.now();
      const peak = await uploadMemoryOf({ connection, kind: "customer", file, expected });
      const seconds = (performance.now() - started) / 1_000;
      const name = `Upload of ${count(records)} customers, ${time}`;
      bench.figure(`${name}: peak resident memory`, peak / 1024 ** 2, "MB", { atMost: 256 });
      bench.figure(`${name}: speed`, records / seconds, "rows a second");
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
