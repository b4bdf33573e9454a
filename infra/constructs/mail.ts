import { CfnOutput, Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { ConfigurationSet, EmailIdentity, EmailSendingEvent, EventDestination, Identity } from "aws-cdk-lib/aws-ses";
import { Topic } from "aws-cdk-lib/aws-sns";
import { SqsSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { type DeployedStage, keep } from "../stages/deployedStage.ts";
import { senderOf } from "./sender.ts";
import { suppressNag } from "./suppressNag.ts";

/** A stage's mail setup: a configuration set, through which SES reports bounces and complaints. */
export class Mail extends Construct {
  readonly configurationSet: string;

  /** @param events the queue for reports on sent mail */
  constructor(scope: Construct, id: string, stage: DeployedStage, events: Queue) {
    super(scope, id);
    const set = new ConfigurationSet(this, "Set");
    this.configurationSet = set.configurationSetName;
    const topic = new Topic(this, "Events", { enforceSSL: true });
    suppressNag(topic, {
      "AwsSolutions-SNS2": "SES cannot publish to a topic that is encrypted with an AWS managed key.",
    });
    const { account } = Stack.of(this);
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: "MailEvents",
        principals: [new ServicePrincipal("ses.amazonaws.com")],
        actions: ["sns:Publish"],
        resources: [topic.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": account } },
      }),
    );
    topic.addSubscription(new SqsSubscription(events, { rawMessageDelivery: true }));
    const destination = set.addEventDestination("Undelivered", {
      destination: EventDestination.snsTopic(topic),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
    // SES tests the topic when it creates the destination.
    destination.node.addDependency(topic);
    if (stage.aws.makesMailIdentity) this.#makeIdentity(stage.settings.mailFrom);
  }

  /** The sender's domain. SES verifies it once DNS has its three DKIM records. */
  #makeIdentity(mailFrom: string): void {
    const domain = Identity.domain(senderOf(mailFrom).domain);
    const identity = new EmailIdentity(this, "Identity", { identity: domain, dkimSigning: true });
    identity.applyRemovalPolicy(keep);
    for (const [index, { name, value }] of identity.dkimRecords.entries()) {
      new CfnOutput(Stack.of(this), `DkimRecord${index + 1}`, { value: `${name} CNAME ${value}` });
    }
  }
}
