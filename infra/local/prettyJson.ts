import type { Line, Styled } from "./write.ts";

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

/** JSON for people: indented, and colored where the lines are written to a terminal that shows colors. */
export function prettyJson(value: unknown): Line[] {
  return JSON.stringify(value, null, 2).split("\n").map(coloredLine);
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
