import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/globalSetup.ts"],
    testTimeout: 30_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    env: { POWERTOOLS_LOG_LEVEL: "SILENT" },
    reporters: ["default", "./test/reporter.ts"],
  },
});
