import { Stryker } from "@stryker-mutator/core";
const results = await new Stryker({
  testRunner: "vitest", plugins: ["@stryker-mutator/vitest-runner"], vitest: { configFile: "test/mutants/own.config.ts", pool: "forks" },
  coverageAnalysis: "perTest", concurrency: 2, maxTestRunnerReuse: 50, timeoutMS: 60000, tempDirName: ".local/mutants/own", cleanTempDir: "always",
  ignorePatterns: [".ci", ".local", "cdk.out", ".deployed"], reporters: ["json"], jsonReporter: { fileName: ".local/own-mutants.json" }, logLevel: "warn", warnings: false,
  mutate: process.argv.slice(2),
}).runMutationTest();
import { readFileSync } from "node:fs";
let c = {};
for (const m of results) { c[m.status] = (c[m.status] ?? 0) + 1; if (m.status !== "Killed" && m.status !== "Timeout") {
  const line = readFileSync(m.fileName, "utf8").split("\n")[m.location.start.line - 1].trim();
  console.log(m.status, m.fileName.split("/").pop() + ":" + m.location.start.line + ":" + m.location.start.column, line.slice(0, 90), "->", (m.replacement ?? "").replace(/\s+/g, " ").slice(0, 70)); } }
console.log(c);
