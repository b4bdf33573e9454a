import { App, Stack } from "aws-cdk-lib";
import { Template as Synthesized } from "aws-cdk-lib/assertions";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, test } from "vitest";
import { Mail } from "../../../infra/constructs/mail.ts";
import type { DeployedStage } from "../../../infra/stages/deployedStage.ts";
import { type StageSettings, stages } from "../../../infra/stages/stages.ts";
import { type Assembled, Template } from "./assembled.ts";

/** The sending of mail by a stage. */
export function describeMail(assembled: () => Assembled): void {
  describe.each(["sandbox", "prod"] as const)("the mail of %s", (stage) => {
    const template = () => assembled().templates[stage].Background ?? expect.fail();

    test("receives bounces and complaints from SES, and nothing else", () => {
      const destination = template().one("SES::ConfigurationSetEventDestination").EventDestination;
      expect(destination).toMatchObject({ Enabled: true, MatchingEventTypes: ["bounce", "complaint"] });
      const [topicId = ""] = Object.keys(template().all("SNS::Topic"));
      expect(JSON.stringify(destination.SnsDestination)).toContain(topicId);
      const { Statement } = template().one("SNS::TopicPolicy").PolicyDocument;
      expect(Statement).toContainEqual(
        expect.objectContaining({
          Effect: "Allow",
          Principal: { Service: "ses.amazonaws.com" },
          Action: "sns:Publish",
          Condition: {
            StringEquals: { "aws:SourceAccount": stage === "prod" ? "123456789012" : { Ref: "AWS::AccountId" } },
          },
        }),
      );
      const subscription = template().one("SNS::Subscription");
      expect(subscription).toMatchObject({ Protocol: "sqs", RawMessageDelivery: true, TopicArn: { Ref: topicId } });
      expect(JSON.stringify(subscription.Endpoint)).toContain("MailEventsQueue");
      const [setId = ""] = Object.keys(template().all("SES::ConfigurationSet"));
      const { Workers } = assembled().templates[stage];
      const { Variables } = Workers?.one("Lambda::Function", "InvitationSender").Environment ?? expect.fail();
      const { OutputName } = Variables.MAIL_CONFIGURATION_SET["Fn::GetStackOutput"];
      expect(template().json.Outputs?.[OutputName]?.Value).toEqual({ Ref: setId });
    });
  });

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
          {
            Value: {
              "Fn::Join": ["", [token(`DkimDNSTokenName${i}`), " CNAME ", token(`DkimDNSTokenValue${i}`)]],
            },
          },
        ]);
        expect(template.json.Outputs).toEqual(Object.fromEntries(records));
      },
    );

    test.each(["sandbox", "prod"] as const)("is not created by %s unless its settings say so", (stage) => {
      const { Background } = assembled().templates[stage];
      expect(Object.keys(Background?.all("SES::EmailIdentity") ?? {})).toEqual([]);
    });
  });
}
