import { withEscapes } from "../../shared/text/invisible.ts";
import { type Line, type Styled, write } from "../cli/terminalOutput.ts";

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

/**
 * Writes indented JSON: with colors on a terminal that supports them, never in a pipe, whatever the environment requests.
 */
export function writeJson(stdout: NodeJS.WritableStream & { isTTY?: boolean }, value: unknown): void {
  const lines = JSON.stringify(value, null, 2).split("\n");
  if (stdout.isTTY) for (const line of lines) write(stdout, coloredLine(line));
  else stdout.write(lines.map((line) => `${withEscapes(line)}\n`).join(""));
}

function coloredLine(line: string): Line {
  const parts: (string | Styled)[] = [];
  let end = 0;
  for (const { 0: text, 1: string, 2: colon, index } of line.matchAll(token)) {
    const name = string && colon ? string : undefined;
    parts.push(line.slice(end, index), { style: name ? "cyan" : string ? "green" : "yellow", text: name ?? text });
    end = index + (name ?? text).length;
  }
  return [...parts, line.slice(end)];
}
