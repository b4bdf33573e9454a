import { join } from "node:path";
import { newProgram } from "../../../cli/program.ts";
import type { Terminal } from "../../../cli/runProgram.ts";
import { completeFiles, fromRegistry } from "../files/completeFiles.ts";
import { writeTogether } from "../files/writeTogether.ts";
import { filesOf } from "./draft.ts";
import { planOperation, type Wish } from "./plan.ts";
import { registrations } from "./registration.ts";
import { sourceTexts } from "./sourceTexts.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");

/** The command `operation`: writes all files of the described operation, or none. */
export const newOperation = (stdout: Terminal["stdout"]) =>
  newProgram(
    "operation",
    "Writes a new operation that works: registry entry, answer's schema, handler, test, sample event, OpenAPI, typed client. It returns the name and time zone of the CRB or the service provider. Replace that where the new files say TODO; docs/contributing/adding-an-operation.md explains how.",
  )
    .argument("<NAME>", "camelCase with a verb first, such as getCrbSummary")
    .option(
      "--path <PATH>",
      "/service-providers/{sp_id}/crbs/{crb_id}/... and what NAME says after its verb unless said",
    )
    .option("--method <METHOD>", "GET, POST, PUT, or DELETE", "GET")
    .option(
      "--caller <CALLER>",
      "serviceProvider (the default, unless --path names another), crb, or both: one handler at two paths",
    )
    .option(
      "--scope <SCOPE>",
      "what the credential must hold: service-provider:read or :write, or crb:read unless said",
    )
    .option("--group <GROUP>", "the folder below functions/: crbs or serviceProviders unless said")
    .action((name, options) => writeOperation({ name, ...options }, stdout));

function writeOperation(wish: Wish, stdout: Terminal["stdout"]): void {
  const draft = planOperation(wish, root);
  const sources = new Map([...sourceTexts(draft), ...registrations(draft, root)]);
  const texts = completeFiles(root, sources, fromRegistry);
  writeTogether(root, texts);
  const routes = draft.routes.map(({ operationId, method, path }) => `  ${operationId}: ${method} ${path}\n`);
  const files = [...texts.keys()].map((file) => `  ${file}\n`);
  const { test } = filesOf(draft);
  stdout.write(`${routes.join("")}\nWritten:\n${files.join("")}\nNext, replace what is marked TODO: git grep --untracked -n TODO: functions shared test
Then: npm run generate && npm run check && npm test -- ${test}
`);
}
