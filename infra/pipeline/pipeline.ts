import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cdk } from "../cdk.ts";
import { optionsOf } from "../local/optionsOf.ts";
import { runProgram, type Terminal } from "../local/runProgram.ts";
import { StageError } from "../local/stageError.ts";
import { write } from "../local/write.ts";
import { facts } from "../operator/terminal.ts";
import { whereTo } from "../whereTo.ts";
import { pipelineStackName, pipelineStages } from "./pipelineStack.ts";

const usage = `Prepares an account and region for deployments from GitHub without a stored key (docs/operations.md, "A pipeline").

  npm run pipeline -- --repository OWNER/NAME [options]

  --repository OWNER/NAME   on GitHub; jobs of its environments ${pipelineStages.join(" and ")} may deploy these stages
  --no-provider             makes no identity provider of GitHub: the account has it already
  --yes                     does not ask before permissions become wider
  --help                    shows this
`;

const hint = "See npm run pipeline -- --help";

/** The program: deploys the stack, and tells what GitHub and the bootstrap are to know. @throws StageError */
export async function pipeline(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const options = parse(parameters);
  if (options.help) {
    stdout.write(usage);
    return;
  }
  const { repository = "" } = options;
  // The letters that GitHub takes; a star would let in others.
  if (!/^[A-Za-z0-9-]+\/[\w.-]+$/.test(repository)) {
    throw new StageError(`Name the repository with --repository OWNER/NAME. ${hint}`);
  }
  const { account, region } = await whereTo();
  write(stdout, `Stack ${pipelineStackName}, account ${account}, region ${region}`);
  const directory = mkdtempSync(join(tmpdir(), "business-data-pipeline-"));
  try {
    const file = join(directory, "outputs.json");
    const app = ["--app", "node infra/pipeline/app.ts", "--output", join(directory, "assembly")];
    const approval = ["--require-approval", options.yes ? "never" : "broadening"];
    await cdk(undefined, region, ["deploy", "--all", ...app, ...approval, "--outputs-file", file], {
      PIPELINE_REPOSITORY: repository,
      PIPELINE_HAS_PROVIDER: String(options["no-provider"]),
    });
    const { [pipelineStackName]: told = {} } = JSON.parse(readFileSync(file, "utf8"));
    write(stdout, ...facts(told));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function parse(parameters: readonly string[]) {
  return optionsOf(parameters, hint, {
    options: {
      repository: { type: "string" },
      "no-provider": { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  }).values;
}

if (import.meta.main) process.exitCode = await runProgram(pipeline, process.argv.slice(2), process);
