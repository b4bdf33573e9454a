import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { ExportFormat } from "../../api/enumerations.ts";
import type { RecordKind } from "../../api/kinds.ts";
import { NdjsonFile } from "./ndjsonFile.ts";
import { parquetColumns, parquetSchema } from "./parquetSchema.ts";

/** A part of an export, which is built in memory. */
export interface PartFile {
  /** Bytes of the file so far, without the records that are not compressed yet. */
  readonly bytes: number;
  /**
   * Appends records.
   *
   * @param records the JSON texts as stored, and the same records parsed
   */
  add(records: readonly PartRecord[]): Promise<void>;
  /** Ends the file. Returns its content; no record can be added any more. */
  finish(): Promise<Buffer>;
}

export interface PartRecord {
  text: string;
  value: Readonly<Record<string, unknown>>;
}

export const createPartFile = (format: ExportFormat, kind: RecordKind): PartFile =>
  format === "ndjson" ? new NdjsonFile() : new ParquetFile(kind);

/**
 * The characters of JSON after which a row group ends. The parsed records of a row group take several times this memory.
 */
const rowGroupCharacters = 4 * 1024 * 1024;

/** A Parquet file with Snappy compression. */
class ParquetFile implements PartFile {
  readonly #kind: RecordKind;
  readonly #output = new ChunkWriter();
  readonly #writer: ParquetWriter;
  #rows: PartRecord["value"][] = [];
  #characters = 0;

  constructor(kind: RecordKind) {
    this.#kind = kind;
    this.#writer = new ParquetWriter({ writer: this.#output, schema: parquetSchema(kind) });
  }

  get bytes(): number {
    return this.#output.offset;
  }

  async add(records: readonly PartRecord[]): Promise<void> {
    for (const { text, value } of records) {
      this.#rows.push(value);
      this.#characters += text.length;
      if (this.#characters >= rowGroupCharacters) await this.#writeRowGroup();
    }
  }

  async finish(): Promise<Buffer> {
    await this.#writeRowGroup();
    await this.#writer.finish();
    return this.#output.content();
  }

  async #writeRowGroup(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    this.#characters = 0;
    if (rows.length === 0) return;
    const columnData = parquetColumns(this.#kind).map(({ name, convert }) => ({
      name,
      data: rows.map((row) => convert(row[name])),
    }));
    await this.#writer.write({ columnData, rowGroupSize: rows.length });
  }
}

/** Keeps the bytes as chunks: a buffer that doubles its size would need up to three times the memory of the file. */
class ChunkWriter extends ByteWriter {
  readonly #chunks: Uint8Array[] = [];

  /** The Parquet writer calls it after each row group. */
  flush(): void {
    this.#chunks.push(this.getBytes().slice());
    this.index = 0;
  }

  content(): Buffer {
    this.flush();
    return Buffer.concat(this.#chunks);
  }
}
