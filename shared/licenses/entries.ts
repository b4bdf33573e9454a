import { inflateRawSync } from "node:zlib";
import type { Bucket } from "../documents/bucket.ts";
import { generationKeys } from "./generation.ts";

/** What imports compare a license with, in place of reading it. */
export interface RegisterEntry {
  /** Whose register it is of: a state, CAN or NLA. */
  state: string;
  /** The same for the same license in every file of its state. */
  id: string;
  /** Tells whether the register's row has changed. */
  hash: string;
  created: string;
  updated: string;
}

/** The entries of a generation, in the order of the list. */
export async function readEntries(bucket: Bucket, generation: string): Promise<RegisterEntry[]> {
  return JSON.parse(inflateRawSync(await bucket.readBytes(generationKeys(generation).entries)).toString());
}
