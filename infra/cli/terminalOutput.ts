import { styleText } from "node:util";
import { withEscapes } from "../../shared/text/invisible.ts";

/** A text with a style, for terminals that support styles. */
export interface Styled {
  style: "bold" | "red" | "yellow" | "green" | "cyan";
  text: string;
}

/** A line of text, or its parts. */
export type Line = string | Styled | readonly (string | Styled)[];

/** Writes lines through `shown`. The operator's programs write to a terminal in no other way. */
export function write(stream: NodeJS.WritableStream, ...lines: readonly Line[]): void {
  stream.write(lines.map((line) => `${shown(stream, line)}\n`).join(""));
}

/**
 * Makes a line safe for a terminal, since stored text may contain anything: escape sequences control the terminal, direction
 * marks reverse a question, line ends fake a line. Every invisible character becomes an escape before the program's own
 * styles are added.
 */
export function shown(stream: NodeJS.WritableStream, line: Line): string {
  const parts = typeof line === "string" || "style" in line ? [line] : line;
  return parts
    .map((part) =>
      typeof part === "string" ? withEscapes(part) : styleText(part.style, withEscapes(part.text), { stream }),
    )
    .join("");
}
