import { once } from "node:events";
import { createGzip } from "node:zlib";

/** A file with one record a line, as gzip, which is built in memory. */
export class NdjsonFile {
  readonly #gzip = createGzip();
  readonly #chunks: Buffer[] = [];
  /** Bytes of the file so far, without the lines that are not compressed yet. */
  bytes = 0;

  constructor() {
    this.#gzip.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.bytes += chunk.length;
    });
  }

  async add(records: readonly { text: string }[]): Promise<void> {
    const lines = records.map(({ text }) => `${text}\n`).join("");
    if (!this.#gzip.write(lines)) await once(this.#gzip, "drain");
  }

  /** Ends the file. Returns its content; no line can be added any more. */
  async finish(): Promise<Buffer> {
    const ended = once(this.#gzip, "end");
    this.#gzip.end();
    await ended;
    return Buffer.concat(this.#chunks);
  }
}
