import { StageError } from "../../../cli/stageError.ts";

// Blocks of source files in which something is registered: one line opens them, another one closes them.

/** A block, by the beginning of the one line that opens it and the whole line that closes it. */
export interface Block {
  file: string;
  from: string;
  to: string;
}

/**
 * Puts a line at the end of a block.
 *
 * @param text of the file
 * @throws StageError where there is no such block, or several
 */
export function atEnd(text: string, block: Block, line: string): string {
  const { lines, end } = found(text, block);
  return lines.toSpliced(end, 0, line).join("\n");
}

/**
 * Puts a property of an object, or a row of a table, where it belongs by its name, letter case aside.
 *
 * @param text of the file, formatted: a property begins behind two blanks
 * @param entry such as `  name: "value",` or `| \`name\` | value |`
 * @throws StageError where there is no such block, or several
 */
export function inOrder(text: string, block: Block, entry: string): string {
  const { lines, start, end } = found(text, block);
  const next = lines.findIndex(
    (line, at) => at > start && at < end && /^( {2}"?\w|\| `)/.test(line) && nameIn(line) > nameIn(entry),
  );
  return lines.toSpliced(next === -1 ? end : next, 0, entry).join("\n");
}

/** Puts a line before the one line that begins with `from`, and a blank one between them. */
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
  new StageError(`${file} must hold one block from "${from}" to "${to}": restore it, or register by hand.`);
