import { styleText } from "node:util";
import { withEscapes } from "../../shared/text/invisible.ts";

/** A text with a style, on a terminal that shows any. */
export interface Styled {
  style: "bold" | "red" | "yellow" | "green" | "cyan";
  text: string;
}

/** A line of text, or its parts. */
export type Line = string | Styled | readonly (string | Styled)[];

/** Writes lines to a terminal as `shown` has them: the only way of the operator's programs to one. */
export function write(stream: NodeJS.WritableStream, ...lines: readonly Line[]): void {
  stream.write(lines.map((line) => `${shown(stream, line)}\n`).join(""));
}

/**
 * A line as a terminal may show it. What is stored may hold anything: an escape sequence would steer the terminal, a
 * direction mark turn around what is asked, an end of line make a line of its own. So every character that does not show
 * becomes an escape, and only then the program's own styles are added.
 */
export function shown(stream: NodeJS.WritableStream, line: Line): string {
  const parts = typeof line === "string" || "style" in line ? [line] : line;
  return parts
    .map((part) =>
      typeof part === "string" ? withEscapes(part) : styleText(part.style, withEscapes(part.text), { stream }),
    )
    .join("");
}
