import { join } from "node:path";
import { newProgram } from "../../../cli/program.ts";
import type { Terminal } from "../../../cli/runProgram.ts";
import { completeFiles, fromRegistry } from "../files/completeFiles.ts";
import { writeTogether } from "../files/writeTogether.ts";
import { connectorTexts } from "./connectorTexts.ts";
import { addressOf, type Draft, filesOf } from "./draft.ts";
import { pageText } from "./pageText.ts";
import { planPos, withoutConnector } from "./plan.ts";
import { registrations } from "./registration.ts";
import { testTexts } from "./testTexts.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");

/** The command `pos`: writes all files of the named POS type's connector, or none. */
export const newPos = (stdout: Terminal["stdout"]) =>
  newProgram(
    "pos",
    "Writes a connector for a POS, with a fake, a test and a page of the docs, and registers it. The connector reads sales and inventory from an invented API, which the fake implements, and passes all tests. Replace the places that the new files mark with TODO, and add the other kinds; docs/contributing/adding-a-pos.md explains how.",
  )
    // A name of several words needs no quotes.
    .argument("<NAME...>", `a POS type without a connector: ${withoutConnector.join(", ")}`)
    .action((words) => writeConnector(words.join(" "), stdout));

function writeConnector(name: string, stdout: Terminal["stdout"]): void {
  const draft = planPos(name, root);
  const texts = completeFiles(root, sourcesOf(draft), fromRegistry);
  writeTogether(root, texts);
  const files = [...texts.keys()].map((file) => `  ${file}\n`);
  const { test, page } = filesOf(draft);
  stdout.write(`Written:
${files.join("")}
Next, replace the places marked TODO: git grep --untracked -n TODO: shared/pos/connectors test/shared/pos ${page}
and the address ${addressOf(draft)} in shared/pos/connectorRegistry.ts and test/shared/pos/findConnector.test.ts.
Then: npm run check && npm run vitest -- ${test} test/shared/pos/real test/shared/pos/connectors
`);
}

/** The new files come before the files that register them, so that no file names a file that does not exist yet. */
const sourcesOf = (draft: Draft): Map<string, string> =>
  new Map([
    ...connectorTexts(draft),
    ...testTexts(draft),
    [filesOf(draft).page, pageText(draft)],
    ...registrations(draft, root),
  ]);
