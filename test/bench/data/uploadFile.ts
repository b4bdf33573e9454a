import { once } from "node:events";
import { createWriteStream } from "node:fs";

/**
 * Writes a CSV file as the operator uploads it.
 *
 * @param make the record of each row, counted from 0: plain fields, always the same
 */
export async function writeRecords(file: string, rows: number, make: (index: number) => object): Promise<void> {
  const stream = createWriteStream(file);
  stream.write(`${Object.keys(make(0)).join(",")}\n`);
  for (let index = 0; index < rows; index++) {
    const cells = Object.values(make(index)).map((value) => `"${String(value ?? "").replaceAll('"', '""')}"`);
    if (!stream.write(`${cells.join(",")}\n`)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "close");
}
