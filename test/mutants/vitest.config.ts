import { dirname } from "node:path";
import { defineConfig } from "vitest/config";
import config from "../../vitest.config.ts";
import ShortestFirst from "./shortestFirst.ts";

/** The mutated folders, which run.ts sets. */
const folders = (process.env.MUTATED ?? "shared").split(",");

/** Tests of handlers and parameters that check access and responses of more than one operation. */
const handlerTests = [
  "test/shared/api/parameters.test.ts",
  "test/functions/{*,authentication/*,changes/*,credentials/*,customers/searchLimit,events/eventTypes}.test.ts",
  "test/functions/{crbs/createCrbAccess,invitations/*,onboarding/invitedUsers,webhooks/webhookEndpoints}.test.ts",
  "test/functions/onboarding/endedAssociation.long.test.ts",
];
/** Tests of the store outside its folders: totals of sales days, and changes that are reversed at once. */
const storeTests = ["test/shared/store/salesDays/*.test.ts", "test/system/realRules/reverts.test.ts"];
const isStoreOnly = folders.every((folder) => folder.startsWith("shared/store/"));

// The tests that run against a mutant: those of its folder and of the files of the parent folder, and those above. All run
// the code in their own process, where mutants are switched on. With the tests of all handlers, a run takes three times as
// long.
export default defineConfig({
  test: {
    ...config.test,
    include: [
      ...folders.flatMap((folder) => [`test/${folder}/**/*.test.ts`, `test/${dirname(folder)}/*.test.ts`]),
      ...(isStoreOnly ? storeTests : handlerTests),
    ],
    exclude: ["**/!(endedAssociation).long.test.ts"],
    // With all cases of the properties, a run takes three times as long.
    env: { ...config.test?.env, MODE: "reduced" },
    sequence: { sequencer: ShortestFirst },
    // A mutant that makes a test wait forever is found soon.
    testTimeout: 10_000,
    hookTimeout: 10_000,
    reporters: [],
  },
});
