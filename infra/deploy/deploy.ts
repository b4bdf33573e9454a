import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { runCommander } from "../cli/program.ts";
import { runProgram, type Terminal } from "../cli/runProgram.ts";
import { StageError } from "../cli/stageError.ts";
import { requireDeployed } from "../stages/requireDeployed.ts";
import { stackName } from "../stages/stackName.ts";
import { type StageName, type StageSettings, stages } from "../stages/stages.ts";
import { deployBoundary } from "./deployBoundary.ts";
import { readPauseState } from "./pauseState.ts";
import type { PlannedDeployment } from "./plannedDeployment.ts";
import { accountConcurrency } from "./preflight/concurrency.ts";
import { preflight } from "./preflight/preflight.ts";
import { firstFolder, stacksOf } from "./release/assembly.ts";
import { deployData, release } from "./release/release.ts";
import { removeUnusedResources } from "./release/removeUnusedResources.ts";
import { rollback } from "./release/rollback.ts";
import { Stacks } from "./release/stacks.ts";
import { cdk } from "./runCdk.ts";
import { writeStageEnvironment } from "./stageEnvironment.ts";
import { type Place, placeOf, programOf } from "./stageProgram.ts";

/** Runs `npm run synth`, `bootstrap`, `diff`, `deploy`, `stage-env`, `rollback` or `tidy` with its options. */
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
    .action(async ({ stage: name, executionPolicy }) => {
      const { stage, account, region, other } = await placeOf(name, terminal);
      const bounded = executionPolicy === undefined ? [] : ["--cloudformation-execution-policies", executionPolicy];
      const regions = [region, ...(other ? [other] : [])];
      const places = regions.map((each) => `aws://${account}/${each}`);
      for (const each of regions) await deployBoundary(stage, each);
      await cdk(stage, region, ["bootstrap", ...places, ...bounded]);
    }),
  programOf("diff", "Shows what a deployment of a stage would change.").action(async ({ stage: name }) => {
    const { stage, region } = await placeOf(name, terminal);
    await cdk(stage, region, ["diff", "--all"]);
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
  ).action(async ({ stage: name }) => {
    const { stage, region } = await placeOf(name, terminal);
    await writeStageEnvironment(stage, region, terminal);
  }),
  programOf("rollback", "Goes back to the previous release.").action(async ({ stage: name }) => {
    const { stage, region } = await placeOf(name, terminal);
    await rollback(stage, region, terminal);
  }),
  programOf(
    "tidy",
    "Removes resources of old releases to which the stage cannot go back; after the removal of the stage's stacks, all resources of its releases.",
  ).action(async ({ stage: name }) => {
    const { stage, region } = await placeOf(name, terminal);
    const removed = await removeUnusedResources(stage, region);
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
  { assembly, yes, ...how }: { yes: boolean; paused: boolean; atOnce: boolean; assembly: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { stage, settings, region } = place;
  const { stdout } = terminal;
  const isService = settings.answers === "service";
  const concurrency = isService ? await readFromAws(() => accountConcurrency(region)) : undefined;
  const isNew = isService && !(await readFromAws(() => new Stacks(region).find(stackName(stage, "data"))));
  const state = isService && !isNew ? await readFromAws(() => readPauseState(stage, region)) : "running";
  if (state === "partly") {
    throw new StageError(
      `Some event source mappings of stage ${stage} are disabled: run npm run pause or npm run resume -- --stage ${stage} first.`,
    );
  }
  const paused = how.paused || state === "paused";
  const planned = { ...place, ...how, accountConcurrency: concurrency, isNew, paused };
  const { rejections, warnings } = await readFromAws(() => preflight(planned));
  for (const warning of warnings) stdout.write(`Note: ${warning}\n`);
  if (rejections.length > 0) throw new StageError(rejections.join(" "));
  await deployAssembly(planned, assembly, yes ? "never" : "broadening", terminal);
  await writeStageEnvironment(stage, region, terminal);
}

/**
 * Deploys a stage from its assembly, see `release`.
 *
 * @param assembly the directory with the output of `npm run synth`; the deployment synthesizes if undefined
 * @param approval the changes of permissions that the CDK asks about
 * @throws StageError when the CDK fails, or the release was rolled back
 */
async function deployAssembly(
  planned: PlannedDeployment,
  assembly: string | undefined,
  approval: "never" | "broadening",
  terminal: Terminal,
): Promise<void> {
  const { stage, region, isNew } = planned;
  const deployStacks =
    (directory: string) =>
    (ids: readonly string[], given: Readonly<Record<string, string>> = {}) => {
      const values = Object.entries(given).flatMap(([name, value]) => ["--parameters", `${name}=${value}`]);
      const how = ["--exclusively", "--app", directory, "--require-approval", approval];
      return cdk(stage, region, ["deploy", ...ids, ...how, ...values]);
    };
  const made = assembly === undefined ? await mkdtemp(join(tmpdir(), "business-data-release-")) : undefined;
  const directory = resolve(assembly ?? made ?? "");
  try {
    if (made !== undefined) {
      // A given assembly was synthesized elsewhere, so neither CDK apps nor bundlers run here. The import takes a second.
      const { synthesize } = await import("./synthesize.ts");
      await synthesize(stage, directory, {}, {}, { withFirst: isNew });
    }
    // CloudFormation cannot roll back resources with deletion protection, so a first deployment creates them without
    // it.
    if (isNew) await deployData({ ...planned, deployStacks: deployStacks(join(directory, firstFolder)) });
    await release({ ...planned, directory, deployStacks: deployStacks(directory) }, terminal);
  } finally {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  }
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
