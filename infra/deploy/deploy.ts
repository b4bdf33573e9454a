import { resolve } from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { runCommander } from "../cli/program.ts";
import { runProgram, type Terminal } from "../cli/runProgram.ts";
import { StageError } from "../cli/stageError.ts";
import { isNewStage } from "../stages/isNewStage.ts";
import { requireDeployed } from "../stages/requireDeployed.ts";
import { stackName } from "../stages/stackName.ts";
import { type StageName, type StageSettings, stages } from "../stages/stages.ts";
import { deployBoundary } from "./deployBoundary.ts";
import { readPauseState } from "./pauseState.ts";
import { accountConcurrency } from "./preflight/concurrency.ts";
import { preflight } from "./preflight/preflight.ts";
import { stacksOf } from "./release/assembly.ts";
import { deployRelease } from "./release/deployRelease.ts";
import { removeUnusedResources } from "./release/removeUnusedResources.ts";
import { rollback } from "./release/rollback.ts";
import { cdk } from "./runCdk.ts";
import { writeStageEnvironment } from "./stageEnvironment.ts";
import { type Place, placeOf, programOf } from "./stageProgram.ts";

/**
 * Runs `npm run synth`, `bootstrap`, `diff`, `deploy`, `stage-env`, `rollback` or `tidy` with its options.
 *
 * @throws StageError for a fault that the operator can correct
 */
export async function deploy([name = "", ...parameters]: readonly string[], terminal: Terminal): Promise<void> {
  const program = programs(terminal).find((one) => one.name() === `npm run ${name} --`);
  if (!program) throw new StageError("Add one of synth, bootstrap, diff, deploy, stage-env, rollback, tidy.");
  await runCommander(program, parameters, terminal);
}

const programs = (terminal: Terminal): CommandUnknownOpts[] => [
  programOf("synth", "Writes the CloudFormation templates and functions of a stage.")
    .option("--output <DIR>", "output directory", "cdk.out")
    .action(async ({ stage, output }) => {
      const directory = resolve(output || "cdk.out");
      const required = requireDeployed(stage);
      // The import takes a second. It comes after the check of the options, so that a mistyped option fails at once.
      const { synthesize } = await import("./synthesize.ts");
      const { stacks } = await synthesize(required, directory, {}, {}, { withFirst: true });
      const names = stacks.map(({ stackName }) => stackName).join(", ");
      terminal.stdout.write(`Stage ${required} is in ${directory}: ${names}\n`);
    }),
  programOf(
    "bootstrap",
    "Prepares the account and region for the CDK, and creates or updates the permissions boundary of the stage.",
  )
    .option(
      "--execution-policy <ARN>",
      "limits deployments to the permissions of this policy; default: all permissions",
    )
    .action(async ({ stage, executionPolicy }) => {
      const { name, account, region, other } = await placeOf(stage, terminal);
      const bounded = executionPolicy === undefined ? [] : ["--cloudformation-execution-policies", executionPolicy];
      const regions = [region, ...(other ? [other] : [])];
      const places = regions.map((each) => `aws://${account}/${each}`);
      for (const each of regions) await deployBoundary(name, each);
      await cdk(name, region, ["bootstrap", ...places, ...bounded]);
    }),
  programOf("diff", "Shows what a deployment of a stage would change.").action(async ({ stage }) => {
    const { name, region } = await placeOf(stage, terminal);
    await cdk(name, region, ["diff", "--all"]);
  }),
  programOf(
    "deploy",
    "Deploys a stage; requests confirmation before it widens permissions. In a stage with a canary (infra/stages/stages.ts), the release first gets a share of the calls. It gets all calls if no release alarm rings meanwhile.",
  )
    .option("--yes", "widens permissions without a question")
    .option("--paused", "leaves the functions stopped, until npm run resume; default: as the stage is now")
    .option("--at-once", "gives the release all calls at once, even in a stage with a canary")
    .option("--assembly <DIR>", "the output of npm run synth; default: synthesizes the stage")
    .action(async ({ stage, yes = false, paused = false, atOnce = false, assembly }) => {
      const required = requireDeployed(stage);
      rejectPlaceholders(required);
      if (assembly !== undefined) requireAssembly(required, assembly);
      await deployTo(await placeOf(stage, terminal), { yes, paused, atOnce, assembly }, terminal);
    }),
  programOf(
    "stage-env",
    "Writes the environment of the operator's programs to .deployed/STAGE.env, from the outputs of its stacks. Changes nothing on AWS.",
  ).action(async ({ stage }) => {
    const { name, region } = await placeOf(stage, terminal);
    await writeStageEnvironment(name, region, terminal);
  }),
  programOf("rollback", "Goes back to the previous release.").action(async ({ stage }) => {
    const { name, region } = await placeOf(stage, terminal);
    await rollback(name, region, terminal);
  }),
  programOf(
    "tidy",
    "Removes resources of old releases to which the stage cannot go back; after the removal of the stage's stacks, all resources of its releases.",
  ).action(async ({ stage }) => {
    const { name, region } = await placeOf(stage, terminal);
    const removed = await removeUnusedResources(name, region);
    terminal.stdout.write(
      removed === undefined ? "There is nothing to remove.\n" : `Removed resources that no release uses: ${removed}.\n`,
    );
  }),
];

/** @throws StageError if a directory is not the output of `npm run synth` for the stage */
function requireAssembly(name: StageName, directory: string): void {
  const required = stackName(name, "api");
  if (stacksOf(directory).includes(required)) return;
  throw new StageError(`${directory} has no stack ${required}: name the output of npm run synth -- --stage ${name}.`);
}

async function deployTo(
  place: Place,
  how: { yes: boolean; paused: boolean; atOnce: boolean; assembly: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { name, settings, account, region } = place;
  const { stdout } = terminal;
  const isService = settings.answers === "service";
  const concurrency = isService ? await readFromAws(() => accountConcurrency(region)) : undefined;
  const isNew = isService && (await readFromAws(() => isNewStage(name, region)));
  const state = isService && !isNew ? await readFromAws(() => readPauseState(name, region)) : "running";
  if (state === "partly") {
    throw new StageError(
      `Some event source mappings of stage ${name} are disabled: run npm run pause or npm run resume -- --stage ${name} first.`,
    );
  }
  const paused = how.paused || state === "paused";
  const { rejections, warnings } = await readFromAws(() => preflight({ name, settings, region, isNew, paused }));
  for (const warning of warnings) stdout.write(`Note: ${warning}\n`);
  if (rejections.length > 0) throw new StageError(rejections.join(" "));
  const planned = { stage: name, settings, account, region, accountConcurrency: concurrency, isNew, ...how, paused };
  await deployRelease(planned, terminal);
  await writeStageEnvironment(name, region, terminal);
}

/** Rejects example values: SES cannot send mail from example addresses, and users have to know the real operator. */
function rejectPlaceholders(name: StageName): void {
  const settings: StageSettings = stages[name];
  if (settings.answers === "examples") return;
  const left = (["appUrl", "mailFrom", "operatorName", "privacyUrl", "supportEmail"] as const).filter((each) =>
    /example\.com|^Example, Inc\.$/.test(settings[each]),
  );
  if (left.length === 0) return;
  throw new StageError(
    `Set ${left.join(", ")} of stage ${name} in infra/stages/stages.ts: example.com and Example, Inc. are placeholders.`,
  );
}

/** @throws StageError when AWS rejects a call that the deployment needs before it starts */
async function readFromAws<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { name, message } = error as Error;
    throw new StageError(`Cannot check whether this can be deployed: AWS reports ${name}: ${message}`);
  }
}

if (import.meta.main) process.exitCode = await runProgram(deploy, process.argv.slice(2), process);
