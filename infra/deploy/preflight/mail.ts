import { CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { GetAccountCommand, GetEmailIdentityCommand, NotFoundException, SESv2Client } from "@aws-sdk/client-sesv2";
import { senderOf } from "../../constructs/sender.ts";
import { isNoSuchStack } from "../../stages/isNewStage.ts";
import { stackName } from "../../stages/stackName.ts";
import type { Findings, PlannedDeployment } from "./plannedDeployment.ts";

/** Reports faults that keep the stage from sending mail, or from creating its SES identity. */
export async function checkMail(planned: PlannedDeployment): Promise<Findings> {
  const { settings, region } = planned;
  const { address, domain } = senderOf(settings.mailFrom);
  const client = new SESv2Client({ region });
  try {
    const account = await client.send(new GetAccountCommand({}));
    const [ofAddress, ofDomain] = await Promise.all([address, domain].map((name) => isVerified(client, name)));
    const rejections: string[] = [];
    const warnings: string[] = [];
    if (account.SendingEnabled === false)
      rejections.push(`SES has stopped the account in ${region}: ask AWS Support why.`);
    const makes = settings.aws?.makesMailIdentity === true;
    if (makes && ofDomain !== undefined && !(await madeByStage(planned, domain))) {
      rejections.push(
        `SES has the identity ${domain} in ${region} already, and not from this stage, which cannot make it again: take ` +
          "makesMailIdentity of the stage out of infra/stages/stages.ts, and the stage uses the one that is there.",
      );
    }
    if (!ofAddress && !ofDomain) {
      const todo = makes
        ? `Put the DKIM records that the deployment tells into the DNS of ${domain}`
        : "Verify one: makesMailIdentity in infra/stages/stages.ts has the stage make the domain's, whose DKIM records then go into its DNS";
      warnings.push(
        `SES has verified neither ${address} nor ${domain} in ${region}: until then invitations are not sent. ${todo}.`,
      );
    }
    if (!account.ProductionAccessEnabled) {
      warnings.push(
        `SES is in its sandbox in ${region} and sends to verified addresses only: ask it for production access.`,
      );
    }
    return { rejections, warnings };
  } finally {
    client.destroy();
  }
}

/** Whether SES has verified an identity; undefined if it has no such identity. */
async function isVerified(client: SESv2Client, EmailIdentity: string): Promise<boolean | undefined> {
  try {
    return (await client.send(new GetEmailIdentityCommand({ EmailIdentity }))).VerifiedForSendingStatus === true;
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
}

/** Whether the stage's stack contains this identity. */
async function madeByStage({ name, region }: PlannedDeployment, identity: string): Promise<boolean> {
  const client = new CloudFormationClient({ region });
  try {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources(
      { client },
      { StackName: stackName(name, "background") },
    )) {
      const made = StackResourceSummaries.some(
        ({ ResourceType, PhysicalResourceId, ResourceStatus }) =>
          ResourceType === "AWS::SES::EmailIdentity" &&
          PhysicalResourceId === identity &&
          !ResourceStatus?.startsWith("DELETE_"),
      );
      if (made) return true;
    }
    return false;
  } catch (error) {
    if (isNoSuchStack(error)) return false;
    throw error;
  } finally {
    client.destroy();
  }
}
