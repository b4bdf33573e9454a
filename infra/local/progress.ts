import { MultiBar } from "cli-progress";

/** Shows how far the first replication has come: `label` names what is replicated, one row each. */
export interface Progress {
  /** @param total how many records there are, null as long as nobody knows */
  update(label: string, done: number, total: number | null): void;
  /** May be told more than once. */
  finish(label: string, done: number): void;
  /** Leaves the terminal as it was. */
  close(): void;
}

/** Bars on a terminal; elsewhere a line for each row that is finished. */
export function showProgress(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? bars(stream) : lines(stream);
}

function lines(stream: NodeJS.WritableStream): Progress {
  const finished = new Set<string>();
  return {
    update: () => undefined,
    finish(label, done) {
      if (!finished.has(label)) stream.write(`  ${label}: ${done} records\n`);
      finished.add(label);
    },
    close: () => undefined,
  };
}

function bars(stream: NodeJS.WriteStream): Progress {
  const format = "  {label} {bar} {value}{of}";
  const multiBar = new MultiBar({ format, stream, hideCursor: true, gracefulExit: false, barsize: 30 });
  const rows = new Map<string, ReturnType<MultiBar["create"]>>();
  const rowOf = (label: string) => {
    const row = rows.get(label) ?? multiBar.create(1, 0, { label: label.padEnd(40), of: "" });
    rows.set(label, row);
    return row;
  };
  return {
    update(label, done, total) {
      const row = rowOf(label);
      if (total !== null) row.setTotal(total);
      row.update(done, { of: total === null ? "" : ` of ${total}` });
    },
    finish(label, done) {
      const row = rowOf(label);
      row.setTotal(done);
      row.update(done, { of: " records" });
    },
    close: () => multiBar.stop(),
  };
}
