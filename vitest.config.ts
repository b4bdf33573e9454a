import { defineConfig } from "vitest/config";
import LongestFirst from "./test/longestFirst.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/globalSetup.ts"],
    setupFiles: ["test/freshModules.ts"],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // On a busy machine, a response takes more than the default of a second.
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    env: {
      POWERTOOLS_LOG_LEVEL: "SILENT",
      POWERTOOLS_METRICS_DISABLED: "true",
      // The programs that tests start are compiled once.
      NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.cache/programs`,
    },
    reporters: ["default", "./test/reporter.ts"],
    // Of the folders that tests of a function and of its properties show to be right. Table, replication, and webhooks are
    // tested by histories and races, of which a share of lines tells little.
    coverage: {
      provider: "v8",
      include: ["shared/{auth,api,domain/documents,domain/licenses,http,platform/crypto,pos,text,time}/**"],
      reporter: [],
      reportsDirectory: "node_modules/.cache/coverage",
      reportOnFailure: true,
    },
  },
});
