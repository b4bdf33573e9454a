import { styleText } from "node:util";

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

/** JSON for people: indented, and coloured where the stream is a terminal that shows colours. */
export function prettyJson(value: unknown, stream: NodeJS.WritableStream): string {
  return JSON.stringify(value, null, 2).replace(token, (text, string?: string, colon?: string) => {
    if (string && colon) return `${styleText("cyan", string, { stream })}${colon}`;
    return styleText(string ? "green" : "yellow", text, { stream });
  });
}
