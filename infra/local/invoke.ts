import { readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { join, resolve } from "node:path";
import { styleText } from "node:util";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import type { Operation, Route } from "../../shared/api/operation.ts";
import { operationRegistry } from "../../shared/api/operationRegistry.ts";
import { terms } from "../../shared/domain/onboarding/terms.ts";
import { Table } from "../../shared/store/client.ts";
import { dataOption, newProgram, runCommander } from "../cli/program.ts";
import { runProgram, type Terminal } from "../cli/runProgram.ts";
import { StageError } from "../cli/stageError.ts";
import { stages } from "../stages/stages.ts";
import { engineAccess, filesIn, functionEnvironment, tableName } from "./environment.ts";
import { FunctionHost } from "./functionHost.ts";
import { openFunctionLog } from "./functionLog.ts";
import { writeJson } from "./prettyJson.ts";
import { rerun } from "./rerun.ts";
import { fillSampleEvent, firstRecordIds } from "./sampleEvent.ts";
import type { Stage } from "./stage.ts";
import { noStage, runningEndpoints } from "./stageLock.ts";

const root = join(import.meta.dirname, "..", "..");

/** Runs the function of one operation, alone, on the running local stage. */
export async function invoke(parameters: readonly string[], terminal: Terminal): Promise<void> {
  const program = newProgram(
    "npm run invoke --",
    "Runs the function of one operation alone, against the running local stage, and prints its response.",
  )
    .argument("<OPERATION>", "operation id, such as listCustomers; /docs of the stage lists all")
    .option("--event <FILE>", "the event that the function receives; default: events/OPERATION.json")
    .option("--watch", "runs it again whenever a source file or the event changes, until Ctrl-C")
    .addOption(dataOption())
    .action(async (operationId, { event = join(root, "events", `${operationId}.json`), data, watch }) => {
      const { operation, route } = findOperation(operationId);
      const eventFile = resolve(event);
      if (watch) await invokeOnChange(operationId, eventFile, data, terminal);
      else await invokeOnce(operation, route, { eventFile, data }, terminal);
    });
  await runCommander(program, parameters, terminal);
}

async function invokeOnce(
  operation: Operation,
  route: Route,
  { eventFile, data }: { eventFile: string; data: string },
  terminal: Terminal,
): Promise<void> {
  const endpoints = runningEndpoints(data);
  if (!endpoints) throw noStage(data);
  const event = await eventOf(route, { eventFile, data, engine: endpoints.engine });
  const log = openFunctionLog(data);
  const host = new FunctionHost(functionEnvironment(data, endpoints), log.stream);
  const began = performance.now();
  try {
    const answer = (await host.invoke(operation.handler, event, "invoke")) as APIGatewayProxyResult;
    print(terminal, answer, performance.now() - began);
  } finally {
    await host.stop();
    await log.close();
  }
}

/** Runs the function in a child process, again after each change of a source file or the event, until Ctrl-C. */
async function invokeOnChange(
  operationId: string,
  eventFile: string,
  data: string,
  { stderr }: Terminal,
): Promise<void> {
  readJson(eventFile);
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => interrupted.abort());
  await rerun(import.meta.filename, [operationId, "--event", eventFile, "--data", data], {
    folders: [join(root, "functions"), join(root, "shared")],
    file: eventFile,
    onChange: (file) => stderr.write(`\n${file} has changed\n`),
    signal: interrupted.signal,
  });
}

function findOperation(operationId: string): { operation: Operation; route: Route } {
  const all = operationRegistry.flatMap((operation) => operation.routes.map((route) => ({ operation, route })));
  const found = all.find(({ route }) => route.operationId === operationId);
  if (found) return found;
  const names = all.map(({ route }) => route.operationId);
  const meant = names.find((name) => lettersOf(name) === lettersOf(operationId));
  if (meant) throw new StageError(`Unknown operation ${operationId}. Did you mean ${meant}?`);
  const near = names.filter((name) => wordsOf(name).some((word) => wordsOf(operationId).includes(word)));
  throw new StageError(
    `Unknown operation ${operationId}. Choose one of ${(near.length > 0 ? near : names).join(", ")}.`,
  );
}

/** A name in lower case, without signs and the plural `s`. */
const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z]|s$/g, "");

/** The words of a name in lower case, without the verb, which many names share: listCrbCustomers has crb and customer. */
function wordsOf(name: string): string[] {
  const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase().replace(/s$/, ""));
  return words.length > 1 ? words.slice(1) : words;
}

/** Reads a sample event and replaces its placeholders with values of the stage. */
export async function eventOf(
  route: Route,
  where: { eventFile: string; data: string; engine: string },
): Promise<APIGatewayProxyEvent> {
  const values = await placeholders(where.data, where.engine, route);
  return fillSampleEvent(readJson(where.eventFile) as APIGatewayProxyEvent, values);
}

/** The values of a sample event's placeholders: the demo's first CRB and its first records. */
async function placeholders(data: string, endpoint: string, route: Route): Promise<Record<string, string | undefined>> {
  const { service_provider, crbs, invitation } = readJson(filesIn(data).description) as Stage["description"];
  const isInvited = route.caller === "invitedUser";
  const crb = isInvited ? crbs.find(({ crb_id }) => crb_id === invitation.crb_id) : crbs[0];
  const owner = route.caller === "crb" ? crb : service_provider;
  const client = new DynamoDBClient({ endpoint, ...engineAccess });
  const table = new Table(tableName, client);
  const recordIds = await firstRecordIds(table, crb?.crb_id ?? "");
  client.destroy();
  return {
    sp_id: service_provider.sp_id,
    crb_id: crb?.crb_id,
    ...recordIds,
    terms_version: terms(stages.local).version,
    hour_ago: new Date(Date.now() - 3_600_000).toISOString(),
    api_key: isInvited ? invitation.invitation_token : owner?.client_secret,
  };
}

/** @throws StageError if the file is missing or is not JSON */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new StageError(`Cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? "it is not JSON"}.`);
  }
}

/**
 * Writes the body to stdout, formatted on a terminal and unchanged in a pipe, so that a JSON tool can read it. The status
 * goes to stderr.
 */
function print({ stdout, stderr }: Terminal, { statusCode, body }: APIGatewayProxyResult, milliseconds: number): void {
  const style = statusCode < 400 ? "green" : "red";
  const status = styleText(style, `${statusCode} ${STATUS_CODES[statusCode] ?? ""}`, { stream: stderr });
  stderr.write(`${status} after ${milliseconds.toFixed(0)} ms, including the time to load the function\n`);
  if (!body) return;
  if (stdout.isTTY) writeJson(stdout, JSON.parse(body));
  else stdout.write(`${body}\n`);
}

if (import.meta.main) process.exitCode = await runProgram(invoke, process.argv.slice(2), process);
