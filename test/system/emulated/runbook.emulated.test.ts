import { execFile } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { demoServiceProvider } from "../../../infra/local/demoBusinesses.ts";
import { Caller } from "../../../infra/tools/smoke/caller.ts";
import { pythonPackages } from "../../pythonPackages.ts";
import { runbookCommands } from "../../runbookCommands.ts";
import { type Emulator, startEmulator } from "./emulator.ts";
import { addStage, copyProject } from "./projectCopy.ts";
import {
  beginnings,
  firstDeployment,
  firstProvider,
  leftOut,
  meantBy,
  operation,
  removal,
  type Step,
  trial,
} from "./runbookSteps.ts";

// Types the runbook into a shell, in a copy of the project with a separate emulator. Replaces `prod` by `sandbox`,
// because `prod` accepts only real POS systems.

const home = mkdtempSync(join(inject("temporaryDirectory"), "runbook-"));
const project = join(home, "project");
const environmentFile = join(project, ".deployed/sandbox.env");
const environment: NodeJS.ProcessEnv = {};
const printed: Record<string, string> = {};
let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator();
  const cli = await pythonPackages("system/emulated/cli/requirements.txt", "the runbook's commands of the AWS CLI");
  if (cli.missing) throw new Error(cli.missing);
  const program = `#!/bin/sh\nPYTHONPATH='${cli.directory}' exec python3 '${cli.directory}/bin/aws' --endpoint-url "$AWS_ENDPOINT_URL" "$@"\n`;
  writeFileSync(join(home, "aws"), program, { mode: 0o755 });
  copyProject(project);
  const { PATH, HOME } = process.env;
  const search = [home, join(process.cwd(), "node_modules/.bin"), PATH].join(delimiter);
  Object.assign(environment, {
    PATH: search,
    HOME,
    LANG: "C.UTF-8",
    AWS_DEFAULT_REGION: "us-east-1",
    npm_config_loglevel: "error",
  });
  Object.assign(environment, emulator.environment, {
    RESTORED: "business-data-sandbox-recovered-2026-11-20",
    CI: "true",
  });
}, 600_000);

afterAll(async () => {
  for (const [command, why] of Object.entries(leftOut)) console.log(`Not walked: ${command} …: ${why}`);
  await emulator?.stop();
});

/** Runs a text as an operator would type it after reading the outputs of a deployment. */
async function type(text: string): Promise<{ code: number; out: string }> {
  const before = "if [ -f .deployed/sandbox.env ]; then set -a; . .deployed/sandbox.env; set +a; fi";
  const script = `exec 2>&1\n${before}\nset -eo pipefail\n${text}\n`;
  const options = { cwd: project, env: environment, maxBuffer: 64 * 1024 * 1024 };
  return promisify(execFile)("bash", ["-c", script], options).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout }) => ({ code: Number(code), out: String(stdout) }),
  );
}

/**
 * The typed command of a step. Placeholders are filled from variables of the same name, unless the step gives other
 * values.
 */
function typed({ command, filled = {}, without }: Step): string {
  const whole = runbookCommands().find((each) => meantBy(each, beginnings) === command) ?? expect.fail(command);
  const lines = whole.split("\n").filter((line) => !without?.line.test(line));
  if (without) {
    expect(lines.length).toBeLessThan(whole.split("\n").length);
    console.log(`Left out of ${command}: ${without.why}`);
  }
  const text = Object.entries(filled).reduce((before, [place, value]) => {
    expect(before).toContain(place);
    return before.replaceAll(place, () => value);
  }, lines.join("\n"));
  const here = text.replaceAll(/\bprod\b/g, "sandbox");
  return here.replaceAll(/(?<![\w$"])(SP_ID|CRB_ID|ENDPOINT_ID|CLIENT_ID)\b/g, '"$$$1"');
}

const walk = async (step: Step) => {
  const text = typed(step);
  const { code, out } = await type(text);
  printed[step.command] = out;
  if (code !== (step.code ?? 0)) expect.fail(`${text}\nended with ${code}:\n${out.slice(-4_000)}`);
  expect(out).toMatch(step.prints);
  // The name of the new gateway does not resolve here.
  if (/^npm run deploy/.test(step.command)) await lead();
};

async function lead(): Promise<void> {
  const [, id = ""] = /BASE_URL='https:\/\/(\w+)\./.exec(readFileSync(environmentFile, "utf8")) ?? [];
  appendFileSync(environmentFile, `BASE_URL='${emulator.endpoint}/restapis/${id}/sandbox/_user_request_'\n`);
  // With real POS systems, the stack creates it.
  const { out } = await type(
    "aws secretsmanager create-secret --name partners --secret-string x --query ARN --output text",
  );
  appendFileSync(environmentFile, `POS_PARTNER_KEYS_SECRET='${out.trim()}'\n`);
  give("keys.json", JSON.stringify({ POS_BLAZE_PARTNER_KEY: "key" }));
}

const give = (name: string, text: string) => writeFileSync(join(project, name), text);

test.each(firstDeployment)("the first deployment runs: $command", walk, 600_000);

describe("the first trial, and templates without a stage:", () => {
  beforeAll(() => addStage(project, "staging"));

  test.concurrent.each(trial)("$command runs", walk, 600_000);
});

describe("the first service provider:", () => {
  beforeAll(() => give("provider.json", JSON.stringify({ ...demoServiceProvider, id: undefined })));

  test.each(firstProvider)("$command runs", walk, 600_000);
});

describe("the operation of a stage:", () => {
  beforeAll(async () => {
    const said = printed[firstProvider.at(-1)?.command ?? ""] ?? "";
    const value = (name: string) => new RegExp(`${name} +(\\S+)`).exec(said)?.[1] ?? expect.fail(said);
    const [sp_id, key] = [value("sp_id"), value("client_secret")];
    const baseUrl = (await type('echo "$BASE_URL"')).out.trim();
    const api = new Caller(baseUrl, key);
    const provider = `/service-providers/${sp_id}`;
    const crb = await api.answer("POST", `${provider}/crbs`, {
      body: {
        org: { name: "Blue Spruce Dispensary", state: "CO", business_type: "retail" },
        pos_info: { pos_type: "Dutchie", pos_credentials: { recApiKey: "any-key-will-do" } },
        users: [{ email: "a@example.org", firstName: "A", lastName: "B" }],
      },
    });
    const body = { url: "https://hooks.example.org/" };
    const endpoint = await api.answer("POST", `${provider}/webhook-endpoints`, { body });
    const second = await type(`npm run -s operator -- --stage sandbox credential issue ${sp_id}`);
    Object.assign(environment, {
      SP_ID: sp_id,
      CRB_ID: crb.id,
      ENDPOINT_ID: endpoint.id,
      CLIENT_ID: value("client_id"),
    });
    environment.SECOND_CLIENT_ID = /client_id +(\S+)/.exec(second.out)?.[1] ?? expect.fail(second.out);
    give("credentials.json", JSON.stringify({ pos_credentials: { recApiKey: "another-key" } }));
    give(
      "register.csv",
      "License Number,Licensee,License Type,Status,Issue Date,DBA,Licensing Authority Name\nW-1,Evergreen,Retail Store,Active,1/31/2024,,Board\n",
    );
  }, 120_000);

  test.each(operation)("$command runs", walk, 600_000);
});

describe("the removal of a stage:", () => {
  test.each(removal)("$command runs", walk, 600_000);

  test("it leaves no function of the stage, and only the role with which the account's gateways write logs", async () => {
    const { out: functions } = await type("aws lambda list-functions --query 'Functions[].FunctionName' --output text");
    expect(functions).not.toContain("business-data-sandbox");
    const { out: roles } = await type("aws iam list-roles --query 'Roles[].[RoleName]' --output text");
    expect(roles.split("\n").filter((name) => name.startsWith("business-data-sandbox"))).toEqual([
      expect.stringMatching(/^business-data-sandbox-api-ApiCloudWatchRole/),
    ]);
  });

  test("it leaves no stack of the stage", async () => {
    const stacks = await type("aws cloudformation describe-stacks --query 'Stacks[].StackName' --output text");
    expect(stacks.code).toBe(0);
    expect(stacks.out).toContain("CDKToolkit");
    // The permission boundary and the toolkit belong to an administrator.
    expect(stacks.out).not.toMatch(/(^|\s)business-data-sandbox/);
  });
});
