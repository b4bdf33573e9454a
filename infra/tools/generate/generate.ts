import { Argument } from "@commander-js/extra-typings";
import { newProgram, runCommander } from "../../cli/program.ts";
import { runProgram, type Terminal } from "../../cli/runProgram.ts";
import { StageError } from "../../cli/stageError.ts";
import { write } from "../../cli/terminalOutput.ts";
import { generateClientTypes } from "../../codegen/clientTypes.ts";
import { generatePageFiles } from "../../codegen/pageFiles.ts";
import { generatePythonClient } from "../../codegen/pythonClient.ts";
import { compareFiles, type FileTexts, writeFiles } from "./committedFiles.ts";

/** Files in version control. Their modules are loaded on demand, because the import takes a second. */
export const committed: Readonly<Record<string, { texts: () => Promise<FileTexts>; folder?: string }>> = {
  openapi: { texts: async () => (await import("./openApiDescription.ts")).openApiFiles() },
  access: { texts: async () => (await import("./accessMatrix.ts")).accessMatrixFiles() },
  deposits: { texts: async () => (await import("./depositsPicture.ts")).depositsPictureFiles() },
  events: { texts: async () => (await import("./sampleEvents.ts")).sampleEvents(), folder: "events" },
};

/** Files that are not in version control, in order of dependency. They depend on committed files. */
const uncommitted: Readonly<Record<string, () => Promise<void>>> = {
  client: generateClientTypes,
  python: generatePythonClient,
  pages: generatePageFiles,
};

/** Generates the named files, or all. With `--check`, only compares those in version control. */
async function generate(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const program = newProgram(
    "npm run generate --",
    "Generates files from other source files. Commit docs/openapi.json, docs/access.md, docs/guide/sales-to-deposits.svg and events/. The other files are not in version control; each program that needs one generates it.",
  )
    .addArgument(
      new Argument("[FILES...]", "the files to generate; default: all").choices([
        ...Object.keys(committed),
        ...Object.keys(uncommitted),
      ]),
    )
    .option("--check", "do not write the files in version control, and fail if one is stale")
    .addHelpText("after", explanation)
    .action(async (chosen, { check = false }) => {
      const isChosen = ([name]: [string, unknown]) => chosen.length === 0 || chosen.includes(name);
      const stale: string[] = [];
      for (const [name, { texts, folder }] of Object.entries(committed).filter(isChosen)) {
        const generated = await texts();
        const differences = compareFiles(generated, folder);
        stale.push(...differences.stale, ...differences.obsolete);
        if (check) continue;
        writeFiles(generated, differences);
        const { length: written } = differences.stale;
        const { length: removed } = differences.obsolete;
        write(stdout, `${name}: ${generated.size} generated, ${written} written, ${removed} removed.`);
      }
      if (check && stale.length > 0) throw new StageError(`Stale, run npm run generate: ${stale.join(", ")}.`);
      for (const [, run] of Object.entries(uncommitted).filter(isChosen)) await run();
      if (isChosen(["openapi", undefined])) {
        (await import("./openApiDescription.ts")).requireCompatibleDescription();
      }
    });
  await runCommander(program, parameters, { stdout });
}

const explanation = `
Files:
  openapi  docs/openapi.json, from the operation registry; fails if a change
           breaks callers of a release
  access   docs/access.md, the matrix of operations, scopes and roles, from the
           operation registry
  events   events/*.json, sample events, from the operation registry
  client   clients/typescript/openApi.ts, types of the API, from docs/openapi.json
  python   models.py, errors.py and _operations.py of clients/python, from docs/openapi.json
  pages    the scripts of the pages at /connect and /console, and
           shared/web/reference/postman.json, a collection, from docs/openapi.json
           and the operation registry`;

if (import.meta.main) process.exitCode = await runProgram(generate, process.argv.slice(2), process);
