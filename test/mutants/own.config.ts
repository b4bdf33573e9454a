import { defineConfig } from "vitest/config";
import config from "../../vitest.config.ts";
export default defineConfig({
  test: { ...config.test, globalSetup: [], include: ["test/shared/saleChecks/*.test.ts"], env: { MODE: "reduced" }, testTimeout: 60000, reporters: [] },
});
