import { randomUUID } from "node:crypto";
import { serialize } from "node:v8";
import { deflateRawSync } from "node:zlib";
import type { License } from "../../api/schemas/license.ts";
import type { Bucket } from "../documents/bucket.ts";
import { generationKeys, type StoredIndex } from "./generation.ts";
import { termsOf } from "./licenseTerms.ts";
import { EntryPacker, type RegisterEntry } from "./registerEntries.ts";
import { TermCollector } from "./termCollector.ts";

/**
 * Records per block. The number is small, because a page of scattered records has to inflate one block for each record
 * (docs/decisions/license-generations.md).
 */
const perBlock = 4;
/**
 * The first records are the deflate dictionary. Most other records repeat texts of the first records, so the dictionary
 * halves the size of the blocks.
 */
const dictionaryBytes = 8 * 1024;
/** The minimum size of a pack in bytes; only the last pack may be smaller. */
const packBytes = 1024 * 1024;

/**
 * Stores a new generation, object by object. No process reads the generation until it becomes the present one. Memory
 * holds at most one pack of records.
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
  const terms = new TermCollector();
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
    stored(terms.length);
    pack = [];
    bytes = 0;
  };
  for await (const { entry, body } of records) {
    terms.add(termsOf(JSON.parse(body) as License));
    await entries.add(entry);
    block.push(body);
    if (block.length === perBlock) endBlock();
    if (bytes >= packBytes) await endPack();
  }
  if (block.length > 0) endBlock();
  if (pack.length > 0) await endPack();
  const index: StoredIndex = {
    total: terms.length,
    perBlock,
    blockEnds: Uint32Array.from(blockEnds),
    packEnds: Uint32Array.from(packEnds),
    dictionary: dictionary ?? Buffer.alloc(0),
    terms: terms.stored(),
  };
  await bucket.storeBytes(keys.index, deflateRawSync(serialize(index)));
  await bucket.storeBytes(keys.entries, await entries.end());
  return name;
}
