import { App, Stack } from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, test } from "vitest";
import { Mail } from "../../../infra/constructs/mail.ts";
import type { DeployedStage } from "../../../infra/stages/deployedStage.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { Template } from "./assembled.ts";

/** The sending of mail by a stage. */
export function describeMail(): void {
  describe("the identity of the sender in SES", () => {
    function mailOf(mailFrom: string): Template {
      const settings: StageSettings = { ...stages.prod, mailFrom };
      const aws = { ...stages.prod.aws, makesMailIdentity: true };
      const stage: DeployedStage = { name: "prod", settings, aws, bundles: "", release: "1.0.0" };
      const stack = new Stack(new App(), "Named");
      new Mail(stack, "Mail", stage, new Queue(stack, "Queue"));
      return new Template(Synthesized.fromStack(stack).toJSON());
    }

    test.each(["no-reply@mail.example.org", "Business Data Access <no-reply@mail.example.org>"])(
      "of %s is its domain, signs with DKIM, outlives its stack, and has the DNS records as outputs",
      (mailFrom) => {
        const template = mailOf(mailFrom);
        const [[id, identity] = expect.fail(), ...others] = Object.entries(template.all("SES::EmailIdentity"));
        expect(others).toEqual([]);
        expect(identity.Properties).toMatchObject({
          EmailIdentity: "mail.example.org",
          DkimAttributes: { SigningEnabled: true },
        });
        expect(identity.DeletionPolicy).toBe("RetainExceptOnCreate");
        const token = (part: string) => ({ "Fn::GetAtt": [id, part] });
        const records = [1, 2, 3].map((i) => [
          `DkimRecord${i}`,
          { Value: { "Fn::Join": ["", [token(`DkimDNSTokenName${i}`), " CNAME ", token(`DkimDNSTokenValue${i}`)]] } },
        ]);
        expect(template.json.Outputs).toEqual(Object.fromEntries(records));
      },
    );
  });
}
