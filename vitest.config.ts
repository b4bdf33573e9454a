import { defineConfig } from "vitest/config";
import LongestFirst from "./test/longestFirst.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/globalSetup.ts"],
    setupFiles: ["test/freshModules.ts"],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    env: {
      POWERTOOLS_LOG_LEVEL: "SILENT",
      POWERTOOLS_METRICS_DISABLED: "true",
      // The programs that tests start are compiled once.
      NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.cache/programs`,
    },
    reporters: ["default", "./test/reporter.ts"],
  },
});
