import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cdk } from "./cdk.ts";
import { isNewStage } from "./isNewStage.ts";
import { optionsOf } from "./local/optionsOf.ts";
import { runProgram, type Terminal } from "./local/runProgram.ts";
import { StageError } from "./local/stageError.ts";
import { shellFile } from "./outputs.ts";
import { accountConcurrency } from "./preflight/concurrency.ts";
import { preflight } from "./preflight/preflight.ts";
import { deployRelease } from "./release/deployRelease.ts";
import { rollback } from "./release/rollback.ts";
import { tidy } from "./release/tidy.ts";
import { requireDeployed } from "./requireDeployed.ts";
import { deployedStages, type StageName, type StageSettings, stages } from "./stages.ts";
import { whereTo } from "./whereTo.ts";

const usage = `Brings a stage to AWS (docs/operations.md).

  npm run synth  -- --stage NAME [--output DIR]   writes its CloudFormation templates and functions to DIR, default cdk.out
  npm run bootstrap -- --stage NAME [--execution-policy ARN]
                                                  prepares the account and region, once, for what the CDK brings there;
                                                  deployments may then do what the policy allows, instead of everything
  npm run diff   -- --stage NAME                  shows what a deployment would change
  npm run deploy -- --stage NAME [--yes] [--at-once]   deploys it; asks before permissions become wider, unless --yes
  npm run rollback -- --stage NAME                brings back the release before
  npm run tidy   -- --stage NAME                  removes what releases have left that the stage cannot go back to, or, when
                                                  its stacks are gone, all that they have left

  A stage with a canary (infra/stages.ts) gives a release a share of the calls first, and all of them only when none of
  its alarms has rung meanwhile; --at-once gives it all.

  --stage NAME   ${deployedStages.join(", ")}
  --help         shows this

bootstrap, diff, deploy, rollback and tidy work in the account and region of your AWS credentials (AWS_PROFILE, or AWS_ACCESS_KEY_ID and
the others, and AWS_REGION); synth needs neither.
`;

/** Where a deployment leaves what it made. */
const deployed = ".deployed";

const hint = "See npm run deploy -- --help";

/** `synth`, `bootstrap`, `diff`, `deploy`, `rollback` or `tidy`, and its options. @throws StageError for what the person at the terminal can mend */
export async function deploy(parameters: readonly string[], terminal: Terminal): Promise<void> {
  const { stdout } = terminal;
  const [command = ""] = parameters;
  const options = parse(parameters.slice(1));
  if (options.help) {
    stdout.write(usage);
    return;
  }
  if (options["execution-policy"] !== undefined && command !== "bootstrap")
    throw new StageError(`--execution-policy is for bootstrap. ${hint}`);
  if (options.output !== undefined && command !== "synth") throw new StageError(`--output is for synth. ${hint}`);
  if (options["at-once"] && command !== "deploy") throw new StageError(`--at-once is for deploy. ${hint}`);
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
  const settings: StageSettings = stages[stage];
  const other = settings.aws?.recoveryRegion;
  if (other === region)
    throw new StageError(`Set recoveryRegion of stage ${stage} in infra/stages.ts to another region.`);
  if (command === "bootstrap") {
    const policy = options["execution-policy"];
    const bounded = policy === undefined ? [] : ["--cloudformation-execution-policies", policy];
    const places = [region, ...(other ? [other] : [])].map((each) => `aws://${account}/${each}`);
    await cdk(stage, region, ["bootstrap", ...places, ...bounded]);
    return;
  }
  if (command === "rollback") {
    await rollback(stage, region, terminal);
    return;
  }
  if (command === "tidy") {
    const removed = await tidy(stage, region);
    stdout.write(
      removed === undefined ? "Releases have left nothing.\n" : `Removed what no release uses: ${removed}.\n`,
    );
    return;
  }
  const isService = settings.answers === "service";
  // An alarm compares with what the account really may run.
  const concurrency = isService ? await toldByAws(() => accountConcurrency(region)) : undefined;
  if (command === "diff") {
    await cdk(stage, region, ["diff", "--all"], {
      ...(concurrency !== undefined && { ACCOUNT_CONCURRENCY: String(concurrency) }),
    });
    return;
  }
  const isNew = isService && (await toldByAws(() => isNewStage(stage, region)));
  const { refusals, warnings } = await toldByAws(() => preflight({ name: stage, settings, region, isNew }));
  for (const warning of warnings) stdout.write(`Note: ${warning}\n`);
  if (refusals.length > 0) throw new StageError(refusals.join(" "));
  const { yes, "at-once": atOnce } = options;
  const planned = { stage, settings, account, region, accountConcurrency: concurrency, isNew, yes, atOnce };
  const environment = await deployRelease(planned, terminal);
  mkdirSync(deployed, { recursive: true });
  writeFileSync(join(deployed, `${stage}.env`), shellFile(environment));
  stdout.write(`${environment.BASE_URL}\nFor the operator's programs: set -a; . ${deployed}/${stage}.env; set +a\n`);
}

function parse(parameters: readonly string[]) {
  return optionsOf(parameters, hint, {
    options: {
      stage: { type: "string" },
      output: { type: "string" },
      "execution-policy": { type: "string" },
      yes: { type: "boolean", default: false },
      "at-once": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  }).values;
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
