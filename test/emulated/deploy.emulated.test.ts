import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { deploy } from "../../infra/deploy.ts";
import { isNewStage } from "../../infra/isNewStage.ts";
import { runProgram } from "../../infra/local/runProgram.ts";
import { preflight } from "../../infra/preflight.ts";
import { type StageSettings, stages } from "../../infra/stages.ts";
import { catalogue } from "../../shared/api/catalogue.ts";
import type { Operation } from "../../shared/api/operation.ts";
import { region, type Template } from "../deployed/template.ts";
import { type Emulator, startEmulator } from "./emulator.ts";
import { Releases } from "./releases.ts";

let emulator: Emulator;
let releases: Releases;
let outputs: Record<string, string>;

beforeAll(async () => {
  emulator = await startEmulator();
  for (const [name, value] of Object.entries(emulator.environment)) vi.stubEnv(name, value);
  releases = new Releases(emulator);
  await releases.prepare();
}, 600_000);

afterAll(async () => {
  vi.unstubAllEnvs();
  await emulator?.stop();
});

const path = process.env.PATH;
const dataStack = "business-data-sandbox-data";

/** What of a stage holds data, or is known to callers, by its id in the template. */
async function keptResources(): Promise<Record<string, string>> {
  const kept =
    /^AWS::(DynamoDB::Table|S3::Bucket|KMS::Key|SecretsManager::Secret|SQS::Queue|SNS::Topic|ApiGateway::RestApi)$/;
  const found: Record<string, string> = {};
  for (const part of ["data", "monitoring", "background", "api"]) {
    const xml = await emulator.call("cloudformation", {
      Action: "DescribeStackResources",
      StackName: `business-data-sandbox-${part}`,
    });
    for (const [, member = ""] of xml.matchAll(/<member>([\s\S]*?)<\/member>/g)) {
      const value = (tag: string) => new RegExp(`<${tag}>(.*?)</${tag}>`).exec(member)?.[1] ?? "";
      if (kept.test(value("ResourceType"))) found[value("LogicalResourceId")] = value("PhysicalResourceId");
    }
  }
  return found;
}

/** The answer of the deployed API to a GET. */
async function get(path: string): Promise<Response> {
  const [, id] = /\/\/(\w+)\./.exec(outputs.BaseUrl ?? "") ?? [];
  return fetch(`${emulator.endpoint}/restapis/${id}/sandbox/_user_request_${path}`);
}

describe("a first deployment", () => {
  test("finds out beforehand what the account lacks", async () => {
    const settings: StageSettings = { ...stages.sandbox, mailFrom: "Sandbox <no-reply@mail.example.org>" };
    const aws = { ...stages.sandbox.aws, accountConcurrency: 100_000 };
    const { refusals, warnings } = await preflight({ ...settings, aws }, region, true);
    expect(refusals).toEqual([
      expect.stringMatching(/^The account may run \d+ functions .* needs 100000: ask Service Quotas/),
    ]);
    expect(warnings[0]).toMatch(
      /^SES has verified neither no-reply@mail\.example\.org nor mail\.example\.org in us-east-1/,
    );
    expect((await preflight(settings, region, true)).refusals).toEqual([]);
  });

  test("is of what it is to protect alone, and then of everything", async () => {
    const directory = mkdtempSync(join(inject("temporaryDirectory"), "path-"));
    const note = join(directory, "calls");
    // Notes its calls, and fails at the second one.
    const program = `#!/bin/sh\necho "$FIRST_DEPLOYMENT $*" >> ${note}; test $(wc -l < ${note}) -lt 2\n`;
    writeFileSync(join(directory, "cdk"), program, { mode: 0o755 });
    vi.stubEnv("PATH", `${directory}${delimiter}${process.env.PATH}`);
    const { appUrl, mailFrom, supportEmail } = stages.sandbox;
    const ours = { appUrl: "https://app.example.org", mailFrom: "a@mail.example.org", supportEmail: "b@example.org" };
    Object.assign(stages.sandbox, ours);
    try {
      const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
      expect(await runProgram(deploy, ["deploy", "--stage", "sandbox", "--yes"], { stdin, stdout, stderr })).toBe(1);
      expect(String(stdout.read())).toMatch(/^Stage sandbox, account 000000000000.*\nNote: SES has verified neither/);
    } finally {
      Object.assign(stages.sandbox, { appUrl, mailFrom, supportEmail });
      vi.stubEnv("PATH", path);
    }
    const [first, second] = readFileSync(note, "utf8").split("\n");
    expect(first).toBe("true deploy Data --require-approval never");
    expect(second).toMatch(/^ deploy --all --require-approval never/);
  });

  test("that fails can be tried again, and leaves protected what it has made", async () => {
    expect(await isNewStage("sandbox", region)).toBe(true);
    // Its template has a name of its own, by which it is uploaded.
    const settings: StageSettings = { ...stages.sandbox, aws: { ...stages.sandbox.aws, logDays: 90 } };
    const failing = releases.synthesize({ isNew: true, settings });
    const path = join(failing, "Data.template.json");
    const template: Template = JSON.parse(readFileSync(path, "utf8"));
    const others = Object.keys(template.Resources);
    const wrong = { Type: "AWS::SQS::Queue", Properties: { VisibilityTimeout: -1 }, DependsOn: others };
    template.Resources.Wrong = wrong;
    writeFileSync(path, JSON.stringify(template));
    await expect(releases.deploy(failing, ["Data"])).rejects.toThrow(/Wrong/);
    expect(await isNewStage("sandbox", region)).toBe(true);

    await releases.deploy(releases.synthesize({ isNew: true }), ["Data"]);
    expect(await isNewStage("sandbox", region)).toBe(false);
    outputs = await releases.deploy(releases.synthesize());
    expect((await get("/openapi.json")).status).toBe(200);
    const stacks = await emulator.call("cloudformation", { Action: "DescribeStacks", StackName: dataStack });
    expect(stacks).toContain("<EnableTerminationProtection>true</EnableTerminationProtection>");
  }, 300_000);
});

describe("a release", () => {
  test("that adds a function, and one that removes one, are deployed and taken back, and replace nothing", async () => {
    const before = await keptResources();
    expect(Object.keys(before).length).toBeGreaterThan(9);
    const [model = expect.fail()] = catalogue.filter(({ handler }) => handler === "authentication/exchangeToken");
    const [route] = model.routes;
    const added: Operation = { ...model, handler: "made/exchangeAgain", routes: [{ ...route, path: "/made/again" }] };
    releases.copyBundle(model.handler, added.handler);
    const more = [...catalogue, added];
    const less = catalogue.filter(({ handler }) => handler !== "sales/listSales");
    const operations: (readonly Operation[])[] = [more, catalogue, less, catalogue];
    for (const each of operations) {
      await releases.deploy(releases.synthesize({ operations: each }));
      expect(await keptResources()).toEqual(before);
      expect((await get("/openapi.json")).status).toBe(200);
    }
  }, 600_000);
});

describe("an alarm", () => {
  /** It evaluates an alarm once there are values, so that none of silence rises: this one is set by hand. */
  const bySilence = ["planner-silent"];

  test("of each kind reaches who has subscribed", async () => {
    const queue = await emulator.call("sqs", { Action: "CreateQueue", QueueName: "operator" });
    const [, url = ""] = /<QueueUrl>(.*)<\/QueueUrl>/.exec(queue) ?? [];
    await emulator.call("sns", {
      Action: "Subscribe",
      TopicArn: outputs.AlarmTopic ?? "",
      Protocol: "sqs",
      Endpoint: `arn:aws:sqs:${region}:000000000000:operator`,
    });
    const xml = await emulator.call("monitoring", {
      Action: "DescribeAlarms",
      AlarmNamePrefix: "business-data-sandbox-",
      MaxRecords: "100",
    });
    const alarms = [...xml.matchAll(/<AlarmName>[\s\S]*?(?=<AlarmName>|$)/g)].map(([text]) => {
      const value = (tag: string) => new RegExp(`<${tag}>(.*?)</${tag}>`).exec(text)?.[1] ?? "";
      return {
        name: value("AlarmName"),
        namespace: value("Namespace"),
        metric: value("MetricName"),
        threshold: Number(value("Threshold")),
      };
    });
    expect(alarms.length).toBeGreaterThan(15);
    for (const { name, namespace, metric, threshold } of alarms) {
      await (bySilence.some((each) => name.endsWith(each))
        ? emulator.call("monitoring", {
            Action: "SetAlarmState",
            AlarmName: name,
            StateValue: "ALARM",
            StateReason: "test",
          })
        : emulator.call("monitoring", {
            Action: "PutMetricData",
            Namespace: namespace,
            "MetricData.member.1.MetricName": metric,
            "MetricData.member.1.Value": String(2 * threshold),
          }));
    }
    const heard = new Set<string>();
    await vi.waitFor(
      async () => {
        const messages = await emulator.call("sqs", {
          Action: "ReceiveMessage",
          QueueUrl: url,
          MaxNumberOfMessages: "10",
          VisibilityTimeout: "120",
        });
        for (const [, name = ""] of messages.matchAll(/AlarmName[\\"&quot;:\s]+(business-data-sandbox-[\w-]+)/g))
          heard.add(name);
        expect([...heard].sort()).toEqual(alarms.map(({ name }) => name).sort());
      },
      { timeout: 90_000, interval: 200 },
    );
  }, 120_000);
});
