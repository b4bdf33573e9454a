import { styleText } from "node:util";
import stringWidth from "string-width";
import { withEscapes } from "../../shared/text/invisible.ts";

/** A text with a style, for terminals that support styles. */
export interface Styled {
  style: "bold" | "red" | "yellow" | "green" | "cyan";
  text: string;
}

/** A line of text, or its parts. */
export type Line = string | Styled | readonly (string | Styled)[];

/**
 * Writes lines after `shown` has made them safe. The operator's programs write to a terminal only with this function.
 */
export function write(stream: NodeJS.WritableStream, ...lines: readonly Line[]): void {
  stream.write(lines.map((line) => `${shown(stream, line)}\n`).join(""));
}

/**
 * Makes a line safe for a terminal. Stored text may contain escape sequences that control the terminal, direction marks
 * that reverse the order of displayed text, and line ends that fake another line. Every invisible character becomes an
 * escape before the program's own styles are added.
 */
export function shown(stream: NodeJS.WritableStream, line: Line): string {
  const parts = typeof line === "string" || "style" in line ? [line] : line;
  return parts
    .map((part) =>
      typeof part === "string" ? withEscapes(part) : styleText(part.style, withEscapes(part.text), { stream }),
    )
    .join("");
}

const segmenter = new Intl.Segmenter("en");

/** Cuts a text to a width in columns, with an ellipsis. Cuts between characters, which may have several code units. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let shown = "";
  for (const { segment } of segmenter.segment(text)) {
    if (stringWidth(shown + segment) >= width) break;
    shown += segment;
  }
  return `${shown}…`;
}
