import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeTogether } from "../../../../../infra/tools/generators/files/writeTogether.ts";
import { temporaryDirectories } from "../../../local/temporaryDirectories.ts";

const temporaryDirectory = temporaryDirectories();

test("if one file cannot be written, all stay as they were", () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, "old"), "old");
  const texts = new Map([
    ["old", "new"],
    ["made/made/file", "new"],
    ["old/file", "new"],
  ]);
  expect(() => writeTogether(folder, texts)).toThrow();
  expect(readFileSync(join(folder, "old"), "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["old"]);
});

test("if one file cannot be restored, the others still are, and the first error is reported", () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, "old"), "old");
  class Meddled extends Map<string, string> {
    override *[Symbol.iterator](): MapIterator<[string, string]> {
      yield ["old", "new"];
      yield ["meddled", "new"];
      // A folder at the file's path cannot be removed as a file.
      rmSync(join(folder, "meddled"));
      mkdirSync(join(folder, "meddled"));
      throw new Error("the first failure");
    }
  }
  expect(() => writeTogether(folder, new Meddled())).toThrow("the first failure");
  expect(readFileSync(join(folder, "old"), "utf8")).toBe("old");
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"])("a process that gets %s between two files still writes both", (signal) => {
  const folder = temporaryDirectory();
  const writer = `
    import { writeTogether } from ${JSON.stringify(new URL("../../../../../infra/tools/generators/files/writeTogether.ts", import.meta.url))};
    class Interrupted extends Map {
      *[Symbol.iterator]() {
        yield ["one", "1"];
        process.kill(process.pid, "${signal}");
        yield ["two", "2"];
      }
    }
    writeTogether(${JSON.stringify(folder)}, new Interrupted());
    process.kill(process.pid, "${signal}");
    await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  const ended = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", writer], { encoding: "utf8" });
  // Afterwards the signal ends the process as usual.
  expect([ended.signal, ended.stderr]).toEqual([signal, ""]);
  expect(readdirSync(folder)).toEqual(["one", "two"]);
});
