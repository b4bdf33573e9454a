import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newProgram, runCommander } from "../cli/program.ts";
import { runProgram, type Terminal } from "../cli/runProgram.ts";
import { StageError } from "../cli/stageError.ts";
import { write } from "../cli/terminalOutput.ts";
import { cdk } from "../deploy/runCdk.ts";
import { resolveAwsEnvironment } from "../deploy/stageProgram.ts";
import { facts } from "../tools/operator/terminal.ts";
import { findOtherStage } from "./otherStages.ts";
import { type PipelineStage, pipelineStackName, requirePipelineStage } from "./pipelineStages.ts";

/**
 * Deploys the pipeline's stack, and prints the values that GitHub and the bootstrap need.
 *
 * @throws StageError for a wrong option, or an account that has another stage
 */
export async function pipeline(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const program = newProgram(
    "npm run pipeline --",
    "Prepares an account and region for deployments of one stage from GitHub, without a stored AWS key (docs/operations/pipeline.md).",
  )
    .option(
      "--stage <NAME>",
      "the only stage of the account; GitHub jobs in the environment of that name may deploy it",
    )
    .option("--repository <OWNER/NAME>", "the repository on GitHub")
    .option("--no-provider", "uses the account's existing identity provider of GitHub instead of creating one")
    .option("--yes", "widens permissions without a question")
    .action(async ({ stage, repository, ...options }) => {
      const named = { stage: requirePipelineStage(stage), repository: repositoryOf(repository) };
      await deployPipeline({ ...named, ...options }, stdout);
    });
  await runCommander(program, parameters, { stdout });
}

interface PipelineOptions {
  stage: PipelineStage;
  repository: string;
  provider: boolean;
  yes?: true | undefined;
}

/** @throws StageError */
function repositoryOf(text = ""): string {
  // The characters that GitHub allows; `*` would match other repositories.
  if (/^[A-Za-z0-9-]+\/[\w.-]+$/.test(text)) return text;
  throw new StageError("Add --repository OWNER/NAME. See npm run pipeline -- --help");
}

/**
 * Rejects an account with another stage. The pipeline's role may assume the CDK's roles, which can deploy every stack
 * of the account.
 */
async function requireOwnAccount(stage: PipelineStage, account: string): Promise<void> {
  const other = await findOtherStage(stage).catch(({ name, message }: Error) => {
    throw new StageError(`Cannot list the roles of account ${account}: ${name}: ${message}`);
  });
  if (!other) return;
  const found = other.isPipeline ? `a pipeline that deploys stage ${other.stage}` : `stage ${other.stage}`;
  const remedy = other.isPipeline ? "delete that role first" : "remove that stage first";
  throw new StageError(
    `Account ${account} has ${found} (role ${other.role}), and a deployment of ${stage} could also change it: ` +
      `use another account for ${stage}, or ${remedy}.`,
  );
}

async function deployPipeline(
  { stage, repository, provider, yes }: PipelineOptions,
  stdout: Terminal["stdout"],
): Promise<void> {
  const { account, region } = await resolveAwsEnvironment();
  write(stdout, `Stack ${pipelineStackName} for stage ${stage}, account ${account}, region ${region}`);
  await requireOwnAccount(stage, account);
  const directory = mkdtempSync(join(tmpdir(), "business-data-pipeline-"));
  try {
    const file = join(directory, "outputs.json");
    const app = ["--app", "node infra/pipeline/app.ts", "--output", join(directory, "assembly")];
    const approval = ["--require-approval", yes ? "never" : "broadening"];
    await cdk(stage, region, ["deploy", "--all", ...app, ...approval, "--outputs-file", file], {
      PIPELINE_REPOSITORY: repository,
      PIPELINE_HAS_PROVIDER: String(!provider),
    });
    const { [pipelineStackName]: stackOutputs = {} } = JSON.parse(readFileSync(file, "utf8"));
    write(stdout, ...facts(stackOutputs));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

if (import.meta.main) process.exitCode = await runProgram(pipeline, process.argv.slice(2), process);
