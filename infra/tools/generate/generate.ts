import { Argument } from "@commander-js/extra-typings";
import { newProgram, runCommander } from "../../cli/program.ts";
import { runProgram, type Terminal } from "../../cli/runProgram.ts";
import { write } from "../../cli/terminalOutput.ts";
import { generateClientTypes } from "../../codegen/clientTypes.ts";
import { generatePageScript } from "../../codegen/pageScript.ts";
import { generatePythonClient } from "../../codegen/pythonClient.ts";

/** In order of dependency. The first three are loaded on demand: their import takes a second. */
const generators = {
  openapi: async () => (await import("./openApiDescription.ts")).writeOpenApiDescription(),
  events: async (stdout: Terminal["stdout"]) => {
    const { total, written, removed } = (await import("./sampleEvents.ts")).writeSampleEvents();
    write(stdout, `${total} events: ${written} written, ${removed} removed.`);
  },
  postman: async () => (await import("./postmanCollection.ts")).writePostmanCollection(),
  client: generateClientTypes,
  python: generatePythonClient,
  page: generatePageScript,
};

const names = Object.keys(generators) as (keyof typeof generators)[];

/** Generates the named files, or all. */
async function generate(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const program = newProgram(
    "npm run generate --",
    "Generates files from other source files. Commit docs/openapi.json, docs/postman.json and events/. The other files are not in version control; each program that needs one generates it.",
  )
    .addArgument(new Argument("[FILES...]", "the files to generate; default: all").choices(names))
    .addHelpText("after", explanation)
    .action(async (chosen) => {
      for (const name of names) if (chosen.length === 0 || chosen.includes(name)) await generators[name](stdout);
    });
  await runCommander(program, parameters, { stdout });
}

const explanation = `
Files:
  openapi  docs/openapi.json, from the operation registry; fails if a change
           breaks callers of a release
  events   events/*.json, sample events, from the operation registry
  postman  docs/postman.json, a collection, from the operation registry
  client   clients/typescript/openApi.ts, types of the API, from docs/openapi.json
  python   models.py and _operations.py of clients/python, from docs/openapi.json
  page     shared/web/onboarding/page.js, the script of the page at /connect`;

if (import.meta.main) process.exitCode = await runProgram(generate, process.argv.slice(2), process);
