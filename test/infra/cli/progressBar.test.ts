import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { startProgressBar } from "../../../infra/cli/progressBar.ts";

/** The output of a bar that shows a state and ends. */
function shown(text: string, terminal?: { columns: number }, total = 340): string {
  const stdout = Object.assign(new PassThrough(), terminal && { isTTY: true, ...terminal });
  const bar = startProgressBar(stdout, { done: 0, total, text: "…" });
  bar.show({ done: 12, total, text });
  bar.stop();
  bar.stop();
  return String(stdout.read() ?? "");
}

test("a terminal shows the count with its total, a pipe nothing", () => {
  expect(shown("12 of 340 CRBs", { columns: 80 })).toContain("- 12 of 340 CRBs");
  expect(shown("12 items removed", { columns: 80 }, 0)).toContain("\u001b[1G  12 items removed");
  expect(shown("12 of 340 CRBs")).toBe("");
});

test("a bar changes no mode of the terminal, neither the cursor nor the wrapping of lines", () => {
  expect(shown("12 of 340 CRBs", { columns: 80 })).not.toContain("\u001b[?");
});

test("a line is narrower than the terminal, and has no control characters", () => {
  for (const columns of [20, 43, 60, 80]) {
    const out = shown(`High\u001b[2J\u202e ${"日本語の名前のお店🌿".repeat(9)}`, { columns });
    expect(out).not.toContain("\u001b[2J");
    const lines = out.split("\u001b[1G").flatMap((part) => stripVTControlCharacters(part).split("\n"));
    for (const line of lines) expect(stringWidth(line)).toBeLessThan(columns);
  }
});
