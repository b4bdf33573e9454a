import { once } from "node:events";
import { createWriteStream } from "node:fs";

/**
 * Writes a CSV file as an operator uploads it.
 * @param make returns the record of each row, counted from 0; all records have the same plain fields
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
