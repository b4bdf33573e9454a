import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { deflateRawSync } from "node:zlib";
import type { License } from "../../api/schemas/license.ts";
import type { Bucket } from "../documents/bucket.ts";
import { generationKeys, indexTables, perBlock, wordOf } from "./generation.ts";
import { termsOf } from "./licenseTerms.ts";
import { EntryPacker, type RegisterEntry } from "./registerEntries.ts";

/**
 * The first records are the deflate dictionary. Most other records repeat texts of the first records, so the dictionary
 * halves the size of the blocks.
 */
const dictionaryBytes = 8 * 1024;
/** The minimum size of a pack in bytes; only the last pack may be smaller. */
const packBytes = 1024 * 1024;

/**
 * Stores a new generation, object by object. No process reads the generation until it becomes the present one. Memory
 * holds at most one pack of records; the terms go to a temporary file.
 *
 * @param records all licenses in the order of the list, each with its JSON text
 * @param stored called after each pack with the number of stored records
 * @returns the generation's name
 */
export async function writeGeneration(
  bucket: Bucket,
  records: AsyncIterable<{ entry: RegisterEntry; body: string }>,
  stored: (records: number) => void = () => undefined,
): Promise<string> {
  const name = randomUUID();
  const keys = generationKeys(name);
  const entries = new EntryPacker();
  using files = new DisposableStack();
  const directory = files.adopt(mkdtempSync(join(tmpdir(), "licenses-")), (path) => rmSync(path, { recursive: true }));
  const index = files.use(new DatabaseSync(join(directory, "index")));
  index.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${indexTables}; BEGIN`);
  const addTerms = index.prepare("INSERT INTO terms (rowid, word) VALUES (?, ?)");
  let total = 0;
  const blockEnds: number[] = [];
  const packEnds: number[] = [];
  let dictionary: Buffer | undefined;
  let block: string[] = [];
  let pack: Buffer[] = [];
  let bytes = 0;
  const endBlock = () => {
    const text = Buffer.from(block.join("\n"));
    dictionary ??= text.subarray(0, dictionaryBytes);
    const packed = deflateRawSync(text, { dictionary });
    block = [];
    pack.push(packed);
    bytes += packed.length;
    blockEnds.push(bytes);
  };
  const endPack = async () => {
    await bucket.storeBytes(keys.pack(packEnds.length), Buffer.concat(pack));
    packEnds.push(blockEnds.length);
    stored(total);
    pack = [];
    bytes = 0;
  };
  for await (const { entry, body } of records) {
    addTerms.run(
      total++,
      termsOf(JSON.parse(body) as License)
        .map(wordOf)
        .join(" "),
    );
    await entries.add(entry);
    block.push(body);
    if (block.length === perBlock) endBlock();
    if (bytes >= packBytes) await endPack();
  }
  if (block.length > 0) endBlock();
  if (pack.length > 0) await endPack();
  const ends = [blockEnds, packEnds].map((numbers) => new Uint8Array(Uint32Array.from(numbers).buffer));
  index.prepare("INSERT INTO list VALUES (?, ?, ?, ?)").run(total, dictionary ?? Buffer.alloc(0), ...ends);
  // Searches are faster in one index than in many parts. The copy has no unused pages.
  index.exec("COMMIT; INSERT INTO terms (terms) VALUES ('optimize')");
  const copy = join(directory, "copy");
  index.prepare("VACUUM INTO ?").run(copy);
  await bucket.storeBytes(keys.index, readFileSync(copy));
  await bucket.storeBytes(keys.entries, await entries.end());
  return name;
}
