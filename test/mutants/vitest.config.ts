import { dirname } from "node:path";
import { defineConfig } from "vitest/config";
import config from "../../vitest.config.ts";
import ShortestFirst from "./shortestFirst.ts";

/** The folders that are changed, as run.ts says. */
const folders = (process.env.MUTATED ?? "shared").split(",");

// What a mutant is held against: the tests of its folder and of the files of the one around it, and those of handlers that
// are about access and answers more than about one operation. All run the code in their own process, where mutants are switched on. With the tests of all
// handlers a run takes three times as long.
export default defineConfig({
  test: {
    ...config.test,
    include: [
      ...folders.flatMap((folder) => [`test/${folder}/**/*.test.ts`, `test/${dirname(folder)}/*.test.ts`]),
      "test/functions/{*,authentication/*,crbs/createCrbAccess,customers/searchLimit}.test.ts",
    ],
    exclude: ["**/*.long.test.ts"],
    sequence: { sequencer: ShortestFirst },
    // A mutant that makes a test wait for ever is found soon.
    testTimeout: 10_000,
    hookTimeout: 10_000,
    reporters: [],
  },
});
