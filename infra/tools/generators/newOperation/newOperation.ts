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
    "Writes a new operation that works as it is: registry entry, response schema, handler, test, sample event, OpenAPI, typed client. It returns the name and time zone of the CRB or the service provider. Replace this where the new files say TODO; docs/contributing/adding-an-operation.md explains how.",
  )
    .argument("<NAME>", "camelCase with a verb first, such as getCrbSummary")
    .option("--path <PATH>", "default: /service-providers/{sp_id}/crbs/{crb_id}/... and NAME without its verb")
    .option("--method <METHOD>", "GET, POST, PUT, or DELETE", "GET")
    .option(
      "--caller <CALLER>",
      "serviceProvider, crb, or both (one handler at two paths); default: the caller of --path, or serviceProvider",
    )
    .option(
      "--scope <SCOPE>",
      "the scope that the credential must hold; default: service-provider:read or :write, or crb:read",
    )
    .option("--group <GROUP>", "the folder below functions/; default: crbs or serviceProviders")
    .action((name, options) => writeOperation({ name, ...options }, stdout));

function writeOperation(wish: Wish, stdout: Terminal["stdout"]): void {
  const draft = planOperation(wish, root);
  const sources = new Map([...sourceTexts(draft), ...registrations(draft, root)]);
  const texts = completeFiles(root, sources, fromRegistry);
  writeTogether(root, texts);
  const routes = draft.routes.map(({ operationId, method, path }) => `  ${operationId}: ${method} ${path}\n`);
  const files = [...texts.keys()].map((file) => `  ${file}\n`);
  const { test } = filesOf(draft);
  stdout.write(`${routes.join("")}\nWritten:\n${files.join("")}\nNext, replace the places marked TODO: git grep --untracked -n TODO: functions shared test
Then: npm run generate && npm run check && npm test -- ${test}
Accept the new resources in the snapshots of the stacks: npm run vitest -- test/infra/cdk -u
`);
}
