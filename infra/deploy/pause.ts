import { setTimeout as sleep } from "node:timers/promises";
import {
  DeleteFunctionConcurrencyCommand,
  type EventSourceMappingConfiguration,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  ResourceInUseException,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { runCommander } from "../cli/program.ts";
import { runProgram, type Terminal } from "../cli/runProgram.ts";
import { StageError } from "../cli/stageError.ts";
import { write } from "../cli/terminalOutput.ts";
import { reservedFor } from "../constructs/functionSizes.ts";
import { inParallel } from "./deployedFunctions.ts";
import { findStoppable, isDisabled, type Stoppable } from "./pauseState.ts";
import { checkConcurrency } from "./preflight/concurrency.ts";
import { checkFormat } from "./preflight/format.ts";
import { type Place, placeOf, programOf } from "./stageProgram.ts";

/** Runs `npm run pause` or `npm run resume` with its options. */
export async function pauseOrResume([name = "", ...parameters]: readonly string[], terminal: Terminal): Promise<void> {
  const program = programs(terminal).find((one) => one.name() === `npm run ${name} --`);
  if (!program) throw new StageError("Add one of pause, resume.");
  await runCommander(program, parameters, terminal);
}

const programs = (terminal: Terminal): CommandUnknownOpts[] => [
  programOf(
    "pause",
    "Stops all functions of a stage within a minute, without a release: calls get 503, and queues keep their messages. Can be repeated.",
  ).action(async ({ stage }) => changeStage(await placeOf(stage, terminal), pause, terminal)),
  programOf("resume", "Starts the functions of a paused stage again. Can be repeated.").action(async ({ stage }) =>
    changeStage(await placeOf(stage, terminal), resume, terminal),
  ),
];

type Change = (client: LambdaClient, place: Place, found: Stoppable, terminal: Terminal) => Promise<void>;

async function changeStage(place: Place, change: Change, terminal: Terminal): Promise<void> {
  const { stage, settings, region } = place;
  if (settings.answers === "examples") throw new StageError(`Stage ${stage} has only pages, which cannot be paused.`);
  // Lambda accepts 15 changes a second. The client waits and repeats the others.
  const client = new LambdaClient({ region, maxAttempts: 12 });
  try {
    const found = await findStoppable(client, stage);
    if (found.functions.size === 0) throw new StageError(`Stage ${stage} has no functions in ${region}.`);
    await change(client, place, found, terminal);
  } catch (error) {
    if (error instanceof StageError) throw error;
    const { name, message } = error as Error;
    throw new StageError(`Stopped half-way: AWS reports ${name}: ${message} Run the same command again; it continues.`);
  }
}

/**
 * Disables the event source mappings first: a queue gives up a message that a stopped function does not accept. Schedules
 * stay: Lambda discards their calls of a stopped function.
 */
const pause: Change = async (client, { stage }, { functions, mappings }, { stdout }) => {
  const enabled = mappings.filter((each) => !isDisabled(each));
  await inParallel(enabled, maxChanges, (mapping) => enable(client, mapping, false));
  write(stdout, `Disabled ${enabled.length} of ${mappings.length} event source mappings: queues keep their messages.`);
  await inParallel([...functions.keys()], maxChanges, (FunctionName) =>
    client.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 })),
  );
  write(
    stdout,
    `Stopped all ${functions.size} functions: calls get 503. Invocations that have begun end within 15 minutes.`,
    `Stage ${stage} is paused. npm run resume -- --stage ${stage} starts it; until then, deployments leave it paused.`,
  );
};

/** Enables the event source mappings last: they say that the stage is paused (`readPauseState`). */
const resume: Change = async (client, place, { functions, mappings }, { stdout }) => {
  const { stage, settings } = place;
  const planned = { ...place, isNew: false, paused: false };
  const rejections = [...(await checkConcurrency(planned)), ...(await checkFormat(planned))];
  if (rejections.length > 0) throw new StageError(rejections.join(" "));
  await inParallel([...functions], maxChanges, ([FunctionName, handler]) => {
    const ReservedConcurrentExecutions = settings.aws && reservedFor(settings.aws, handler);
    return ReservedConcurrentExecutions === undefined
      ? client.send(new DeleteFunctionConcurrencyCommand({ FunctionName }))
      : client.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
  });
  write(stdout, `Started all ${functions.size} functions, with the concurrency that infra/stages/stages.ts reserves.`);
  const disabled = mappings.filter(isDisabled);
  await inParallel(disabled, maxChanges, (mapping) => enable(client, mapping, true));
  write(stdout, `Enabled ${disabled.length} of ${mappings.length} event source mappings.`, `Stage ${stage} runs.`);
};

/** Changes that run at the same time. */
const maxChanges = 5;

/** Lambda rejects a change of a mapping for some seconds after another change. */
const maxBusySeconds = 60;

async function enable(
  client: LambdaClient,
  { UUID }: EventSourceMappingConfiguration,
  Enabled: boolean,
): Promise<void> {
  for (let second = 0; ; second++) {
    try {
      await client.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
      return;
    } catch (error) {
      if (!(error instanceof ResourceInUseException) || second >= maxBusySeconds) throw error;
      await sleep(1_000);
    }
  }
}

if (import.meta.main) process.exitCode = await runProgram(pauseOrResume, process.argv.slice(2), process);
