import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { cdk } from "./cdk.ts";
import { isNewStage } from "./isNewStage.ts";
import { runProgram, type Terminal } from "./local/runProgram.ts";
import { StageError } from "./local/stageError.ts";
import { deployedEnvironment, shellFile } from "./outputs.ts";
import { accountConcurrency } from "./preflight/concurrency.ts";
import { preflight } from "./preflight/preflight.ts";
import { requireDeployed } from "./requireDeployed.ts";
import { deployedStages, type StageName, type StageSettings, stages } from "./stages.ts";
import { whereTo } from "./whereTo.ts";

const usage = `Brings a stage to AWS (docs/operations.md).

  npm run synth  -- --stage NAME [--output DIR]   writes its CloudFormation templates and functions to DIR, default cdk.out
  npm run bootstrap -- --stage NAME [--execution-policy ARN]
                                                  prepares the account and region, once, for what the CDK brings there;
                                                  deployments may then do what the policy allows, instead of everything
  npm run diff   -- --stage NAME                  shows what a deployment would change
  npm run deploy -- --stage NAME [--yes]          deploys it; asks before permissions become wider, unless --yes

  --stage NAME   ${deployedStages.join(", ")}
  --help         shows this

bootstrap, diff and deploy work in the account and region of your AWS credentials (AWS_PROFILE, or AWS_ACCESS_KEY_ID and
the others, and AWS_REGION); synth needs neither.
`;

/** Where a deployment leaves what it made. */
const deployed = ".deployed";

const hint = "See npm run deploy -- --help";

/** `synth`, `bootstrap`, `diff` or `deploy`, and its options. @throws StageError for what the person at the terminal can mend */
export async function deploy(parameters: readonly string[], { stdout }: Terminal): Promise<void> {
  const [command = ""] = parameters;
  const options = parse(parameters.slice(1));
  if (options.help) {
    stdout.write(usage);
    return;
  }
  if (options["execution-policy"] !== undefined && command !== "bootstrap")
    throw new StageError(`--execution-policy is for bootstrap. ${hint}`);
  if (options.output !== undefined && command !== "synth") throw new StageError(`--output is for synth. ${hint}`);
  const stage = requireDeployed(options.stage);
  if (command === "synth") {
    const directory = resolve(options.output || "cdk.out");
    // Takes a second to load, which a mistyped option need not wait for.
    const { synthesize } = await import("./synthesize.ts");
    const { stacks } = await synthesize(stage, directory);
    stdout.write(`Stage ${stage} is in ${directory}: ${stacks.map(({ stackName }) => stackName).join(", ")}\n`);
    return;
  }
  if (command === "deploy") refusePlaceholders(stage);
  const { account, region } = await whereTo();
  stdout.write(`Stage ${stage}, account ${account}, region ${region}\n`);
  if (command === "bootstrap") {
    const policy = options["execution-policy"];
    const bounded = policy === undefined ? [] : ["--cloudformation-execution-policies", policy];
    await cdk(stage, region, ["bootstrap", `aws://${account}/${region}`, ...bounded]);
    return;
  }
  const service = stages[stage].answers === "service";
  // An alarm compares with what the account really may run.
  const limit = service && { ACCOUNT_CONCURRENCY: String(await toldByAws(() => accountConcurrency(region))) };
  if (command === "diff") {
    await cdk(stage, region, ["diff", "--all"], { ...limit });
    return;
  }
  const isNew = service && (await toldByAws(() => isNewStage(stage, region)));
  const planned = { name: stage, settings: stages[stage], region, isNew };
  const { refusals, warnings } = await toldByAws(() => preflight(planned));
  for (const warning of warnings) stdout.write(`Note: ${warning}\n`);
  if (refusals.length > 0) throw new StageError(refusals.join(" "));
  mkdirSync(deployed, { recursive: true });
  const outputs = join(deployed, `${stage}.json`);
  const approval = ["--require-approval", options.yes ? "never" : "broadening"];
  // What is protected from deletion could not be taken back: so it is protected once it is there.
  if (isNew) await cdk(stage, region, ["deploy", "Data", ...approval], { ...limit, FIRST_DEPLOYMENT: "true" });
  await cdk(stage, region, ["deploy", "--all", ...approval, "--outputs-file", outputs], { ...limit });
  const environment = deployedEnvironment(stage, region, JSON.parse(readFileSync(outputs, "utf8")));
  writeFileSync(join(deployed, `${stage}.env`), shellFile(environment));
  stdout.write(`${environment.BASE_URL}\nFor the operator's programs: set -a; . ${deployed}/${stage}.env; set +a\n`);
}

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      options: {
        stage: { type: "string" },
        output: { type: "string" },
        "execution-policy": { type: "string" },
        yes: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    const [reason] = (error as Error).message.split(/\. |\n/);
    throw new StageError(`${reason?.replace(/\.$/, "")}. ${hint}`);
  }
}

/** Nobody can send mail from an example's address, or follow a link to it. */
function refusePlaceholders(name: StageName): void {
  const settings: StageSettings = stages[name];
  if (settings.answers === "examples") return;
  const left = (["appUrl", "mailFrom", "supportEmail"] as const).filter((each) => /example\.com/.test(settings[each]));
  if (left.length === 0) return;
  throw new StageError(`Set ${left.join(", ")} of stage ${name} in infra/stages.ts: example.com is a placeholder.`);
}

/** @throws StageError when AWS does not tell what a deployment must know beforehand */
async function toldByAws<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { name, message } = error as Error;
    throw new StageError(`AWS does not tell whether this can be deployed: ${name}: ${message}`);
  }
}

if (import.meta.main) process.exitCode = await runProgram(deploy, process.argv.slice(2), process);
