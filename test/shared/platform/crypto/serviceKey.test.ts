import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const hex = "5a".repeat(32);
let directory: string;
let file: string;
let serviceKey: typeof import("../../../../shared/platform/crypto/serviceKey.ts").serviceKey;
let keyedDigest: typeof import("../../../../shared/platform/crypto/serviceKey.ts").keyedDigest;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "service-key-"));
  file = join(directory, "service.key");
  vi.resetModules();
  ({ serviceKey, keyedDigest } = await import("../../../../shared/platform/crypto/serviceKey.ts"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

test("the service key is read from the file once", () => {
  vi.stubEnv("SERVICE_KEY_FILE", file);
  writeFileSync(file, `${hex}\n`);
  expect(serviceKey().export().toString("hex")).toBe(hex);
  writeFileSync(file, "00".repeat(32));
  expect(serviceKey().export().toString("hex")).toBe(hex);
});

test("the error says which variable is missing", () => {
  vi.stubEnv("SERVICE_KEY_FILE", "");
  expect(() => serviceKey()).toThrow(/SERVICE_KEY_FILE is not set/);
});

test("the error says which file cannot be read, and why", () => {
  vi.stubEnv("SERVICE_KEY_FILE", file);
  const message = `Cannot read the file ${file} of the service key`;
  expect(() => serviceKey()).toThrow(
    expect.objectContaining({ message, cause: expect.objectContaining({ code: "ENOENT" }) }),
  );
});

test.each(["", hex.slice(2), `${hex}5a`, `zz${hex.slice(2)}`, `${hex} ${hex}`])(
  "a file that is not a key is rejected without its content: %j",
  (content) => {
    vi.stubEnv("SERVICE_KEY_FILE", file);
    writeFileSync(file, content);
    expect(() => serviceKey()).toThrow(`${file} must hold 64 hexadecimal digits`);
    expect(() => serviceKey()).not.toThrow(/5a5a/);
  },
);

test("a digest depends on the text and its purpose", () => {
  vi.stubEnv("SERVICE_KEY_FILE", file);
  writeFileSync(file, hex);
  // Computed with Python's hmac, not with this code.
  const expected = "8b2ffc03d4e60aa103c1d658b1d7953a502be278af6bbf8c127b00b403d714fe";
  expect(keyedDigest("a purpose", "a text").toString("hex")).toBe(expected);
  expect(keyedDigest("another purpose", "a text").toString("hex")).not.toBe(expected);
});
