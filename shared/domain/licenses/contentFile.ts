import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The place of a text in a `ContentFile`, in bytes. */
export interface ContentPlace {
  offset: number;
  length: number;
}

/** A temporary file for texts that do not fit into memory. Callers can read the texts in any order. */
export class ContentFile {
  readonly #directory = mkdtempSync(join(tmpdir(), "licenses-"));
  readonly #file = openSync(join(this.#directory, "contents"), "wx+", 0o600);
  #end = 0;

  add(text: string): ContentPlace {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    const place = { offset: this.#end, length: bytes.length };
    this.#end += bytes.length;
    return place;
  }

  read({ offset, length }: ContentPlace): string {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const read = readSync(this.#file, bytes, done, length - done, offset + done);
      if (read === 0) throw new Error("The temporary file was truncated during the import.");
      done += read;
    }
    return bytes.toString();
  }

  /** Deletes the file. */
  [Symbol.dispose](): void {
    closeSync(this.#file);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
