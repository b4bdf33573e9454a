import { join } from "node:path";
import { optionsOf } from "../local/optionsOf.ts";
import { runProgram, type Terminal } from "../local/runProgram.ts";
import { StageError } from "../local/stageError.ts";
import { completeFiles, type Generation } from "../scaffold/completeFiles.ts";
import { writeTogether } from "../scaffold/writeTogether.ts";
import { filesOf } from "./draft.ts";
import { planOperation, type Wish } from "./plan.ts";
import { registrations } from "./registration.ts";
import { sourceTexts } from "./sourceTexts.ts";

const usage = `Writes a new operation that works: catalogue entry, answer's schema, handler, test, sample event, OpenAPI, typed client.

  npm run new-operation -- NAME [options]

  NAME               camelCase with a verb first, such as getCrbSummary
  --path PATH        default /service-providers/{sp_id}/crbs/{crb_id}/... and what NAME says after its verb
  --method METHOD    GET (the default), POST, PUT, or DELETE
  --caller CALLER    serviceProvider (the default), crb, or both: one handler at two paths
  --scope SCOPE      what the credential must hold, default service-provider:read, service-provider:write, or crb:read
  --group GROUP      the folder below functions/, default crbs or serviceProviders
  --help             shows this

The operation returns the name and time zone of the CRB or the service provider. Replace that where the new files say
TODO; docs/contributing/adding-an-operation.md explains how.
`;
const hint = "See npm run new-operation -- --help";

/** What the project's generators make of its catalogue. */
const ofCatalogue: Generation = {
  generators: ["infra/description/write.ts", "infra/local/events.ts"],
  needed: ["infra", "shared", "events", "docs/openapi.json"],
  generated: ["docs/openapi.json", "test/client/openApi.d.ts", "events/*.json"],
};

const root = join(import.meta.dirname, "..", "..");

/** The program: writes the operation that its parameters describe, all of its files or none. */
export async function newOperation(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const wish = parse(parameters);
  if (!wish) {
    stdout.write(usage);
    return;
  }
  const draft = planOperation(wish, root);
  const sources = new Map([...sourceTexts(draft), ...registrations(draft, root)]);
  const texts = completeFiles(root, sources, ofCatalogue);
  writeTogether(root, texts);
  const routes = draft.routes.map(({ operationId, method, path }) => `  ${operationId}: ${method} ${path}\n`);
  const files = [...texts.keys()].map((file) => `  ${file}\n`);
  const { test } = filesOf(draft);
  stdout.write(`${routes.join("")}\nWritten:\n${files.join("")}\nNext, replace what is marked TODO: git grep --untracked -n TODO: functions shared test
Then: npm run openapi && npm run events && npm run check && npm test -- ${test}
`);
}

/** @returns undefined when help is asked for */
function parse(parameters: readonly string[]): Wish | undefined {
  const { values, positionals } = parsed(parameters);
  if (values.help) return undefined;
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new StageError(`Name one operation. ${hint}`);
  return { name, ...values };
}

function parsed(parameters: readonly string[]) {
  return optionsOf(parameters, hint, {
    options: {
      path: { type: "string" },
      method: { type: "string" },
      caller: { type: "string" },
      scope: { type: "string" },
      group: { type: "string" },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
}

if (import.meta.main) process.exitCode = await runProgram(newOperation, process.argv.slice(2), process);
