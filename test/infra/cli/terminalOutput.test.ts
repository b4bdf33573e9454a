import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Line, shown, write } from "../../../infra/cli/terminalOutput.ts";
import { writeJson } from "../../../infra/local/prettyJson.ts";

afterEach(() => void vi.unstubAllEnvs());

/** The output in a pipe, or on a terminal with colors. */
function streamed(work: (stream: PassThrough) => void, terminal: boolean): string {
  vi.stubEnv("NO_COLOR", undefined);
  vi.stubEnv("FORCE_COLOR", undefined);
  const stream = Object.assign(new PassThrough(), terminal && { isTTY: true, getColorDepth: () => 8 });
  work(stream);
  return String(stream.read());
}
const written = (lines: readonly Line[], terminal = false) => streamed((stream) => write(stream, ...lines), terminal);
const json = (value: unknown, terminal = false) => streamed((stream) => writeJson(stream, value), terminal);

describe("characters that are invisible or control a terminal are written as escapes:", () => {
  test.each([
    ["ESC [2J", "\u001b[2J", "\\u001b[2J"],
    ["a title by OSC", "\u001b]0;owned\u0007", "\\u001b]0;owned\\u0007"],
    ["a link by OSC 8", "\u001b]8;;https://evil.example\u001b\\x", "\\u001b]8;;https://evil.example\\u001b\\x"],
    ["CSI of one character", "\u009b31m", "\\u009b31m"],
    ["CR", "Keep 1\rErase", "Keep 1\\u000dErase"],
    ["LF", "one\ntwo", "one\\u000atwo"],
    ["BEL, BS, DEL, NUL, TAB", "\u0007\b\u007f\0\t", "\\u0007\\u0008\\u007f\\u0000\\u0009"],
    ["direction marks", "\u202etxt.exe\u202c\u2066\u2069\u200f", "\\u202etxt.exe\\u202c\\u2066\\u2069\\u200f"],
    ["no width", "a\u200bb\u200dc\ufeff", "a\\u200bb\\u200dc\\ufeff"],
    ["separators", "a\u2028b\u2029", "a\\u2028b\\u2029"],
    ["tags", "a\u{e0041}", "a\\udb40\\udc41"],
    ["half a character", "a\ud800", "a\\ud800"],
  ])("%s", (_, text, expected) => {
    expect(shown(new PassThrough(), text)).toBe(expected);
    expect(shown(new PassThrough(), ["<", { style: "bold", text }, ">"])).toBe(`<${expected}>`);
    expect(JSON.parse(json({ [text]: text }))).toEqual({ [text]: text });
    const colored = stripVTControlCharacters(json({ [text]: text }, true));
    expect(colored).toBe(json({ [text]: text }));
  });

  test.each(["Zoë “Núñez” & Søn – 王小明 🌿", "مرحبا שלום", "\\u001b", "100 % / $1"])(
    "%s is written unchanged",
    (text) => {
      expect(written([text])).toBe(`${text}\n`);
    },
  );
});

test("the program's own styles appear only on a terminal", () => {
  const line = ["Created ", { style: "bold", text: "A\u001b[0mB" }] as const;
  expect(written([line])).toBe("Created A\\u001b[0mB\n");
  expect(written([line], true)).toBe("Created \u001b[1mA\\u001b[0mB\u001b[22m\n");
  const colored = json({ name: "a: 1", n: [1.5, null] }, true);
  expect(colored).toContain('\u001b[36m"name"\u001b[39m: \u001b[32m"a: 1"\u001b[39m,\n');
  expect(colored).toContain("\u001b[33m1.5\u001b[39m,\n");
});

test("JSON in a pipe has no styles, whatever the environment says, and may be of any length", () => {
  vi.stubEnv("FORCE_COLOR", "1");
  const stream = new PassThrough();
  writeJson(stream, Array(200_000).fill({ name: "\u001b[2J" }));
  const text = String(stream.read());
  expect(text).not.toContain("\u001b");
  expect(JSON.parse(text)).toHaveLength(200_000);
});
