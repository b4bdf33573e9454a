import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cdk } from "../cdk.ts";
import { newProgram, runCommander } from "../local/program.ts";
import { runProgram, type Terminal } from "../local/runProgram.ts";
import { StageError } from "../local/stageError.ts";
import { write } from "../local/write.ts";
import { facts } from "../operator/terminal.ts";
import { whereTo } from "../whereTo.ts";
import { pipelineStackName, pipelineStages } from "./pipelineStack.ts";

/** The program: deploys the stack, and tells what GitHub and the bootstrap are to know. @throws StageError */
export async function pipeline(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const program = newProgram(
    "npm run pipeline --",
    'Prepares an account and region for deployments from GitHub without a stored key (docs/operations.md, "A pipeline").',
  )
    .option(
      "--repository <OWNER/NAME>",
      `on GitHub; jobs of its environments ${pipelineStages.join(" and ")} may deploy these stages`,
    )
    .option("--no-provider", "makes no identity provider of GitHub: the account has it already")
    .option("--yes", "does not ask before permissions become wider")
    .action((options) => deployPipeline({ ...options, repository: repositoryOf(options.repository) }, stdout));
  await runCommander(program, parameters, { stdout });
}

/** @throws StageError */
function repositoryOf(text = ""): string {
  // The letters that GitHub takes; a star would let in others.
  if (/^[A-Za-z0-9-]+\/[\w.-]+$/.test(text)) return text;
  throw new StageError("Name the repository with --repository OWNER/NAME. See npm run pipeline -- --help");
}

async function deployPipeline(
  { repository, provider, yes }: { repository: string; provider: boolean; yes?: true | undefined },
  stdout: Terminal["stdout"],
): Promise<void> {
  const { account, region } = await whereTo();
  write(stdout, `Stack ${pipelineStackName}, account ${account}, region ${region}`);
  const directory = mkdtempSync(join(tmpdir(), "business-data-pipeline-"));
  try {
    const file = join(directory, "outputs.json");
    const app = ["--app", "node infra/pipeline/app.ts", "--output", join(directory, "assembly")];
    const approval = ["--require-approval", yes ? "never" : "broadening"];
    await cdk(undefined, region, ["deploy", "--all", ...app, ...approval, "--outputs-file", file], {
      PIPELINE_REPOSITORY: repository,
      PIPELINE_HAS_PROVIDER: String(!provider),
    });
    const { [pipelineStackName]: told = {} } = JSON.parse(readFileSync(file, "utf8"));
    write(stdout, ...facts(told));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

if (import.meta.main) process.exitCode = await runProgram(pipeline, process.argv.slice(2), process);
