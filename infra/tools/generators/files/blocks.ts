import { StageError } from "../../../cli/stageError.ts";

// A block of a source file registers things. One line opens it, another one closes it.

/** A block, identified by a prefix of its opening line and its whole closing line. */
export interface Block {
  file: string;
  from: string;
  to: string;
}

/**
 * Inserts a line at the end of a block.
 *
 * @param text of the file
 * @throws StageError unless there is exactly one such block
 */
export function atEnd(text: string, block: Block, line: string): string {
  const { lines, end } = found(text, block);
  return lines.toSpliced(end, 0, line).join("\n");
}

/**
 * Inserts a property of an object, or a row of a table, in order of names, ignoring letter case.
 *
 * @param text of the file, formatted: a property has an indent of two spaces
 * @param entry such as `  name: "value",` or `| \`name\` | value |`
 * @throws StageError unless there is exactly one such block
 */
export function inOrder(text: string, block: Block, entry: string): string {
  const { lines, start, end } = found(text, block);
  const next = lines.findIndex(
    (line, at) => at > start && at < end && /^( {2}"?\w|\| `)/.test(line) && nameIn(line) > nameIn(entry),
  );
  return lines.toSpliced(next === -1 ? end : next, 0, entry).join("\n");
}

/** Inserts a line and a blank line before the only line that starts with `from`. */
export function before(text: string, { file, from }: Pick<Block, "file" | "from">, line: string): string {
  const { lines, start } = opened(text, file, from);
  return lines.toSpliced(start, 0, line, "").join("\n");
}

const nameIn = (entry: string): string => (/^[\s"|`]*([^":`]*)/.exec(entry)?.[1] ?? "").toLowerCase();

function found(text: string, { file, from, to }: Block) {
  const { lines, start } = opened(text, file, from, to);
  const end = lines.indexOf(to, start);
  if (end < 0) throw missing(file, from, to);
  return { lines, start, end };
}

function opened(text: string, file: string, from: string, to?: string) {
  const lines = text.split("\n");
  const starts = lines.flatMap((each, index) => (each.startsWith(from) ? [index] : []));
  const [start] = starts;
  if (start === undefined || starts.length > 1) throw missing(file, from, to);
  return { lines, start };
}

const missing = (file: string, from: string, to = "its end") =>
  new StageError(
    `${file} must have exactly one block from "${from}" to "${to}": restore it, or add the entry by hand.`,
  );
