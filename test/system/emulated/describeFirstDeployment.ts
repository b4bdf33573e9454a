import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import {
  GetConfigurationSetEventDestinationsCommand,
  GetEmailIdentityCommand,
  ListConfigurationSetsCommand,
  SESv2Client,
} from "@aws-sdk/client-sesv2";
import { describe, expect, inject, test, vi } from "vitest";
import { deploy } from "../../../infra/deploy/deploy.ts";
import { preflight } from "../../../infra/deploy/preflight/preflight.ts";
import { Stacks } from "../../../infra/deploy/release/stacks.ts";
import { stackName } from "../../../infra/stages/stackName.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { runHere } from "../../infra/local/runHere.ts";
import { region, type Template } from "../deployed/template.ts";
import { emulated, type Releases } from "./releases.ts";

/** Before a stage exists, and right after its first deployment. */
export function describeFirstDeployment(releases: () => Releases): void {
  describe("a first deployment", () => {
    test("first reports what the account lacks", async () => {
      const settings: StageSettings = { ...stages.sandbox, mailFrom: "Sandbox <no-reply@mail.example.org>" };
      const aws = { ...stages.sandbox.aws, accountConcurrency: 100_000 };
      const planned = { stage: "sandbox", region, isNew: true, paused: false } as const;
      const { rejections, warnings } = await preflight({ ...planned, settings: { ...settings, aws } });
      expect(rejections).toEqual([
        expect.stringMatching(/^Stage \w+ needs a concurrency of 100000 .* Request more from Service Quotas/),
      ]);
      expect(warnings[0]).toMatch(
        /^SES has verified neither no-reply@mail\.example\.org nor mail\.example\.org in us-east-1/,
      );
      expect((await preflight({ ...planned, settings })).rejections).toEqual([]);
    });

    test("deploys first the stack with protected resources and then all stacks", async () => {
      const path = process.env.PATH;
      const directory = mkdtempSync(join(inject("temporaryDirectory"), "path-"));
      const note = join(directory, "calls");
      // Records its calls, and fails at the second one.
      const program = `#!/bin/sh\necho "$*" >> ${note}; test $(wc -l < ${note}) -lt 2\n`;
      writeFileSync(join(directory, "cdk"), program, { mode: 0o755 });
      vi.stubEnv("PATH", `${directory}${delimiter}${path}`);
      const { appUrl, mailFrom, privacyUrl, supportEmail } = stages.sandbox;
      const ours = {
        appUrl: "https://app.example.org",
        mailFrom: "a@mail.example.org",
        privacyUrl: "https://example.org/privacy",
        supportEmail: "b@example.org",
      };
      Object.assign(stages.sandbox, ours);
      try {
        const { code, out } = await runHere(deploy, ["deploy", "--stage", "sandbox", "--yes"]);
        expect(code).toBe(1);
        expect(out).toMatch(/^Stage sandbox, account 000000000000.*\nNote: SES has verified neither/);
      } finally {
        Object.assign(stages.sandbox, { appUrl, mailFrom, privacyUrl, supportEmail });
        vi.stubEnv("PATH", path);
      }
      const [first, second] = readFileSync(note, "utf8").split("\n");
      const [, assembly] =
        /^deploy Data --exclusively --app (\S+)\/first --require-approval never$/.exec(first ?? "") ?? [];
      expect(second).toBe(`deploy Data --exclusively --app ${assembly} --require-approval never`);
    });

    test("can be tried again after a failure, and then protects its resources", async () => {
      expect(await new Stacks(region).find(stackName("sandbox", "data"))).toBeUndefined();
      // Its template has a name of its own for the upload.
      const settings: StageSettings = { ...emulated, aws: { ...stages.sandbox.aws, logDays: 90 } };
      const failing = releases().synthesize({ isNew: true, settings });
      const path = join(failing, "Data.template.json");
      const template: Template = JSON.parse(readFileSync(path, "utf8"));
      const others = Object.keys(template.Resources);
      const wrong = { Type: "AWS::SQS::Queue", Properties: { VisibilityTimeout: -1 }, DependsOn: others };
      template.Resources.Wrong = wrong;
      writeFileSync(path, JSON.stringify(template));
      await expect(releases().deploy(failing, ["Data"])).rejects.toThrow(/Wrong/);
      expect(await new Stacks(region).find(stackName("sandbox", "data"))).toBeUndefined();

      await releases().deploy(releases().synthesize({ isNew: true }), ["Data"]);
      expect(await new Stacks(region).find(stackName("sandbox", "data"))).toBeDefined();
      await releases().deploy(releases().synthesize());
      expect((await fetch(`${releases().baseUrl}/openapi.json`)).status).toBe(200);
      const stacks = await releases().emulator.call("cloudformation", {
        Action: "DescribeStacks",
        StackName: "business-data-sandbox-data",
      });
      expect(stacks).toContain("<EnableTerminationProtection>true</EnableTerminationProtection>");
    }, 300_000);

    test("creates the SES identity that signs with DKIM and sends bounces and complaints to the topic", async () => {
      const client = new SESv2Client({});
      try {
        const identity = await client.send(new GetEmailIdentityCommand({ EmailIdentity: "example.com" }));
        expect(identity.DkimAttributes?.SigningEnabled).toBe(true);
        const { ConfigurationSets = [] } = await client.send(new ListConfigurationSetsCommand({}));
        expect(ConfigurationSets).toHaveLength(1);
        const [ConfigurationSetName] = ConfigurationSets;
        const { EventDestinations } = await client.send(
          new GetConfigurationSetEventDestinationsCommand({ ConfigurationSetName }),
        );
        expect(EventDestinations).toMatchObject([{ Enabled: true, MatchingEventTypes: ["BOUNCE", "COMPLAINT"] }]);
      } finally {
        client.destroy();
      }
      const planned = { settings: emulated, region, isNew: false, paused: false };
      expect((await preflight({ ...planned, stage: "sandbox" })).rejections).toEqual([]);
      expect((await preflight({ ...planned, stage: "prod", isNew: true })).rejections).toEqual([
        expect.stringMatching(/^Stage prod has no permissions boundary in us-east-1/),
        expect.stringMatching(
          /^SES already has the identity example\.com in us-east-1, and this stage did not create it/,
        ),
      ]);
    });
  });
}
